"""Pages that Django draws itself: the boot page of the front end, and what is said when something is wrong."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from workspace.problems import problem_body

WORDS = {
    HTTPStatus.BAD_REQUEST: ("invalid", "That request makes no sense here", "Go back and try again."),
    HTTPStatus.FORBIDDEN: ("forbidden", "You may not do this", "Your page may be out of date: reload it and try again."),
    HTTPStatus.NOT_FOUND: ("missing", "There is nothing here", "It does not exist, or it is not for you to see."),
    HTTPStatus.INTERNAL_SERVER_ERROR: ("error", "Something broke", "The fault is ours, and it is in the server's log."),
}


def _wrong(request: HttpRequest, status: HTTPStatus) -> HttpResponse:
    kind, title, detail = WORDS[status]
    if request.path.startswith("/api/"):
        return JsonResponse(problem_body(kind, title, detail), status=status)
    return render(request, "web/error.html", {"status": status.value, "title": title, "detail": detail}, status=status)


@login_not_required
def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _wrong(request, HTTPStatus.BAD_REQUEST)


@login_not_required
def forbidden(request: HttpRequest, exception: Exception | None = None, reason: str = "") -> HttpResponse:
    """Also shown when the anti-forgery token is missing, hence `reason`."""
    return _wrong(request, HTTPStatus.FORBIDDEN)


@login_not_required
def missing(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _wrong(request, HTTPStatus.NOT_FOUND)


@login_not_required
def broken(request: HttpRequest) -> HttpResponse:
    return _wrong(request, HTTPStatus.INTERNAL_SERVER_ERROR)
