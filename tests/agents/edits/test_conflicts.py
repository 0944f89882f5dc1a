from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.edits.conflicts import regions, resolved
from agents.edits.source import Source

PLAIN = "a\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\nz\n"
DIFF3 = "<<<<<<< HEAD\no1\no2\n||||||| 1a2b\nbase\n=======\n>>>>>>> topic\n"


def test_a_region_knows_its_sides() -> None:
    (region,) = regions(PLAIN)
    assert region.lines == range(2, 7)
    assert region.side(region.ours) == ("ours",)
    assert region.side(region.theirs) == ("theirs",)
    assert region.base is None
    assert region.side(region.base) == ()
    assert region.rows[0] == "<<<<<<< HEAD"


def test_a_base_is_known_where_the_merge_kept_it() -> None:
    (region,) = regions(DIFF3)
    assert region.side(region.ours) == ("o1", "o2")
    assert region.side(region.base) == ("base",)
    assert region.side(region.theirs) == ()


def test_several_regions_stand_in_order() -> None:
    assert [one.lines.start for one in regions(PLAIN + DIFF3 + PLAIN)] == [2, 8, 16]


def test_markers_of_an_inner_merge_are_text() -> None:
    inner = "<<<<<<<<< x\n1\n=========\n2\n>>>>>>>>> y"
    (region,) = regions(f"<<<<<<< HEAD\no\n||||||| base\n{inner}\n=======\nt\n>>>>>>> topic")
    assert region.side(region.base) == tuple(inner.split("\n"))


def test_an_unfinished_region_gives_way_to_the_next() -> None:
    assert [one.lines for one in regions("<<<<<<< a\nlost\n" + PLAIN)] == [range(4, 9)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Heading\n=======\n",
        "<<<<<<< a\nx\n>>>>>>> b\n",
        "=======\n<<<<<<< a\n>>>>>>> b\n",
        "  <<<<<<< a\n=======\n>>>>>>> b\n",
        "<<<<<<<a\n=======\n>>>>>>>b\n",
        "<<<<<<< a\n=======\n",
    ],
)
def test_markers_without_partners_are_text(text: str) -> None:
    assert regions(text) == []


def test_a_huge_text_of_markers_takes_little_time() -> None:
    assert regions("<<<<<<< a\n=======\n" * 100_000) == []


LINES = st.lists(st.sampled_from(["", "a", "b c", "====", "<<<<<<<x", "ä", "\r", ">>>>>>> ", "======", "|||||||x"]), max_size=3).map(
    lambda lines: [line for line in lines if line != ">>>>>>> "]
)


@dataclass(frozen=True)
class Merge:
    """What stands before a conflict, and its sides; `base` None where there is none."""

    before: list[str]
    ours: list[str]
    base: list[str] | None
    theirs: list[str]

    @property
    def text(self) -> list[str]:
        base = [] if self.base is None else ["||||||| base", *self.base]
        return [*self.before, "<<<<<<< HEAD", *self.ours, *base, "=======", *self.theirs, ">>>>>>> topic"]

    def taken(self, content: str) -> list[str]:
        return {"@ours": self.ours, "@theirs": self.theirs, "@base": self.base or [], "new\nlines": ["new", "lines"], "": []}[content]


def joined(lines: list[str], newline: str, end: bool) -> bytes:
    return (newline.join(lines) + (newline if end and lines else "")).encode()


@given(
    merges=st.lists(st.builds(Merge, LINES, LINES, st.none() | LINES, LINES), min_size=1, max_size=4),
    after=LINES, content=st.sampled_from(["@ours", "@theirs", "@base", "new\nlines", ""]), newline=st.sampled_from(["\n", "\r\n"]),
    which=st.integers(0, 15),
)  # fmt: skip
def test_resolving_takes_the_side_and_leaves_every_other_byte(
    merges: list[Merge], after: list[str], content: str, newline: str, which: int
) -> None:
    after = [*after, "end"]
    data = joined([line for merge in merges for line in merge.text] + after, newline, end=True)
    found = regions(Source(data).text)
    assert len(found) == len(merges)
    chosen = [number for number in range(len(merges)) if which >> number & 1]
    expected = [
        line for number, merge in enumerate(merges) for line in ([*merge.before, *merge.taken(content)] if number in chosen else merge.text)
    ]
    assert resolved(data, [found[number] for number in reversed(chosen)], content) == joined([*expected, *after], newline, end=True)
