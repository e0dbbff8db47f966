"""Questions to the host during a call: which roots there are, and whether a person agrees.

Two ways, by the age of the protocol: older hosts answer a request of the server's in the middle of the call; since
2026-07-28 the call is answered with what is needed, and the host calls again with it. What was answered in an earlier
round comes back in the state that the host carries.
"""

from __future__ import annotations

import logging
import warnings
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import msgspec
from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from dabhand.interfaces.mcp.roots import from_uris

Context = ServerRequestContext[Any, Any]
ROOTS_WAIT = 4.0
"""Seconds that the host has to say which folders it gives."""

NO_FIELDS: dict[str, Any] = {"type": "object", "properties": {}}


class State(msgspec.Struct, frozen=True):
    """What earlier rounds of one call brought.

    Attributes:
        roots: the URIs of the host's roots; None when it was not asked.
        shown: the digest of what the person was shown.
    """

    roots: tuple[str, ...] | None = None
    shown: str | None = None


class NeedsInput(Exception):
    """The host has to be asked before the call can go on."""

    def __init__(self, requests: dict[str, types.InputRequest], state: State) -> None:
        super().__init__("the host has to be asked")
        self.result = types.InputRequiredResult(
            input_requests=requests, request_state=msgspec.json.encode(state).decode()
        )


class Asking:
    """The questions of one call.

    Attributes:
        agreed_to: the digest of what a person was shown and agreed to, or None.
    """

    def __init__(self, context: Context, params: types.CallToolRequestParams) -> None:
        self._context = context
        self._answers = params.input_responses or {}
        self._modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
        self._state = _state_of(params.request_state)
        given = self._answers.get("agree")
        self.agreed_to = self._state.shown if isinstance(given, types.ElicitResult) and _says_yes(given) else None

    @property
    def can_confirm(self) -> bool:
        """Whether the host can put a question to a person."""
        capabilities = self._context.session.client_capabilities
        return capabilities is not None and capabilities.elicitation is not None

    async def roots(self) -> tuple[Path, ...] | None:
        """The folders that the host gives; None where it cannot give any, and none where it fails to."""
        capabilities = self._context.session.client_capabilities
        if capabilities is None or capabilities.roots is None:
            return None
        if not self._modern:
            return from_uris(await self._listed())
        answer = self._answers.get("roots")
        if isinstance(answer, types.ListRootsResult):
            self._state = msgspec.structs.replace(self._state, roots=tuple(str(root.uri) for root in answer.roots))
        if self._state.roots is None:
            raise NeedsInput({"roots": types.ListRootsRequest()}, self._state)
        return from_uris(self._state.roots)

    async def _listed(self) -> list[str]:
        try:
            with warnings.catch_warnings(), anyio.fail_after(ROOTS_WAIT):
                warnings.simplefilter("ignore")
                listed = await self._context.session.list_roots()
        except (MCPError, ValueError, TimeoutError) as error:  # an error, something that is none, nothing at all
            logging.getLogger(__name__).warning("the host gave no roots: %s", error)
            return []
        return [str(root.uri) for root in listed.roots]

    async def agreed(self, question: str, shown: str) -> bool:
        """Whether a person agrees.

        Args:
            question: what they are asked.
            shown: a digest of what it is about; an answer to something else counts for nothing, and is asked for anew.
        """
        if not self._modern:
            try:
                answer = await self._context.session.elicit_form(question, NO_FIELDS, self._context.request_id)
            except MCPError:
                return False
            self.agreed_to = shown if _says_yes(answer) else None
            return self.agreed_to is not None
        if isinstance(self._answers.get("agree"), types.ElicitResult) and self._state.shown == shown:
            return False  # answered, and not with yes
        params = types.ElicitRequestFormParams(message=question, requested_schema=NO_FIELDS)
        state = msgspec.structs.replace(self._state, shown=shown)
        raise NeedsInput({"agree": types.ElicitRequest(params=params)}, state)


def _says_yes(answer: types.ElicitResult) -> bool:
    return answer.action == "accept" and not any(value is False for value in (answer.content or {}).values())


def _state_of(text: str | None) -> State:
    """The state that a host carried; one that is none of ours counts as nothing asked yet."""
    if text is None:
        return State()
    try:
        return msgspec.json.decode(text, type=State)
    except msgspec.DecodeError:
        return State()
