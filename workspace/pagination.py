"""Lists a page at a time, by cursor: a row added meanwhile is neither skipped nor shown twice."""

from __future__ import annotations

from rest_framework.pagination import CursorPagination


class CursorPages(CursorPagination):
    """Answers `{next, previous, results}`. A view's `ordering` names columns that only ever grow, newest first."""

    ordering: str | tuple[str, ...] = "-pk"
    page_size = 50
    max_page_size = 200
    page_size_query_param = "limit"
