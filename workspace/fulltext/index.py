"""One table's full-text index: how it is made by a migration, and what it finds.

SQLite keeps an FTS5 table beside the table, in step by triggers; PostgreSQL a generated tsvector column with a GIN index.
Django makes a SQLite table anew for some changes and drops its triggers with the old one: a migration that changes an
indexed table ends with `installed(…)` again. The tests that change a row and find it by its new words tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from django.db import connection
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython
from django.db.models import BigIntegerField, QuerySet
from django.db.models.expressions import RawSQL

from workspace.fulltext.terms import MOST_TERMS, Term

Found = TypeVar("Found", bound=QuerySet[Any])
SPLIT = "".join(chr(code) for code in range(33, 127) if not chr(code).isalnum())
"""PostgreSQL takes src/parser.py for one word; with these replaced by spaces it is three, as in SQLite."""
MOST_INDEXED = 200_000
"""Characters of a column that PostgreSQL indexes: a tsvector has a bound, and a row must not be refused for it."""
PARTS = 1_000_000_000
"""Relevance is kept as a whole number of these parts, so that a cursor can name it exactly."""


@dataclass(frozen=True)
class Index:
    """`columns` by what a word in them weighs, the heaviest first; those in `lists` hold JSON lists of strings.

    `copied`: SQLite keeps the words themselves too, as it must for lists.
    """

    table: str
    columns: Mapping[str, float]
    lists: Sequence[str] = field(default=())

    @property
    def twin(self) -> str:
        return f"{self.table}_fulltext"

    # --- finding -------------------------------------------------------------------------------------------------------

    def holding(self, terms: Sequence[Term]) -> RawSQL:
        """The primary keys of the rows that hold any of the terms; to be used as `pk__in`."""
        if connection.vendor == "sqlite":
            return RawSQL(f'SELECT rowid FROM "{self.twin}" WHERE "{self.twin}" MATCH %s', [_fts5(terms)])  # noqa: S608,S611
        found = f"SELECT id FROM {self.table} WHERE fulltext @@ to_tsquery('countersign', %s)"  # noqa: S608
        return RawSQL(found, [_tsquery(terms)])  # noqa: S611

    def ranked(self, rows: Found, terms: Sequence[Term]) -> Found:
        """Those of the rows that hold any of the terms, with `relevance`.

        It is the greater, the more of the terms a row holds; among as many, the rarer they are (in SQLite), the more they
        weigh and the more of the text they make up.
        """
        lite = connection.vendor == "sqlite"
        found: QuerySet[Any] = rows
        asked = _fts5(terms) if lite else _tsquery(terms)
        if lite:
            where = [f'"{self.twin}" MATCH %s', f'"{self.twin}".rowid = "{self.table}".id']
            found = found.extra(tables=[self.twin], where=where, params=[asked])  # noqa: S610 — made of names of ours
        else:
            found = found.extra(where=[f"\"{self.table}\".fulltext @@ to_tsquery('countersign', %s)"], params=[asked])  # noqa: S610
        score, given = self._sqlite_score(terms) if lite else self._pg_score(terms, asked)
        relevance = RawSQL(f"CAST(({score}) * {PARTS} AS {'INTEGER' if lite else 'bigint'})", given, BigIntegerField())  # noqa: S611
        return cast("Found", found.annotate(relevance=relevance))

    def _sqlite_score(self, terms: Sequence[Term]) -> tuple[str, list[str]]:
        """How many of the terms it holds, and a part of one for how well it holds them."""
        weights = ", ".join(str(weight) for weight in self.columns.values())
        rank = f'bm25("{self.twin}", {weights})'
        holds = f'("{self.table}".id IN (SELECT rowid FROM "{self.twin}" WHERE "{self.twin}" MATCH %s))'  # noqa: S608
        counted = _counted(terms)
        return " + ".join([f"{rank} / ({rank} - 1)", *([holds] * len(counted))]), [_fts5([term]) for term in counted]

    def _pg_score(self, terms: Sequence[Term], asked: str) -> tuple[str, list[str]]:
        column = f'"{self.table}".fulltext'
        rank = f"ts_rank('{{{self._pg_weights()}}}', {column}, to_tsquery('countersign', %s), 1 | 32)"
        holds = f"CAST({column} @@ to_tsquery('countersign', %s) AS integer)"
        counted = _counted(terms)
        return " + ".join([rank, *([holds] * len(counted))]), [asked, *(_tsquery([term]) for term in counted)]

    def _pg_weights(self) -> str:
        """Of D, C, B and A, at most 1 each."""
        most = max(self.columns.values())
        weights = [weight / most for weight in self.columns.values()]
        return ", ".join(f"{weight:.3f}" for weight in reversed(weights + [0.1] * (4 - len(weights))))

    # --- making --------------------------------------------------------------------------------------------------------

    def sqlite(self) -> list[str]:
        names = ", ".join(self.columns)
        new, old = (", ".join(self._as_text(column, row) for column in self.columns) for row in ("new", "old"))
        table, twin = self.table, self.twin
        kept = "" if self.lists else f", content='{table}', content_rowid='id'"
        put = f"INSERT INTO {twin}(rowid, {names}) VALUES (new.id, {new});"  # noqa: S608
        gone = f"DELETE FROM {twin} WHERE rowid = old.id;"  # noqa: S608
        if not self.lists:
            gone = f"INSERT INTO {twin}({twin}, rowid, {names}) VALUES ('delete', old.id, {old});"  # noqa: S608
        all_rows = ", ".join(self._as_text(column, table) for column in self.columns)
        return [
            f"CREATE VIRTUAL TABLE {twin} USING fts5({names}{kept}, tokenize='porter unicode61 remove_diacritics 2')",
            f"INSERT INTO {twin}(rowid, {names}) SELECT id, {all_rows} FROM {table}",  # noqa: S608
            f"CREATE TRIGGER {twin}_put AFTER INSERT ON {table} BEGIN {put} END",
            f"CREATE TRIGGER {twin}_gone AFTER DELETE ON {table} BEGIN {gone} END",
            f"CREATE TRIGGER {twin}_changed AFTER UPDATE OF {names} ON {table} BEGIN {gone} {put} END",
        ]

    def _as_text(self, column: str, row: str) -> str:
        name = f"{row}.{column}"
        return f"(SELECT group_concat(value, ' ') FROM json_each({name}))" if column in self.lists else name  # noqa: S608

    def postgresql(self) -> list[str]:
        split, spaces = SPLIT.replace("'", "''"), " " * len(SPLIT)
        vectors = [
            f"setweight(to_tsvector('countersign', translate(left({column}::text, {MOST_INDEXED}), '{split}', '{spaces}')), '{letter}')"
            for column, letter in zip(self.columns, "ABCD", strict=False)
        ]
        return [
            WORDS_OF_OURS,
            f"ALTER TABLE {self.table} ADD COLUMN fulltext tsvector GENERATED ALWAYS AS ({' || '.join(vectors)}) STORED",
            f"CREATE INDEX {self.twin} ON {self.table} USING gin (fulltext)",
        ]

    def dropped(self, vendor: str) -> list[str]:
        if vendor == "sqlite":
            triggers = [f"DROP TRIGGER IF EXISTS {self.twin}_{when}" for when in ("put", "gone", "changed")]
            return [*triggers, f"DROP TABLE IF EXISTS {self.twin}"]
        return [f"DROP INDEX IF EXISTS {self.twin}", f"ALTER TABLE {self.table} DROP COLUMN IF EXISTS fulltext"]


WORDS_OF_OURS = """
DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_ts_config WHERE cfgname = 'countersign' AND pg_ts_config_is_visible(oid)) THEN
    CREATE TEXT SEARCH DICTIONARY countersign_stem (TEMPLATE = snowball, LANGUAGE = english);
    CREATE TEXT SEARCH CONFIGURATION countersign (COPY = pg_catalog.english);
    ALTER TEXT SEARCH CONFIGURATION countersign ALTER MAPPING REPLACE english_stem WITH countersign_stem;
  END IF;
END $$
"""
"""English word forms without a list of words to leave out: what is too frequent to help is the query's business, in both databases."""


def installed(index: Index) -> RunPython:
    """The migration that makes the index, anew where there is one."""

    def forwards(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
        vendor = editor.connection.vendor
        for statement in [*index.dropped(vendor), *(index.sqlite() if vendor == "sqlite" else index.postgresql())]:
            editor.execute(statement, None)

    def backwards(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
        for statement in index.dropped(editor.connection.vendor):
            editor.execute(statement, None)

    return RunPython(forwards, backwards)


def _counted(terms: Sequence[Term]) -> Sequence[Term]:
    """One term needs no counting, and more than a person types are left to the rank."""
    return terms if 1 < len(terms) <= MOST_TERMS else ()


def _fts5(terms: Sequence[Term]) -> str:
    """Words hold letters and digits only, so that none can be syntax."""
    return " OR ".join(f'"{" ".join(term.words)}"{" *" if term.open else ""}' for term in terms)


def _tsquery(terms: Sequence[Term]) -> str:
    phrases = [" <-> ".join(f"'{word}'" for word in term.words) + (":*" if term.open else "") for term in terms]
    return " | ".join(f"({phrase})" for phrase in phrases)
