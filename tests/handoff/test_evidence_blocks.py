"""Blocks: which lines belong to a trace or a diagnostic, and that what follows does not."""

from __future__ import annotations

import pytest

from dabhand.handoff.evidence.blocks import block_at
from dabhand.handoff.evidence.text import Log

BLOCKS: dict[str, tuple[str, int, tuple[int, int]]] = {
    "gopanic": (
        """\
start
panic: boom
	panic: again

goroutine 1 [running]:
main.main()
	/x/main.go:5 +0x1d

goroutine 18 [select]:
net.foo()
	/x/n.go:7 +0x1
created by net.bar
	/x/n.go:3 +0x2
exit status 2
next job starts
done
""",
        1,
        (1, 13),
    ),
    "gopanic in server": (
        """\
panic: boom

goroutine 1 [running]:
main.main()
	/x/main.go:5 +0x1d
2024/05/01 10:00:00 INFO restarting service
2024/05/01 10:00:01 INFO listening
""",
        0,
        (0, 5),
    ),
    "gopanic direct": (
        """\
2024/05/01 10:00:00 before
panic: runtime error: nil map
[signal SIGSEGV: segmentation violation code=0x1]

goroutine 1 [running]:
main.main()
	/x/main.go:5 +0x1d
Service restarted
all is well
""",
        1,
        (1, 7),
    ),
    "java nested": (
        """\
10:00 ERROR foo failed
java.lang.RuntimeException: a
	at x.A.b(A.java:1)
	Suppressed: java.io.IOException: s
		at x.C.d(C.java:2)
		... 1 more
	Caused by: java.lang.Error: n
		... 2 more
Caused by: java.io.IOException: c
	at x.D.e(D.java:3)
	... 3 common frames omitted
10:01 INFO next
""",
        0,
        (0, 11),
    ),
    "java multi message": (
        """\
java.lang.RuntimeException: a
Second line of the message
	at x.A.b(A.java:1)
Caused by: java.io.IOException: c
	at x.D.e(D.java:3)
10:01 INFO next
""",
        0,
        (0, 5),
    ),
    "rust": (
        """\
running
thread 'main' panicked at src/main.rs:4:5:
index out of bounds: the len is 3 but the index is 9
stack backtrace:
   0: rust_begin_unwind
             at /rustc/library/std/src/panicking.rs:1
   1: core::panicking::panic_fmt
             at /rustc/library/core/src/panicking.rs:2
   2: main::main
             at ./src/main.rs:4:5
note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.
next line of the job
""",
        1,
        (1, 11),
    ),
    "rust old": (
        """\
thread 'main' panicked at 'boom', src/main.rs:4:5
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
next line
""",
        0,
        (0, 2),
    ),
    "python chained": (
        """\
x
Traceback (most recent call last):
  File "a.py", line 1, in f
    g()
ValueError: a

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "a.py", line 2, in f
    h()
RuntimeError: b
next thing
""",
        1,
        (1, 12),
    ),
    "python group": (
        """\
  + Exception Group Traceback (most recent call last):
  |   File "a.py", line 1, in <module>
  |     raise ExceptionGroup("x", [ValueError(1)])
  | ExceptionGroup: x (1 sub-exception)
  +-+---------------- 1 ----------------
    | ValueError: 1
    +------------------------------------
next
""",
        0,
        (0, 7),
    ),
    "python multi": (
        """\
Traceback (most recent call last):
  File "a.py", line 1, in f
    g()
pkg.errors.BadThing: first
INFO next
""",
        0,
        (0, 4),
    ),
    "node": (
        """\
/app/x.js:3
    throw new Error('boom')
    ^

Error: boom
    at f (/app/x.js:3:11)
    at Object.<anonymous> (/app/x.js:5:1) {
  code: 'E1',
  [cause]: TypeError: deep
      at g (/app/y.js:1:1)
}

Node.js v20.1.0
next job
""",
        4,
        (4, 11),
    ),
    "node uncaught head": (
        """\
Error: boom
    at f (/app/x.js:3:11)
    at async main (/app/x.js:9:3)
Server listening
""",
        0,
        (0, 3),
    ),
    "gcc": (
        """\
a.c: In function 'f':
a.c:3:5: error: 'x' undeclared (first use in this function)
    3 |     x = 1;
      |     ^
a.c:3:5: note: each undeclared identifier is reported only once
a.c:9:1: warning: unused
make: *** [a.o] Error 1
""",
        1,
        (1, 5),
    ),
    "clang": (
        """\
a.c:3:5: error: use of undeclared identifier 'x'
    x = 1;
    ^
a.c:1:5: note: declared here
int y;
    ^
2 errors generated.
next
""",
        0,
        (0, 6),
    ),
    "csharp": (
        """\
Unhandled exception. System.InvalidOperationException: bad
 ---> System.IO.IOException: inner
   at X.Y.Z() in /a/b.cs:line 3
   --- End of inner exception stack trace ---
   at X.Main() in /a/b.cs:line 9
next line
""",
        0,
        (0, 5),
    ),
    "ruby": (
        """\
a.rb:2:in `foo': boom (RuntimeError)
	from a.rb:5:in `bar'
	from a.rb:9:in `<main>'
next
""",
        0,
        (0, 3),
    ),
    "php": (
        """\
PHP Fatal error:  Uncaught Exception: x in /a.php:3
Stack trace:
#0 /a.php(7): f()
#1 {main}
  thrown in /a.php on line 3
next
""",
        0,
        (0, 5),
    ),
    "kernel": (
        """\
[ 1.0] BUG: unable to handle page fault
[ 1.0] Call Trace:
[ 1.0]  <TASK>
[ 1.0]  foo+0x1/0x2
[ 1.0]  </TASK>
[ 2.0] usb: fine
""",
        1,
        (1, 5),
    ),
    "asan": (
        """\
==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x1
READ of size 4 at 0x1 thread T0
    #0 0x1 in main a.c:3
    #1 0x2 in __libc_start_main

0x1 is located 0 bytes inside of 4-byte region
freed by thread T0 here:
    #0 0x3 in free
    #1 0x4 in main a.c:2

SUMMARY: AddressSanitizer: heap-use-after-free a.c:3 in main
next
""",
        0,
        (0, 4),
    ),
    "valgrind": (
        """\
==1== Invalid write of size 1
==1==    at 0x1: main (v.c:6)
==1==  Address 0x4 is 0 bytes after
==1==    by 0x2: mk (v.c:4)
==1==
==1== HEAP SUMMARY:
""",
        0,
        (0, 4),
    ),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_blocks_end_where_the_program_stopped_speaking(name: str) -> None:
    text, place, (start, stop) = BLOCKS[name]
    assert block_at(Log(text.splitlines()), place) == range(start, stop)
