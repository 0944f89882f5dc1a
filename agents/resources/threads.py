"""issue:// and pr://: what the project's forge has in work, and what was said about it."""

from __future__ import annotations

from functools import partial
from typing import Literal, cast

from agents.errors import ToolError
from agents.ports import Forge, ForgeItem
from agents.resources.address import Address
from agents.resources.resource import Resource, Scheme, Surroundings

Kind = Literal["issue", "pr"]
State = Literal["open", "closed", "all"]
STATES = ("open", "closed", "all")
NAMES: dict[Kind, str] = {"issue": "issues", "pr": "pull requests"}


async def thread(kind: Kind, address: Address, around: Surroundings) -> Resource:
    if around.forge is None:
        raise ToolError(
            f"{address.url} was not found: this project is connected to no forge. Whoever manages it can name its repository at "
            "GitHub or Gitea in the project's settings."
        )
    if address.is_root:
        return await _listing(kind, address, around.forge)
    number, part = _named(kind, address)
    found = await around.forge.thread(kind, number)
    if part == "diff":
        return Resource(address.url, found.diff or "This pull request changes nothing.", "text/x-diff")
    hint = f"\n\nIts changes: pr://{number}/diff" if kind == "pr" else ""
    return Resource(address.url, f"{found.text}{hint}", "text/markdown")


async def _listing(kind: Kind, address: Address, forge: Forge) -> Resource:
    odd = set(address.query) - {"state"}
    state = address.query.get("state", "open")
    if odd or state not in STATES:
        raise ToolError(f"{address.url} asks for what cannot be told. Write {kind}:// or {kind}://?state=open, closed or all.")
    found = await forge.items(kind, cast(State, state))
    which = "" if state == "all" else f" {state}"
    return Resource(address.url, "\n".join(_row(kind, one) for one in found) or f"The repository has no{which} {NAMES[kind]}.")


def _row(kind: Kind, one: ForgeItem) -> str:
    return f"{kind}://{one.number} {one.state}: {one.title} ({one.author}, {one.updated})"


def _named(kind: Kind, address: Address) -> tuple[int, str]:
    """The number, and which part is wanted. Raises ToolError for anything else."""
    number, _, part = address.path.strip("/").partition("/")
    if not (number.isascii() and number.isdigit() and len(number) < 10) or part not in (("", "diff") if kind == "pr" else ("",)):
        form = "pr://12 or pr://12/diff" if kind == "pr" else "issue://12"
        raise ToolError(f"{address.url} was not found: write {form}. {kind}:// lists the open ones of the project's repository.")
    if address.query:
        raise ToolError(f"{address.url}: a query belongs to the list alone, as in {kind}://?state=all.")
    return int(number), part


issue: Scheme = partial(thread, "issue")
pr: Scheme = partial(thread, "pr")
