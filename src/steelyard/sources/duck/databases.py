"""Addresses of databases and of remote files, and the DuckDB extension that each needs."""

import re
from dataclasses import dataclass

REMOTE = {
    **dict.fromkeys(("http", "https", "s3", "s3a", "s3n", "gs", "gcs", "r2", "hf"), "httpfs"),
    **dict.fromkeys(("az", "azure", "abfss"), "azure"),
}
SERVERS = {"postgres": "postgres", "postgresql": "postgres", "mysql": "mysql", "sqlite": "sqlite"}
SCHEME = re.compile(r"([a-z][a-z0-9]+):(//)?", re.IGNORECASE)


@dataclass(frozen=True)
class Database:
    """A database to attach, and the extension that it needs; None for DuckDB's own files."""

    address: str
    extension: str | None
    path: str | None = None  # as the user wrote it

    @property
    def shown(self) -> str:
        return self.path or without_password(self.address)

    def attach(self, quoted: str) -> str:
        kind = f"TYPE {self.extension}, " if self.extension else ""
        return f"ATTACH {quoted} AS data ({kind}READ_ONLY)"


def remote_extension(text: str) -> str | None:
    """The extension that reads a remote file; None for a local file."""
    scheme = SCHEME.match(text)
    return REMOTE.get(scheme[1].lower()) if scheme and scheme[2] else None


def remote_extensions_in(sql: str) -> set[str]:
    """The extensions that the addresses in an SQL text need."""
    return {REMOTE[s] for s in re.findall(r"\b([a-z0-9]+)://", sql) if s in REMOTE}


def server(text: str) -> Database | None:
    """The database of an address; None if it is not one.

    >>> server("sqlite:logs.db").address
    'logs.db'
    """
    scheme = SCHEME.match(text)
    extension = SERVERS.get(scheme[1].lower()) if scheme else None
    if scheme is None or extension is None:
        return None
    return Database(text[scheme.end() :] if extension == "sqlite" else text, extension)


def without_password(address: str) -> str:
    """An address without its password.

    >>> without_password("postgres://ada:secret@host/logs")
    'postgres://ada:...@host/logs'
    """
    return re.sub(r"(//[^:/@]*):[^@/]*@", r"\1:...@", address)
