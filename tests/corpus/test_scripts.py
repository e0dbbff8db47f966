"""Scripts of Codex' code mode: a command counts only where it surely ran."""

from __future__ import annotations

import pytest

from dabhand.corpus.readers.codex_scripts import Planned, read_script

pytest.importorskip("tree_sitter_javascript")

SURE = {
    'const r = await tools.exec_command({cmd: "make test"});\ntext(r.output);': ["make test"],
    "await tools.exec_command({cmd: 'a \\'b\\''}); await tools.exec_command({cmd: `c`})": ["a 'b'", "c"],
    'const dir = "src";\nconst c = `ls ${dir}` + " -a";\nawait tools.exec_command({cmd: c})': ["ls src -a"],
    'const cmd = "ls";\nawait tools.exec_command({cmd, workdir: "/w"})': ["ls"],
    'const [a, b] = await Promise.all([tools.exec_command({cmd: "x"}), tools.exec_command({cmd: "y"})]);': ["x", "y"],
    '{ const r = await tools.shell_command({"command": "x"}); }': ["x"],
    'const r = (await tools.exec_command({cmd: "x"})).output || "nothing"; text(r)': ["x"],
    'await tools.exec_command({cmd: "x"}); return 1; await tools.exec_command({cmd: "never"})': ["x"],
    '// await tools.exec_command({cmd: "in a comment"})\n/* tools.exec_command({cmd: "y"}) */': [],
    'await tools.apply_patch("x")': [],
    'const f = () => { return 1 };\nawait tools.exec_command({cmd: "x"})': ["x"],
    'text("tools.exec_command({cmd: \\"quoted\\"})")': [],
    'return await tools.exec_command({cmd: "caf\\u00e9 \\x41 \\u{1F600}\\\n!"})': ["caf\u00e9 A \U0001f600!"],
    'if (r.ok) { text("x") }\nawait tools.exec_command({cmd: "x"})': ["x"],
}
UNSURE = [
    'if (x) await tools.exec_command({cmd: "maybe"})',
    'x && await tools.exec_command({cmd: "maybe"})',
    'x || (await tools.exec_command({cmd: "maybe"}))',
    'x ?? await tools.exec_command({cmd: "maybe"})',
    'const r = x ? await tools.exec_command({cmd: "a"}) : 0',
    'const r = x ? 0 : await tools.exec_command({cmd: "a"})',
    'f?.(await tools.exec_command({cmd: "maybe"}))',
    'o?.p(await tools.exec_command({cmd: "maybe"}))',
    'for (const c of ["a", "b"]) await tools.exec_command({cmd: c})',
    'while (x) { await tools.exec_command({cmd: "a"}) }',
    'try { g(); await tools.exec_command({cmd: "a"}) } catch { }',
    'async function f() { await tools.exec_command({cmd: "a"}) }',
    'const f = () => tools.exec_command({cmd: "a"}); await f(); await f()',
    '["a"].map(c => tools.exec_command({cmd: c}))',
    "switch (x) { case 1: await tools.exec_command({cmd: 'a'}) }",
    'tools.exec_command({cmd: "nobody waits"})',
    "await tools.exec_command({cmd: x})",
    'let c = "a"; c = "b"; await tools.exec_command({cmd: c})',
    'const c = "a"; { const c = "b"; await tools.exec_command({cmd: c}) }',
    "await tools.exec_command({cmd: `ls ${x}`})",
    'await tools.exec_command({cmd: "a", cmd: "b"})',
    'await tools.exec_command({...x, cmd: "a"})',
    'await tools.exec_command({["cmd"]: "a"})',
    'const t = tools; await t.exec_command({cmd: "a"})',
    'const {exec_command} = tools; await exec_command({cmd: "a"})',
    'await tools["exec_command"]({cmd: "a"})',
    'await tools.exec_command.call(tools, {cmd: "a"})',
    'eval(x); await tools.exec_command({cmd: "a"})',
    'await tools.exec_command({cmd: "a"}); throw x; tools',
    'label: { break label; await tools.exec_command({cmd: "a"}) }',
    'await tools.exec_command({cmd: "a"',
    "{ if (x) return; }\nawait tools.exec_command({cmd: 'a'})",
    "if (x) return;\nawait tools.exec_command({cmd: 'a'})",
]


@pytest.mark.parametrize("script", SURE)
def test_what_surely_ran(script: str) -> None:
    found = read_script(script).commands
    assert found is not None and [each.command for each in found] == SURE[script]


@pytest.mark.parametrize("script", UNSURE)
def test_what_may_have_run_is_not_said(script: str) -> None:
    assert read_script(script).commands is None


def test_the_folder_is_what_the_script_says() -> None:
    assert read_script('await tools.exec_command({cmd: "ls", workdir: "/w"})').commands == (Planned("ls", "/w"),)
    assert read_script('await tools.exec_command({cmd: "ls", workdir: x})').commands == (Planned("ls", None, False),)


def test_only_what_prints_the_output_alone_says_what_it_was() -> None:
    ran = 'const r = await tools.exec_command({cmd: "ls"});\n'
    assert read_script(ran + "text(r.output);").shows_output
    for rest in ("text(r.output.slice(0, 9))", "text('done')", "text(r.output); text('x')", "text(r.exit_code)", ""):
        assert not read_script(ran + rest).shows_output


def test_deep_nesting_is_not_sure_and_no_crash() -> None:
    assert read_script("await tools.exec_command({cmd: " + "(" * 5000 + '"a"' + ")" * 5000 + "})").commands is None
