"""Addresses of the pages: the entrance, and the front end's own, which all get its boot page."""

from __future__ import annotations

from django.urls import path, re_path

from workspace.web import entrance, views

ROOMS = "projects|sessions|comparisons|history|memories|skills|inbox|settings|toolsets|teams"

urlpatterns = [
    path("sign-in/", entrance.sign_in, name="sign_in"),
    path("sign-in/link/<str:token>/", entrance.sign_in_link, name="sign_in_link"),
    path("sign-out/", entrance.sign_out, name="sign_out"),
    path("sign-out/everywhere/", entrance.sign_out_everywhere, name="sign_out_everywhere"),
    path("invite/<str:token>/", entrance.invitation, name="invitation"),
    path("password/", entrance.password, name="password"),
    path("", views.app, name="app"),
    re_path(rf"^(?:{ROOMS})(?:/.*)?$", views.app),
]
