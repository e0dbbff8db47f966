"""The SQLite file itself: its schema, how older ones are brought up to date, and which files are refused."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dabhand.errors import StoreError

_APPLICATION_ID = 0x64616268  # "dabh", so that another program's SQLite file is never taken for a store
_BUSY_SECONDS = 30.0
_ELSEWHERE = "Name another folder with --store."

# One entry per schema version; a store of version n has had the first n applied. Never edit one, only append.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE experiments (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            template TEXT NOT NULL,
            slots TEXT NOT NULL,
            before TEXT NOT NULL,
            changes TEXT NOT NULL,
            ok INTEGER NOT NULL,
            exit_code INTEGER,
            stdout BLOB NOT NULL,
            stdout_complete INTEGER NOT NULL,
            origin TEXT NOT NULL,
            seed INTEGER NOT NULL,
            time REAL NOT NULL)""",
        """CREATE TABLE beliefs (
            template TEXT NOT NULL,
            kind TEXT NOT NULL,
            payload BLOB NOT NULL,
            based_on INTEGER NOT NULL,
            fingerprint TEXT NOT NULL,
            PRIMARY KEY (template, kind)) WITHOUT ROWID""",
        """CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID""",
        """CREATE TABLE runs (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            request TEXT NOT NULL,
            root TEXT NOT NULL,
            document TEXT NOT NULL,
            time REAL NOT NULL)""",
    ),
    (
        """CREATE TABLE goal_shapes (
            shape TEXT PRIMARY KEY,
            goal TEXT NOT NULL,
            origin TEXT NOT NULL,
            example TEXT NOT NULL,
            uses INTEGER NOT NULL,
            time REAL NOT NULL) WITHOUT ROWID""",
        """CREATE TABLE exams (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            suite TEXT NOT NULL,
            seed INTEGER NOT NULL,
            document TEXT NOT NULL,
            time REAL NOT NULL)""",
    ),
)


def open_file(file: Path) -> sqlite3.Connection:
    """Connect to the store's file, making it and its folder where they are missing.

    Raises:
        StoreError: as `Store.open` says.
    """
    _refuse_newer(file, _version_in_header(file))
    _make(file)
    with faults(file):
        connection = sqlite3.connect(file, timeout=_BUSY_SECONDS, isolation_level=None)
        connection.text_factory = _text
        try:
            _prepare(connection, file)
        except BaseException:
            connection.close()
            raise
    return connection


def _make(file: Path) -> None:
    """Make what is missing so that only its owner may look: SQLite gives its log the permissions of the file."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError as error:
        raise StoreError(f"The store folder {str(file.parent)!r} is not a folder.", _ELSEWHERE) from error
    except OSError as error:
        raise StoreError(
            f"The store folder {str(file.parent)!r} cannot be made: {error.strerror}.", _ELSEWHERE
        ) from error
    try:
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise StoreError(f"The store {str(file)!r} cannot be written: {error.strerror}.", _ELSEWHERE) from error


def _keep_private(file: Path) -> None:
    """Take the permissions of others from a store that was made before stores were private."""
    for name in (file, file.with_name(file.name + "-wal"), file.with_name(file.name + "-shm")):
        try:
            found = name.stat()
            if found.st_mode & 0o077 and found.st_uid == os.geteuid():
                name.chmod(0o600)
        except FileNotFoundError:  # the log comes and goes with those who use the store
            continue
        except OSError as error:
            raise StoreError(f"{str(name)!r} cannot be made private: {error.strerror}.", _ELSEWHERE) from error


def _text(data: bytes) -> str:
    """Text as the file has it, so that one damaged row is no fault of all the others."""
    return data.decode("utf-8", "surrogateescape")


def _version_in_header(file: Path) -> int:
    """The schema version that a file's header names (https://sqlite.org/fileformat2.html, offset 60); 0 without a file.

    Read without SQLite, because even opening a file with it may tidy its write-ahead log.
    """
    try:
        with file.open("rb") as stream:
            header = stream.read(100)
    except FileNotFoundError:
        return 0
    except OSError as error:
        raise StoreError(f"The store {str(file)!r} cannot be read: {error.strerror}.", _ELSEWHERE) from error
    if header and not header.startswith(b"SQLite format 3\0"):
        raise StoreError(f"{str(file)!r} is not a dabhand store.", _ELSEWHERE)
    return int.from_bytes(header[60:64], "big")


def _refuse_newer(file: Path, version: int) -> None:
    if version > len(MIGRATIONS):
        raise StoreError(
            f"The store {str(file)!r} is of version {version}; this dabhand knows versions up to {len(MIGRATIONS)}.",
            "Update dabhand, or name another folder with --store.",
        )


def _prepare(connection: sqlite3.Connection, file: Path) -> None:
    version = _accepted_version(connection, file)
    _keep_private(file)
    _write_ahead(connection)
    connection.execute("PRAGMA synchronous=NORMAL")
    if version < len(MIGRATIONS):
        _migrate(connection, file)


def _accepted_version(connection: sqlite3.Connection, file: Path) -> int:
    """The version of a file that is ours, or new; all of it read from one moment, as another process may be making it.

    Raises:
        StoreError: a newer dabhand or another program made it.
    """
    connection.execute("BEGIN")
    try:
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        version = _schema_version(connection)
    finally:
        connection.execute("ROLLBACK")
    _refuse_newer(file, version)
    if application != _APPLICATION_ID and (version or tables):
        raise StoreError(f"{str(file)!r} belongs to another program.", _ELSEWHERE)
    return version


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch the log on, which needs the file alone: SQLite does not wait for that by itself, so several tries."""
    deadline = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.005)


def _schema_version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _migrate(connection: sqlite3.Connection, file: Path) -> None:
    """Bring the schema up to date, all or nothing; a second process that came at the same time finds it done."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _schema_version(connection)
        _refuse_newer(file, version)
        for statements in MIGRATIONS[version:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextmanager
def faults(file: Path) -> Iterator[None]:
    """Say what SQLite complains about as a `StoreError` that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"The store {str(file)!r} cannot be used: {error}.", _hint(file)) from error


def _hint(file: Path) -> str:
    folder = file.parent
    if not os.access(folder, os.W_OK):
        return "Its folder must be writable; name another with --store."
    return "If another process holds it, wait for that one; if the file is damaged, name another folder with --store."
