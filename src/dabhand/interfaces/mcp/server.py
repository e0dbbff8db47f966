"""The protocol: the official SDK's server over standard input and output, or HTTP on this machine alone."""

from __future__ import annotations

import logging
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib import resources
from pathlib import Path
from typing import Any, cast

import anyio
import mcp_types as types
import msgspec
from mcp.server import Server
from mcp.shared.exceptions import MCPError

from dabhand import __version__
from dabhand.errors import DabhandError, UsageError
from dabhand.interfaces.cli.output import visible_bytes
from dabhand.interfaces.mcp.asking import Asking, Context, NeedsInput
from dabhand.interfaces.mcp.calls import Calls
from dabhand.interfaces.mcp.costs import beginning
from dabhand.interfaces.mcp.jobs import PATIENCE, Answer, Broken, Jobs
from dabhand.interfaces.mcp.rendering import text_of
from dabhand.interfaces.mcp.roots import Roots, chosen, relative
from dabhand.interfaces.mcp.shortening import shortened
from dabhand.interfaces.mcp.tools import BY_NAME, TOOLS, Declared
from dabhand.interfaces.mcp.wording import for_tools, reworded

PROGRESS_SECONDS = 1.0
LONGEST_ERROR = 600
"""Tokens of what an error says."""

LARGEST_NUMBER = 2**53
"""What JSON carries exactly (RFC 8259, section 6)."""


def make(store: Path, roots: Roots, patience: float = PATIENCE) -> Server[Calls]:
    """A server.

    Args:
        store: the folder of the store.
        roots: the folders to work in where the host gives none.
        patience: seconds after which a call answers with the handle of a job.
    """

    @asynccontextmanager
    async def lifespan(_: Server[Calls]) -> AsyncIterator[Calls]:
        async with anyio.create_task_group() as group:
            yield Calls(store, Jobs(group, patience))
            group.cancel_scope.cancel()

    async def list_tools(_: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_declared(tool) for tool in TOOLS])

    async def call_tool(
        context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        async with _progress(context):
            return await _answered(context, params, roots)

    guidance = resources.files("dabhand.interfaces.hosts").joinpath("guidance.md").read_text("utf-8")
    return Server(
        "dabhand",
        version=__version__,
        title="dabhand",
        instructions=guidance,
        lifespan=lifespan,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _answered(
    context: Context, params: types.CallToolRequestParams, roots: Roots
) -> types.CallToolResult | types.InputRequiredResult:
    try:
        short = shortened(reworded(await _call(context, params, roots)))
    except NeedsInput as needed:
        return needed.result
    except DabhandError as error:
        return _failed(error)
    except Exception as error:  # a fault of ours ends one call, and is told as every other
        logging.exception("%s broke", params.name)
        return _failed(Broken(f"dabhand itself broke: {type(error).__name__}: {error}.", "Please report this."))
    text = types.TextContent(type="text", text=text_of(short))
    return types.CallToolResult(content=[text], structured_content=short)


async def _call(context: Context, params: types.CallToolRequestParams, roots: Roots) -> Answer:
    tool = BY_NAME.get(params.name)
    if tool is None:
        raise UsageError(f"There is no tool {params.name!r}.", f"There are: {', '.join(BY_NAME)}.")
    calls: Calls = context.lifespan_context
    _require_usable(params.arguments or {})
    try:
        given: Any = msgspec.convert(params.arguments or {}, tool.takes)
    except msgspec.ValidationError as error:
        raise UsageError(f"The arguments of {tool.name} cannot be used: {error}.", _form(tool)) from error
    if tool.name == "artifact":
        return await calls.artifact(given)
    if tool.name == "commands":
        return await calls.commands(given)
    asking = Asking(context, params)
    targets: dict[str, str] = getattr(given, "targets", {})
    root = chosen(given.root, roots.beside(await asking.roots()), targets)
    if targets:
        given = msgspec.structs.replace(given, targets=relative(targets, root))
    match tool.name:
        case "inspect":
            return await calls.inspect(given, root)
        case "run":
            return await calls.run(given, root)
        case "plan":
            return await calls.plan(given, root)
        case "do":
            return await calls.do(given, root, asking)
        case _:
            return await calls.undo(given, root)


def _require_usable(value: object) -> None:
    """Refuse what no program, file or number of ours can be: NUL in a text, a number that JSON does not carry."""
    match value:
        case str() if "\0" in value:
            raise UsageError("A text holds a NUL character, which no path or argument can hold.", "Leave it out.")
        case bool():
            return
        case int() | float() if not abs(value) <= LARGEST_NUMBER:
            raise UsageError("A number is too large.", f"Stay within {LARGEST_NUMBER:,}.")
        case dict():
            for key, inner in value.items():
                _require_usable(key)
                _require_usable(inner)
        case list():
            for inner in value:
                _require_usable(inner)


def _form(tool: Declared) -> str:
    return f"It takes: {', '.join(tool.input_schema.get('properties', {}))}."


def _declared(tool: Declared) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=types.ToolAnnotations(
            read_only_hint=not tool.changes, destructive_hint=tool.destroys, open_world_hint=tool.name == "run"
        ),
    )


def _failed(error: DabhandError) -> types.CallToolResult:
    whole = visible_bytes(error.message)
    text = beginning(whole, LONGEST_ERROR)
    hint = visible_bytes(for_tools(error.hint))[:1000]
    text += (" [cut]" if text != whole else "") + (f"\n{hint}" if hint else "")
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


@asynccontextmanager
async def _progress(context: Context) -> AsyncIterator[None]:
    """Tell the host every second that the call goes on; it says nothing to a host that did not ask."""

    async def tell() -> None:
        seconds = 0.0
        while True:
            await anyio.sleep(PROGRESS_SECONDS)
            seconds += PROGRESS_SECONDS
            try:
                await context.session.report_progress(seconds, None, f"{seconds:.0f} s")
            except (MCPError, anyio.BrokenResourceError, anyio.ClosedResourceError):
                return

    async with anyio.create_task_group() as group:
        group.start_soon(tell)
        try:
            yield
        finally:
            group.cancel_scope.cancel()


async def serve_streams(server: Server[Calls]) -> None:
    """Serve one host over standard input and output until it closes them."""
    from mcp.server.stdio import stdio_server
    from mcp.shared.message import SessionMessage

    from dabhand.interfaces.mcp.lines import standard_input

    with standard_input() as lines:
        async with stdio_server(stdin=cast("anyio.AsyncFile[str]", lines)) as (read, write), write.clone() as answers:

            async def answer(error: types.JSONRPCError) -> None:
                with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                    await answers.send(SessionMessage(error))

            lines.answer_by(answer)
            await server.run(read, write, server.create_initialization_options())


async def serve_http(server: Server[Calls], port: int, token: str) -> None:
    """Serve hosts on this machine over HTTP; every request must bear the token."""
    import uvicorn

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        app = server.streamable_http_app()
    config = uvicorn.Config(_Guarded(app, token), host="127.0.0.1", port=port, log_level="warning", access_log=False)
    await uvicorn.Server(config).serve()


class _Guarded:
    """An ASGI application behind a bearer token."""

    def __init__(self, app: Any, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        import hmac

        if scope["type"] == "http":
            given = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(given, self._expected):
                head = [(b"content-type", b"text/plain"), (b"www-authenticate", b"Bearer")]
                await send({"type": "http.response.start", "status": 401, "headers": head})
                await send({"type": "http.response.body", "body": b"The token is missing or wrong.\n"})
                return
        await self._app(scope, receive, send)
