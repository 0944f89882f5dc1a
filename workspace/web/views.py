"""Pages that Django draws itself: the boot page of the front end, and what is said when something is wrong."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from workspace.problems import problem_body
from workspace.web.manifest import built_assets

WORDS = {
    HTTPStatus.BAD_REQUEST: ("invalid", "That request makes no sense here", "Go back and try again."),
    HTTPStatus.FORBIDDEN: ("forbidden", "You may not do this", "Your page may be out of date: reload it and try again."),
    HTTPStatus.NOT_FOUND: ("missing", "There is nothing here", "It does not exist, or it is not for you to see."),
    HTTPStatus.INTERNAL_SERVER_ERROR: ("error", "Something broke", "The fault is ours, and it is in the server's log."),
}


@require_safe
@never_cache
@ensure_csrf_cookie
def app(request: HttpRequest) -> HttpResponse:
    """The same page for every address of the front end; the front end knows which of its own to show."""
    assets = built_assets()
    if assets is None:
        return render(request, "web/not_built.html", status=HTTPStatus.SERVICE_UNAVAILABLE)
    return render(request, "web/app.html", {"assets": assets})


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


def _wrong(request: HttpRequest, status: HTTPStatus) -> HttpResponse:
    kind, title, detail = WORDS[status]
    if request.path.startswith("/api/"):
        return JsonResponse(problem_body(kind, title, detail), status=status)
    return render(request, "web/error.html", {"status": status.value, "title": title, "detail": detail}, status=status)
