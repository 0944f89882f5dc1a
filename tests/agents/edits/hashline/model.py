"""What a section's body asks for, worked out naively: one line after the other, no repairs, nothing shared with the engine."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Wish:
    verb: str
    first: int
    last: int
    rows: list[str] = field(default_factory=list)


def read(body: str) -> list[Wish]:
    """The wishes of a body whose rows are all well formed, with or without +. Raises ValueError for what this model does not know."""
    wishes: list[Wish] = []
    blanks = 0
    for line in body.split("\n"):
        if line.rstrip() in ("*** Abort", "*** End Patch"):
            break
        wish = _header(line)
        if wish:
            wishes.append(wish)
        elif not line.strip():
            blanks += 1
            continue
        elif not wishes:
            raise ValueError(line)
        else:
            rows = wishes[-1].rows
            rows += [""] * blanks * bool(rows) + [line[1:] if line.startswith("+") else line]
        blanks = 0
    return wishes


def _header(line: str) -> Wish | None:
    words = line.strip().removesuffix(":").split(None, 1)
    if len(words) == 1 or words[:1] not in (["replace"], ["delete"], ["insert"]) or line.startswith("+"):
        return None
    verb, rest = words
    if verb == "insert":
        verb, _, rest = rest.partition(" ")
        if verb in ("head", "tail") and not rest.strip():
            return Wish(verb, 0, 0)
        if verb not in ("before", "after"):
            return None
    for mark in ("..", "-", "…"):
        rest = rest.replace(mark, " ")
    numbers = rest.split()
    if not 1 <= len(numbers) <= 2 or not all(number.isascii() and number.isdigit() and number[0] != "0" for number in numbers):
        return None
    return Wish(verb, int(numbers[0]), int(numbers[-1]))


def done(text: str, wishes: list[Wish]) -> str:
    """From the last line up, so that nothing done has moved what is still to do."""
    lines = text.split("\n")
    ended = len(lines) > 1 and lines[-1] == ""
    head = [row for wish in wishes if wish.verb == "head" for row in wish.rows]
    tail = [row for wish in wishes if wish.verb == "tail" for row in wish.rows]
    if lines == [""] and all(wish.verb in ("head", "tail") for wish in wishes):
        return "\n".join(head + tail)
    if not ended:
        lines += tail
    for number in range(len(text.split("\n")), 0, -1):
        phantom = ended and number == len(text.split("\n"))
        gone = any(wish.verb in ("replace", "delete") and wish.first <= number <= wish.last for wish in wishes) and not phantom
        new = [row for verb in ("before", "replace") for wish in wishes if (wish.verb, wish.first) == (verb, number) for row in wish.rows]
        new += tail if phantom else []
        new += [] if gone else [lines[number - 1]]
        new += [row for wish in wishes if (wish.verb, wish.first) == ("after", number) for row in wish.rows]
        lines[number - 1 : number] = new
    return "\n".join(head + lines)
