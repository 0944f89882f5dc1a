"""Every address of the host: the API, then the pages."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView

from workspace.web import views
from workspace.web.health import health

api: list[URLPattern | URLResolver] = [
    path("", include("workspace.accounts.urls")),
    path("", include("workspace.projects.urls")),
    path("", include("workspace.memories.urls")),
    path("", include("workspace.skills.urls")),
    path("", include("workspace.connections.urls")),
    path("", include("workspace.sessions.urls")),
    path("", include("workspace.comparisons.urls")),
    path("health/", health),
    path("schema/", SpectacularAPIView.as_view()),
]
urlpatterns: list[URLPattern | URLResolver] = [
    path("api/", include(api)),
    path("", include("workspace.web.urls")),
]

handler400 = views.bad_request
handler403 = views.forbidden
handler404 = views.missing
handler500 = views.broken
