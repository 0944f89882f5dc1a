"""Which addresses may be cloned from: public ones, unless the operator says otherwise, looked up once and then held to."""

from __future__ import annotations

from django.conf import settings

from agents.errors import AddressRefused, FetchFailed
from agents.web.addresses import ANYWHERE, PUBLIC, WebAddress, parse, resolved_now
from workspace.errors import Forbidden, Invalid


def pinned(url: str) -> tuple[WebAddress, str]:
    """The http(s) URL taken apart, and the IP address to connect to. Raises Invalid, or Forbidden where any of its addresses is private.

    A user or token in it is welcome. Every address the name has is judged, and the caller connects to the one given: the name is
    not looked up again.
    """
    try:
        place = parse(url, user_info=True)
    except AddressRefused as wrong:
        said = f"It should look like https://example.org/team/project.git. {wrong}"
        raise Invalid("That is no web address", said, fields={"url": [str(wrong)]}) from wrong
    try:
        return place, resolved_now(place, ANYWHERE if settings.ALLOW_PRIVATE_URLS else PUBLIC)[0]
    except AddressRefused as wrong:
        raise Forbidden("This address is private", str(wrong)) from wrong
    except FetchFailed as wrong:
        raise Invalid("That address cannot be found", str(wrong), fields={"url": ["Cannot be found."]}) from wrong
