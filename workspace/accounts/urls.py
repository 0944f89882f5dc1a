"""Addresses of the API of people, below /api/."""

from __future__ import annotations

from django.urls import path

from workspace.accounts import api, credentials_api

urlpatterns = [
    path("me/", api.Me.as_view()),
    path("teams/", api.Teams.as_view()),
    path("teams/<str:team_id>/", api.OneTeam.as_view()),
    path("teams/<str:team_id>/members/", api.Members.as_view()),
    path("teams/<str:team_id>/members/<str:user_id>/", api.OneMember.as_view()),
    path("teams/<str:team_id>/invites/", api.Invites.as_view()),
    path("teams/<str:team_id>/provider-keys/", credentials_api.ProviderKeys.as_view()),
    path("teams/<str:team_id>/provider-keys/<str:key_id>/", credentials_api.OneProviderKey.as_view()),
    path("teams/<str:team_id>/secrets/", credentials_api.Secrets.as_view()),
    path("secrets/<str:secret_id>/", credentials_api.OneSecret.as_view()),
    path("tokens/", credentials_api.Tokens.as_view()),
    path("tokens/<str:token_id>/", credentials_api.OneToken.as_view()),
    path("providers/", credentials_api.Providers.as_view()),
]
