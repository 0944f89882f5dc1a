"""How people come in and go out: password, one-time link, invitation, sign-out."""

from __future__ import annotations

from django.contrib.auth import authenticate, login, logout, update_session_auth_hash
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from workspace.accounts import actions, credentials
from workspace.accounts.models import User
from workspace.accounts.throttle import client_address, forget_failures, note_failure, refuse_if_throttled
from workspace.errors import AppError, Invalid, Missing
from workspace.problems import STATUS
from workspace.web.forms import NewcomerForm, PasswordForm, SignInForm

BACKEND = "django.contrib.auth.backends.ModelBackend"


@login_not_required
@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    then = safe_address(request, request.POST.get("next") or request.GET.get("next", ""))
    if request.user.is_authenticated and request.method == "GET":
        return HttpResponseRedirect(then)
    form = SignInForm(request.POST or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            login(request, _by_password(request, form.cleaned_data["username"], form.cleaned_data["password"]), BACKEND)
            return HttpResponseRedirect(then)
        except AppError as refused:
            form.add_error(None, f"{refused.title}. {refused.detail}")
            status = STATUS[refused.kind]
    return render(request, "web/sign_in.html", {"form": form, "next": then}, status=status)


def _by_password(request: HttpRequest, username: str, password: str) -> User:
    """Raises Busy after too many attempts, Invalid for a wrong name or password (and does not say which)."""
    address = client_address(request)
    refuse_if_throttled(username, address)
    known = User.objects.filter(username__iexact=username.strip()).first()
    person = authenticate(request, username=known.username if known else username, password=password)
    if not isinstance(person, User):
        note_failure(username, address)
        raise Invalid("That is not right", "The user name or the password is wrong.")
    forget_failures(username, address)
    return person


@login_not_required
@never_cache
@require_GET
def sign_in_link(request: HttpRequest, token: str) -> HttpResponse:
    """Signs in by being opened; browsers that only fetch ahead do not count as opening."""
    if "prefetch" in request.headers.get("Sec-Purpose", request.headers.get("Purpose", "")):
        return HttpResponse(status=204)
    link = credentials.use_sign_in_link(token)
    logout(request)
    login(request, link.user, BACKEND)
    return HttpResponseRedirect(safe_address(request, link.next))


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("sign_in")


@require_POST
def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    credentials.sign_out_everywhere(_person(request))
    logout(request)
    return redirect("sign_in")


@login_not_required
@never_cache
@sensitive_post_parameters("password", "again")
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Whoever is signed in joins with one button; anybody else makes an account, or signs in first."""
    invited = actions.open_invitation(token)
    if request.user.is_authenticated:
        if request.method == "POST":
            actions.accept_invitation(token, _person(request))
            return redirect("/")
        return render(request, "web/join.html", {"invited": invited})
    form = NewcomerForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and (person := _newcomer(token, form)):
        login(request, person, BACKEND)
        return redirect("/")
    return render(request, "web/invitation.html", {"form": form, "invited": invited, "here": request.path})


def _newcomer(token: str, form: NewcomerForm) -> User | None:
    given = form.cleaned_data
    try:
        return actions.join_as_newcomer(token, username=given["username"], name=given["name"], password=given["password"])
    except Invalid as wrong:
        form.add_error("username", f"{wrong.title}. {wrong.detail}")
        return None


@never_cache
@sensitive_post_parameters("old", "password", "again")
@require_http_methods(["GET", "POST"])
def password(request: HttpRequest) -> HttpResponse:
    """Every other browser is signed out by it; this one stays."""
    person = _person(request)
    form = PasswordForm(person, request.POST or None)
    if request.method == "POST" and form.is_valid():
        person.set_password(form.cleaned_data["password"])
        person.save(update_fields=["password"])
        update_session_auth_hash(request, person)
        return render(request, "web/password.html", {"changed": True})
    return render(request, "web/password.html", {"form": form, "has_password": person.has_usable_password()})


def safe_address(request: HttpRequest, address: str) -> str:
    """The address if it is one of our own pages, else the start page."""
    ours = address.startswith("/") and url_has_allowed_host_and_scheme(address, {request.get_host()}, request.is_secure())
    return address if ours else "/"


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Missing("Not signed in")
    return request.user
