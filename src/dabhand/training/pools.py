"""Names, words and numbers that requests are made of; those of the test occur in no other side."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec


class Pool(msgspec.Struct, frozen=True):
    """What one side draws from."""

    stems: Sequence[str]
    folders: Sequence[str]
    endings: Sequence[str]
    words: Sequence[str]
    phrases: Sequence[str]
    keys: Sequence[str]
    awkward: Sequence[str]
    patterns: Sequence[str]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(text.split("; "))


_TRAIN = Pool(
    stems=_words(
        "notes build report main records summary index server config readme access error test results users orders "
        "report-2024 data train model setup session output backup draft journal songs invoice todo log dump cache "
        "package settings utils helper routes schema worker deploy install query budget names words animals rivers "
        "cities letter poem list table plan stock prices weather score01 chapter_2 part3 x y1 tmp.old app.min api "
        "authors books recipes members quotes history contacts events grades tasks planets tools colors queue"
    ),
    folders=_words(
        "src docs data logs lib tools tests build/out var/log src/app www public assets scripts etc home/ann/work "
        "vendor bin config/local a/b/c images music old backups project server/routes pkg cmd internal my-app archive "
        "reports/q1 uploads inbox drafts .github templates static node_modules"
    ),
    endings=_words(
        ".txt .log .md .csv .json .py .js .sh .c .h .html .xml .toml .yaml .yml .conf .cfg .ini .ts .go .rs .java .sql "
        ".bak .tmp .out .php .css .jpg .png .pdf .mp3 .zip .gz .rb .cpp .dat .tex .svg .lock .old"
    ),
    words=_words(
        "error ERROR warning TODO FIXME timeout failed import export return admin login password token user John "
        "apple banana retry connection refused success 404 500 null None true main() def class index id= http:// "
        "localhost 127.0.0.1 version v1.2 debug trace exception Exception panic OOM disk memory cpu GET POST select "
        "insert a.b foo bar baz qux x=1 user_id red green blue north Paris invoice total amount checksum CRITICAL "
        "deprecated assert static const async await println #include @param $HOME 42 3.14 e-mail ann@example.org "
        "retries alpha beta gamma omega kernel eth0 sshd cron systemd nginx started stopped ready pending done"
    ),
    phrases=_phrases(
        "connection refused; out of memory; no such file; disk is full; build failed; hello world; access denied; "
        "not found; user logged in; exit code 1; TODO: clean up; permission denied; retry later; invalid token; "
        "see you soon; John Smith; red apples; the quick fox; half past nine; key = value; to be continued; page two; "
        "import os; return None; session expired; thank you; segmentation fault; it's late; 100% done; all tests pass"
    ),
    keys=_words(
        "version name license author main description private port host scripts dependencies homepage title type id "
        "email theme language timeout retries enabled debug created owner channel timezone max_size apiKey"
    ),
    awkward=(
        "my notes.txt", "build [draft]'s.log", "a&b.csv", "report (final).md", "über.txt", "x;y.log", "50% off.txt",
        "it's here.txt", "two  spaces.log", "#tags.md", "$cash.csv", "-dash.txt", "naïve.py", "tab+plus.json",
        "old logs.log", "photo album.json", "Данные.txt", "résumé 2.md",
    ),
    patterns=(
        "^ERROR", "[0-9]+", "^a.*b$", "fail(ed|ure)", "\\bfoo\\b", "^#", "v[0-9]+\\.[0-9]+", "time=[0-9]+ms", "^\\s*$",
        "user_[a-z]+", "(GET|POST) /api", "[A-Z]{3}", "warn(ing)?", "^import ", ";$", "id=\\d+", "colou?r", "x.y",
        "error|warning", "^def ", "TODO|FIXME", "[aeiou]{2}",
    ),
)  # fmt: skip

_TEST = Pool(
    stems=_words(
        "ledger harvest console kernel-boot catalogue manifest inventory syslog2 audit minutes essay playlist "
        "customers shipments metrics gateway billing nightly-run parser tokenizer sensors trips birds castles menu "
        "glossary changelog firmware voters lyrics timetable payroll roster"
    ),
    folders=_words(
        "backend frontend opt/tool research shared/team monitoring firmware/v2 crates notebooks exports/2025 "
        "site/content mirror kitchen tickets releases"
    ),
    endings=_words(".text .lst .mk .scss .kt .swift .rst .wav .tar .env .props .tsv .vue .lua .flac .gif .bz2"),
    words=_words(
        "rejected overflow heartbeat Quarterly checkpoint CHECKPOINT_7 rollback mango Berlin 403 dropped_packets "
        "compute_total getUser latency shard replica stderr unresolved velvet Ingrid ratatouille fork() mutex yield "
        "printf 192.168.0.7 tls handshake umbrella subtotal"
    ),
    phrases=_phrases(
        "handshake failed; quarterly overview; broken pipe; no space left; certificate expired; green tea; "
        "unknown host; Ingrid Bauer; cannot allocate; next of kin; queue is empty; rolled back"
    ),
    keys=_words("engine maintainer revision locale entry bugs region quota expires colour_mode publisher"),
    awkward=("tax return 2025.txt", "o'neill.csv", "plan {b}.log", "façade.md", "a=b.json", "new folder.txt",
             "¿qué.log", "[1].json"),
    patterns=("^WARN", "[0-9]{4}-[0-9]{2}", "time(out|d out)", "\\bvar\\b", "^//", "port [0-9]+", "\\.$", "ab+c",
              "(yes|no)$", "^--"),
)  # fmt: skip

POOLS = {"train": _TRAIN, "validation": _TRAIN, "test": _TEST}
"""What each side draws from; validation differs from training in its wordings alone."""

_SMALL = _words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = {20: "twenty", 30: "thirty", 40: "forty", 50: "fifty", 60: "sixty", 70: "seventy", 80: "eighty", 90: "ninety"}
_FIRST = _words(
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)


def number_words(number: int) -> str:
    """A number below 100 in words, others in digits."""
    if number < len(_SMALL):
        return _SMALL[number]
    if number >= 100:
        return "a hundred" if number == 100 else str(number)
    tens, ones = divmod(number, 10)
    return _TENS[tens * 10] + (f"-{_SMALL[ones]}" if ones else "")


def ordinal(number: int, rng: random.Random) -> str:
    """The place of something: third, or 3rd."""
    if number < len(_FIRST) and rng.random() < 0.6:
        return _FIRST[number]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def some_number(rng: random.Random, most: int = 200) -> int:
    """A number as people ask for: small ones and round ones are more frequent."""
    kind = rng.random()
    if kind < 0.45:
        return rng.randint(2, min(12, most))
    if kind < 0.75:
        return min(most, rng.choice((5, 10, 15, 20, 25, 30, 40, 50, 100)))
    return rng.randint(2, most)
