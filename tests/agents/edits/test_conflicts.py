from __future__ import annotations

import pytest

from agents.edits.conflicts import regions

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
