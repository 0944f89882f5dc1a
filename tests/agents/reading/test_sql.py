from __future__ import annotations

import pytest

from agents.errors import ToolError
from agents.reading.sql import LONGEST, demand_condition, demand_query, quoted


@pytest.mark.parametrize(
    "query",
    [
        "SELECT 1",
        "select name from users where note = 'delete; -- this' ;",
        'SELECT "update", `drop`, [create] FROM t',
        "SELECT 'it''s', \"a\"\"b\" FROM t WHERE x IN (SELECT y FROM z)",
        "SELECT 'sqlite_master'",
    ],
)
def test_one_plain_select_may_run(query: str) -> None:
    assert demand_query(query) == query.strip().removesuffix(";").rstrip()


@pytest.mark.parametrize(
    "query",
    [
        "",
        "WITH x AS (SELECT 1) SELECT * FROM x",
        "SELECTED",
        "DELETE FROM t",
        "SELECT 1; SELECT 2",
        "SELECT 1;;",
        "SELECT 1 -- comment",
        "SELECT /* comment */ 1",
        "SELECT 1 UNION SELECT 2",
        "SELECT 1 intersect SELECT 2",
        "SELECT load_extension('x')",
        "SELECT * FROM sqlite_master",
        "SELECT * FROM SQLITE_SCHEMA s",
        'SELECT * FROM "sqlite_master"',
        "SELECT * FROM [sqlite_master]",
        "SELECT * FROM `sqlite_temp_master`",
        "SELECT * FROM pragma_table_info('t')",
        "SELECT 'never closed",
        'SELECT "never closed',
        "SELECT [never closed",
        "SELECT (1",
        "SELECT 1)",
        "SELECT 1\0",
        "SELECT " + "1" * LONGEST,
    ],
)
def test_any_other_query_is_invalid(query: str) -> None:
    with pytest.raises(ToolError, match="invalid raw query"):
        demand_query(query)


@pytest.mark.parametrize("condition", ["age > 5", "name = 'LIMIT 5'", "(a = 1 OR b IS NULL) AND c LIKE '%--%'", '"limit" = 3'])
def test_one_condition_may_filter(condition: str) -> None:
    assert demand_condition(condition) == condition


@pytest.mark.parametrize(
    "condition",
    [
        " ",
        "1 LIMIT 5",
        "1 OFFSET 2",
        "id IN (SELECT 1)",
        "1) UNION (1",
        "1) OR (1",
        "1; DROP TABLE t",
        "1 -- rest",
        "pragma",
        "'open",
        "sqlite_version() > ''",
    ],
)
def test_what_is_more_than_a_condition_is_an_invalid_filter(condition: str) -> None:
    with pytest.raises(ToolError, match="invalid where filter"):
        demand_condition(condition)


def test_a_name_is_quoted_whatever_it_holds() -> None:
    assert quoted('a"; DROP TABLE b; --') == '"a""; DROP TABLE b; --"'
