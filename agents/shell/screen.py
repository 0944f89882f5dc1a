"""What a terminal's output says once it has been drawn: escapes gone, and what was written over gone as well."""

from __future__ import annotations

import re
from collections.abc import Callable

ROWS = 40
"""How far up from the newest line a program may move: the height of the terminal it believes in."""
WIDEST = 1000
"""The column beyond which nothing is moved to; what is written there is taken as a line that goes on."""
LONGEST = 8192
"""Characters of one line that can still be changed; so that drawing stays linear in what was said."""

PIECES = re.compile(
    r"\x1b\[([0-9;:<=>?]{0,64})[ -/]{0,4}([@-~])"  # control sequences
    r"|\x1b[\]PX^_][^\x07\x1b]{0,65536}(?:\x07|\x1b\\|$)"  # strings: titles, links, pictures
    r"|\x1b[ -/]{0,4}[0-~]?"
    r"|([\n\r\x08\t\x00-\x1a\x1c-\x1f\x7f])"
    r"|([^\x00-\x1f\x7f]+)"
)


def plain(text: str) -> str:
    """The text as it would stand on an endless screen, without blanks at the ends of lines that were drawn on."""
    if not DRAWN.search(text):
        return text
    screen = Screen()
    for piece in PIECES.finditer(text.replace("\r\n", "\n")):
        numbers, final, control, written = piece.groups()
        if written:
            screen.write(written)
        elif control:
            screen.control(control)
        elif final:
            screen.sequence(numbers, final)
    return screen.text


DRAWN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class Screen:
    """Lines that grow downwards; the cursor may go back up a little, and anywhere in its line."""

    def __init__(self) -> None:
        self._done: list[str] = []
        self._lines = [""]
        self._row = self._column = 0

    @property
    def text(self) -> str:
        return "".join(self._done) + "\n".join(self._lines)

    def write(self, text: str) -> None:
        line = self._lines[self._row]
        if len(line) + len(text) > LONGEST and self._column >= len(line):
            self._settle(line)
            line = ""
            self._column = 0
        before = line[: self._column].ljust(self._column)
        self._lines[self._row] = before + text + line[self._column + len(text) :]
        self._column += len(text)

    def control(self, letter: str) -> None:
        if letter == "\n":
            self._feed()
        elif letter == "\r":
            self._column = 0
        elif letter == "\b":
            self._column = max(0, self._column - 1)
        elif letter == "\t":
            self.write("\t")

    def sequence(self, numbers: str, final: str) -> None:
        """One control sequence. What only colours, or asks, changes nothing here."""
        if final in MOVES and not numbers.startswith(("?", ">", "<", "=")):
            given = [int(number[:5]) if number.isdecimal() else 0 for number in numbers.split(";")]
            MOVES[final](self, given)

    def _settle(self, line: str) -> None:
        """Put away all that can no longer change: everything up to and with this line, which goes on."""
        self._done += [f"{above}\n" for above in self._lines[: self._row]]
        self._done.append(line)
        self._lines = ["", *self._lines[self._row + 1 :]]
        self._row = 0

    def _feed(self) -> None:
        self._column = 0
        self._row += 1
        if self._row == len(self._lines):
            self._lines.append("")
        if len(self._lines) > ROWS:
            self._done.append(f"{self._lines.pop(0)}\n")
            self._row -= 1

    def up(self, by: list[int]) -> None:
        self._row = max(0, self._row - max(1, by[0]))

    def down(self, by: list[int]) -> None:
        self.place([self._row + 1 + max(1, by[0]), self._column + 1])

    def right(self, by: list[int]) -> None:
        self._column = max(self._column, min(WIDEST, self._column + max(1, by[0])))

    def left(self, by: list[int]) -> None:
        self._column = max(0, self._column - max(1, by[0]))

    def to_column(self, to: list[int]) -> None:
        self._column = min(WIDEST, max(1, to[0]) - 1)

    def place(self, at: list[int]) -> None:
        row, column = [*at, 1][:2]
        self._row = min(ROWS, max(1, row)) - 1
        self._lines += [""] * (self._row + 1 - len(self._lines))
        self._column = min(WIDEST, max(1, column) - 1)

    def erase_in_line(self, what: list[int]) -> None:
        line = self._lines[self._row]
        after = "" if what[0] in (0, 2) else line[self._column + 1 :]
        before = line[: self._column] if what[0] == 0 else " " * min(self._column + 1, len(line))
        self._lines[self._row] = before if what[0] == 0 else "" if what[0] == 2 else before + after

    def erase(self, what: list[int]) -> None:
        if what[0] == 0:
            self.erase_in_line([0])
            del self._lines[self._row + 1 :]
        elif what[0] in (2, 3):
            self._lines = [""] * (self._row + 1)

    def delete(self, by: list[int]) -> None:
        line = self._lines[self._row]
        self._lines[self._row] = line[: self._column] + line[self._column + max(1, by[0]) :]


MOVES: dict[str, Callable[[Screen, list[int]], None]] = {
    "A": Screen.up, "B": Screen.down, "C": Screen.right, "D": Screen.left, "G": Screen.to_column, "H": Screen.place, "f": Screen.place,
    "K": Screen.erase_in_line, "J": Screen.erase, "P": Screen.delete,
}  # fmt: skip
