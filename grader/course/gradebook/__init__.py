"""The gradebook: SQLite behind a small interface. Other parts read and write rows, never SQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TypeVar

from grader.course.errors import BatchError
from grader.course.gradebook.rows import Change, Found, Grade, History, Job, Row, Run, Similarity, Student, Submitted, Test, to_python

__all__ = ["Gradebook", "Change", "Found", "Grade", "History", "Job", "Row", "Run", "Similarity", "Student",
           "Submitted", "Test", "FILE_NAME"]

FILE_NAME = "gradebook.sqlite"
VERSION = 2
APPLICATION = 0x57424B31  # "WBK1": tells a gradebook from any other SQLite file.
SCHEMA = Path(__file__).with_name("schema.sql")

Kind = TypeVar("Kind", bound=Row)


class Gradebook:
    """A gradebook file. Rows written inside `with transaction()` are stored all or not at all, whatever ends the
    process."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._insertions: dict[type[Row], tuple[list[str], str]] = {}
        self.path = path

    @classmethod
    def create(cls, path: Path) -> Gradebook:
        """Opens a gradebook for reading and writing, a new one if there is none. @throws BatchError"""
        path.parent.mkdir(parents=True, exist_ok=True)
        book = cls(cls._connect(f"{path.resolve().as_uri()}?mode=rwc", path), path)
        with book.transaction():
            if book._pragma("user_version") == 0 and not book._tables():
                for statement in _statements(SCHEMA.read_text(encoding="utf-8")):
                    book._connection.execute(statement)
                book._connection.execute(f"PRAGMA application_id = {APPLICATION}")
                book._connection.execute(f"PRAGMA user_version = {VERSION}")
        book._check()
        return book

    @classmethod
    def open(cls, path: Path) -> Gradebook:
        """Opens a gradebook for reading. @throws BatchError if there is none or it is not a gradebook"""
        if not path.is_file() or path.stat().st_size == 0:  # Empty: a grader was killed before it wrote anything.
            raise BatchError(f"{path}: there is no gradebook; "
                             f"`warpbook grade SUBMISSIONS --out {path.parent}` makes it")
        if path.with_name(path.name + "-journal").exists():  # A writer was killed: only a writer can roll back.
            cls(cls._connect(f"{path.resolve().as_uri()}?mode=rw", path), path).close()
        book = cls(cls._connect(f"{path.resolve().as_uri()}?mode=ro", path), path)
        book._check()
        return book

    @staticmethod
    def _connect(uri: str, path: Path) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=60)
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = FULL")
            # Is it a database? This also rolls back unfinished changes.
            connection.execute("SELECT * FROM sqlite_master").fetchone()
            return connection
        except sqlite3.OperationalError as error:
            raise BatchError(f"{path}: cannot be opened ({error}); is the folder writable?") from None
        except sqlite3.Error as error:
            raise _damaged(path, error) from None

    def _pragma(self, name: str) -> int:
        return int(self._connection.execute(f"PRAGMA {name}").fetchone()[0])

    def _tables(self) -> list[str]:
        return [name for name, in self._connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]

    def _check(self) -> None:
        try:
            application, version = self._pragma("application_id"), self._pragma("user_version")
        except sqlite3.Error as error:
            raise _damaged(self.path, error) from None
        if application != APPLICATION:
            raise BatchError(f"{self.path}: is a database, but no gradebook; choose another folder")
        if version != VERSION:
            raise BatchError(f"{self.path}: gradebook of version {version}, but this warpbook reads version {VERSION}; "
                             "use the warpbook that wrote it, or grade into a new folder")

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Gradebook:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing. @throws BatchError if the file cannot be written (disk full, no permission)"""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                if self._connection.in_transaction:  # SQLite itself has ended it if the disk is full.
                    self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            raise BatchError(f"{self.path}: cannot be written ({error}); this step was rolled back") from None
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.IntegrityError):
                raise
            raise _damaged(self.path, error) from None

    def read(self, kind: type[Kind], **where: object) -> list[Kind]:
        """The rows of a table, in its order: `book.read(Grade, lab="coalescing")`."""
        columns = [field.name for field in fields(kind)]
        condition = " AND ".join(f"{column} IS ?" for column in where)
        query = (f"SELECT {', '.join(columns)} FROM {kind.TABLE}{' WHERE ' + condition if where else ''} "
                 f"ORDER BY {kind.ORDER}")
        return [kind(*(to_python(column, value) for column, value in zip(columns, row)))
                for row in self._connection.execute(query, tuple(where.values()))]

    def write(self, rows: Iterable[Row]) -> None:
        """Adds rows; one with the key of an older row replaces it. Call it inside transaction()."""
        for row in rows:
            columns, statement = self._insertion(type(row))
            self._connection.execute(statement, tuple(_storable(getattr(row, name)) for name in columns))

    def _insertion(self, kind: type[Row]) -> tuple[list[str], str]:
        """Columns of a table, and the statement that writes a row of it."""
        if kind not in self._insertions:
            columns = [field.name for field in fields(kind)]
            keys = [name for name, key in self._primary_key(kind.TABLE) if key and name != "id"]
            updates = ", ".join(f"{name} = excluded.{name}" for name in columns if name not in keys)
            on_conflict = f" ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {updates}" if keys else ""
            statement = (f"INSERT INTO {kind.TABLE} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
                         f"{on_conflict}")
            self._insertions[kind] = columns, statement
        return self._insertions[kind]

    def _primary_key(self, table: str) -> list[tuple[str, int]]:
        return [(name, key) for _, name, *_, key in self._connection.execute(f"PRAGMA table_info({table})")]

    def delete(self, kind: type[Row], **where: object) -> None:
        """Removes the rows that match all of `where`; without it, all rows. Call it inside transaction()."""
        condition = " AND ".join(f"{column} IS ?" for column in where)
        self._connection.execute(f"DELETE FROM {kind.TABLE}{' WHERE ' + condition if where else ''}",
                                 tuple(where.values()))

    def course(self, key: str, default: str = "") -> str:
        row = self._connection.execute("SELECT value FROM course WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else default

    def set_course(self, key: str, value: str) -> None:
        """Call it inside transaction()."""
        self._connection.execute(
            "INSERT INTO course VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (key, value))

    def chosen(self) -> dict[tuple[str, str], Submitted]:
        """The submission that counts, by student and lab."""
        return {(row.student, row.lab): row for row in self.read(Submitted, chosen=True)}


def _storable(value: object) -> object:
    """Names of files may contain bytes that are not text; they must not keep a row out of the gradebook."""
    return value.encode("utf-8", "backslashreplace").decode("utf-8") if isinstance(value, str) else value


def _damaged(path: Path, error: sqlite3.Error) -> BatchError:
    return BatchError(f"{path}: is not a gradebook or is damaged ({error}); move it away and grade again (finished jobs "
                      "are kept beside it)")


def _statements(script: str) -> list[str]:
    """The statements of a script: executescript() would end the transaction."""
    statements, current = [], ""
    for line in script.splitlines(keepends=True):
        current += line
        if sqlite3.complete_statement(current):
            statements.append(current)
            current = ""
    return statements
