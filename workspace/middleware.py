"""Refusals raised by plain pages become pages; the API has its own way (`workspace/problems.py`)."""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from workspace.errors import AppError
from workspace.problems import STATUS


class SayRefusals:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "%00" in request.get_full_path():  # no database takes a NUL, and nothing of ours has one in its address
            raise SuspiciousOperation("a NUL in the address")
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, raised: Exception) -> HttpResponse | None:
        if not isinstance(raised, AppError):
            return None
        status = STATUS[raised.kind]
        return render(request, "web/error.html", {"status": status, "title": raised.title, "detail": raised.detail}, status=status)
