"""What each role may do. Rights are asked for; roles are only sets of them."""

from __future__ import annotations

from typing import Literal, get_args

Right = Literal[
    "view", "comment", "prompt", "stop", "approve_tools", "approve_plans", "manage_memories", "manage_members",
    "manage_projects",
]  # fmt: skip
Role = Literal["viewer", "member", "reviewer", "admin"]

ALL_RIGHTS: tuple[Right, ...] = get_args(Right)
ROLES: tuple[Role, ...] = get_args(Role)

_MEMBER: frozenset[Right] = frozenset({"view", "comment", "prompt", "stop", "manage_memories"})
RIGHTS: dict[Role, frozenset[Right]] = {
    "viewer": frozenset({"view"}),
    "member": _MEMBER,
    "reviewer": _MEMBER | {"approve_tools", "approve_plans"},
    "admin": frozenset(ALL_RIGHTS),
}


def roles_with(right: Right) -> list[Role]:
    return [role for role in ROLES if right in RIGHTS[role]]
