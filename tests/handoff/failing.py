"""Projects whose tests and builds fail, for the runners that people pipe into `tail`, `head` and `grep`."""

from __future__ import annotations

import sys
from pathlib import Path

PYTEST = f"{sys.executable} -m pytest -p no:cacheprovider -q"

FILES = {
    "test_sums.py": "import pytest\n\n\n"
    + "".join(f"def test_fine_{n}():\n    assert True\n\n\n" for n in range(12))
    + "def test_sum_of_prices():\n    total = 2 + 2\n    assert total == 5, 'prices do not add up'\n",
    "test_broken_import.py": "import no_such_module_at_all\n\n\ndef test_nothing():\n    pass\n",
    "Makefile": "all: prog\n\nprog: prog.c\n\tgcc -Wall -o prog prog.c\n\n"
    'test:\n\t@for n in 1 2 3 4 5 6 7 8; do echo "ok $$n - case $$n"; done\n'
    "\t@echo 'not ok 9 - rounding of prices' && exit 1\n\n"
    "lint:\n\t@echo 'main.py:3:1: E999 SyntaxError: bad input'; exit 1\n\n"
    "deploy: test\n\techo deployed\n",
    "prog.c": '#include <stdio.h>\n\nint main(void) {\n    printf("%d\\n", undeclared_thing);\n    return 0\n}\n',
    "package.json": '{"name": "shop", "version": "1.0.0", "scripts": {"test": "node --test cart.test.js", '
    '"build": "node build.js", "lint": "node lint.js"}}\n',
    "cart.test.js": "const test = require('node:test');\nconst assert = require('node:assert');\n"
    "test('adds', () => assert.equal(1 + 1, 2));\n"
    "test('cart total', () => assert.equal(3 * 7, 22, 'cart total is off'));\n",
    "build.js": "for (let i = 0; i < 30; i++) console.log(`compiled module ${i}`);\n"
    "console.error(\"ERROR in ./src/index.js: Module not found: Error: Can't resolve './missing'\");\n"
    "process.exit(2);\n",
    "lint.js": "console.log('src/a.js\\n  4:7  error  \"total\" is assigned but never used  no-unused-vars');\n"
    "console.log('\\n1 problem (1 error, 0 warnings)');\nprocess.exit(1);\n",
    "boom.js": "function deep() { throw new TypeError('price is not a number'); }\ndeep();\n",
    "boom.py": "import sys\n\n\ndef inner():\n    raise KeyError('price')\n\n\nprint('starting')\n"
    "sys.stdout.flush()\ninner()\n",
    "gotest.py": "import sys\n"
    "print('=== RUN   TestParse\\n--- PASS: TestParse (0.00s)\\n=== RUN   TestPrice')\n"
    "print('    price_test.go:14: got 4, want 5\\n--- FAIL: TestPrice (0.02s)')\n"
    "print('FAIL\\nFAIL\\texample.com/shop/price\\t0.114s')\n"
    "print('ok  \\texample.com/shop/cart\\t0.201s\\nFAIL')\nsys.exit(1)\n",
    "check.sh": "echo checking\n[ -f there.txt ] || { echo 'error: there.txt is missing' >&2; exit 4; }\n",
    "unit.py": "import unittest\n\n\nclass Prices(unittest.TestCase):\n    def test_total(self):\n"
    "        self.assertEqual(2 + 2, 5)\n\n\nif __name__ == '__main__':\n    unittest.main()\n",
}

PIPELINES = [
    (f"{PYTEST} test_sums.py | tail -5", "FAILED test_sums.py::test_sum_of_prices"),
    (f"{PYTEST} test_sums.py 2>&1 | tail -20", "prices do not add up"),
    (f"{PYTEST} test_sums.py 2>&1 | head -100", "prices do not add up"),
    (f"{PYTEST} test_sums.py | grep -E 'passed|failed'", "1 failed"),
    (f"{PYTEST} test_sums.py -v 2>&1 | grep -v PASSED | tail -30", "FAILED"),
    (f"{PYTEST} test_broken_import.py 2>&1 | tail -3", "ERROR test_broken_import.py"),
    (f"cd . && {PYTEST} test_sums.py 2>&1 | tee pytest.log | tail -4", "1 failed"),
    (f"{PYTEST} test_sums.py; echo done", "prices do not add up"),
    ("python3 unit.py 2>&1 | tail -4", "FAILED (failures=1)"),
    ("python3 -m unittest unit 2>&1 | head -20", "FAIL: test_total"),
    ("make test | tail -5", "not ok 9"),
    ("make test 2>&1 | tail -1", "Error 1"),
    ("make test 2>&1 | grep 'not ok'", "not ok 9 - rounding of prices"),
    ("make deploy | cat", "not ok 9"),
    ("make deploy 2>&1 | tail -3; echo finished", "not ok 9"),
    ("make -k prog 2>&1 | head -20", "undeclared_thing"),
    ("make lint 2>&1 | tail -20", "E999"),
    ("gcc -o prog prog.c 2>&1 | head -30", "error:"),
    ("(make prog 2>&1; echo built) | tail -12", "error:"),
    ("make test > make.log 2>&1; tail -3 make.log", "not ok 9"),
    ("npm test 2>&1 | tail -40", "cart total"),
    ("npm run build 2>&1 | tail -5", "Can't resolve './missing'"),
    ("npm run build 2>&1 | grep -i error", "Can't resolve './missing'"),
    ("npm run lint --silent | cat", "no-unused-vars"),
    ("node boom.js 2>&1 | head -20", "TypeError: price is not a number"),
    ("node --test cart.test.js | tail -40", "cart total is off"),
    ("python3 gotest.py 2>&1 | tail -8", "--- FAIL: TestPrice"),
    ("python3 gotest.py 2>&1 | grep -E '^(---|FAIL|ok)'", "--- FAIL: TestPrice"),
    ("python3 boom.py 2>&1 | tail -2", "KeyError: 'price'"),
    ("bash check.sh | tail -1 && echo all good", "there.txt is missing"),
    ("for s in check.sh; do bash $s 2>&1 | tail -1; done", "there.txt is missing"),
    ("make test || echo 'tests failed, going on'", "not ok 9"),
]
"""(line, a part of the line that says what failed). In nearly all of them the shell itself ends with 0."""


def write(folder: Path) -> None:
    """Write the projects into a folder."""
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
