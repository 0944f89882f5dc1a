"""Edits of files that have changed since they were read: what is carried over, what is refused, and that no change is lost."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from agents.edits.hashline.hunks import Range
from agents.edits.hashline.merging import merged
from agents.edits.hashline.recovery import EARLIER, ENDS, EXTERNAL, REPLAYED, Outcome, Stale, outcome
from agents.edits.hashline.script import parse
from agents.edits.hashline.store import MemorySnapshots, Room
from agents.edits.hashline.tags import tag_of
from agents.errors import ToolError

TEN = "".join(f"L{n}\n" for n in range(1, 11))


def nothing(text: str, line: int) -> Range | None:
    return None


def edited(live: str, body: str, *seen: str, tag: str = "") -> Outcome:
    """`seen` are the texts the session saw, the last the newest; the section names the first, or `tag`."""
    snapshots = MemorySnapshots()
    for text in seen:
        snapshots.record("f", text)
    (section,) = parse(f"[f#{tag or tag_of(seen[0])}]\n{body}").sections
    return outcome(section, live, snapshots.versions("f"), nothing)


def test_a_change_four_lines_away_is_kept() -> None:
    done = edited(TEN.replace("L10", "ten"), "replace 6:\n+six", TEN)
    assert done.text == TEN.replace("L6", "six").replace("L10", "ten")
    assert (done.warnings, done.recovered) == ((EXTERNAL,), True)


def test_a_change_three_lines_away_is_refused() -> None:
    with pytest.raises(Stale, match="file changed between read and edit"):
        edited(TEN.replace("L9", "nine"), "replace 6:\n+six", TEN)


@pytest.mark.parametrize("live", ["new\n" * 7 + TEN, TEN + "more\n", TEN.removesuffix("\n"), "new\n" + TEN + "more"])
def test_lines_added_above_and_below_only_move_the_edit(live: str) -> None:
    assert edited(live, "replace 9:\n+nine", TEN).text == live.replace("L9", "nine")


@pytest.mark.parametrize("body", ["replace 1:\n+L1", "replace 1:\n+one"])
def test_what_changes_nothing_in_a_file_that_has_changed_is_refused(body: str) -> None:
    """Somebody else did it already, or there was nothing to do: either way the writer should look at the file first."""
    text = TEN.replace("L1\n", "one\n", 1) if "one" in body else TEN + "more\n"
    with pytest.raises(Stale, match="file changed between read and edit"):
        edited(text, body, TEN)


def test_a_change_between_two_near_hunks_is_refused() -> None:
    text = "".join(f"L{n}\n" for n in range(1, 7))
    with pytest.raises(Stale):
        edited(text.replace("L3", "three"), "replace 1:\n+one\nreplace 6:\n+six", text)


def test_an_edit_never_slides_to_a_twin_of_its_lines() -> None:
    """The block that was meant has gone; another one just like it stands below and stays as it is."""
    block = "if (x) {\n  go();\n  on();\n}\n"
    middle = "".join(f"m{n}\n" for n in range(12))
    text = f"top\n{block}{middle}{block}end\n"
    with pytest.raises(Stale):
        edited(text.replace("top\n" + block, "top\n"), "replace 3:\n+  stop();", text)


def test_a_tag_that_was_never_given_out_is_told_apart() -> None:
    with pytest.raises(Stale, match="not from this session") as refused:
        edited(TEN, "replace 1:\n+one", TEN, tag="0000")
    assert not refused.value.known
    assert tag_of(TEN) in str(refused.value)


def test_the_right_hash_of_a_file_never_read_is_refused() -> None:
    with pytest.raises(Stale, match="not from this session"):
        edited(TEN, "insert head:\n+x", tag=tag_of(TEN))


def test_inserts_at_the_ends_go_onto_whatever_there_is() -> None:
    done = edited("quite\ndifferent\n", "insert tail:\n+t\ninsert head:\n+h", TEN)
    assert (done.text, done.warnings) == ("h\nquite\ndifferent\nt\n", (ENDS,))


def test_a_refusal_shows_how_the_lines_read_now() -> None:
    with pytest.raises(Stale) as refused:
        edited(TEN.replace("L6", "six"), "replace 6:\n+6", TEN)
    assert str(refused.value).endswith(" 4:L4\n 5:L5\n*6:six\n 7:L7\n 8:L8")


def test_a_refusal_stays_short_however_long_the_lines_are() -> None:
    with pytest.raises(Stale) as refused:
        edited("y" * 1_000_000, "".join(f"replace {n}:\n+x\n" for n in range(1, 11)), TEN)
    assert len(str(refused.value)) < 2000


def test_an_earlier_snapshot_is_recovered_with_its_own_warning() -> None:
    newest = TEN + "more\n"
    assert edited(newest, "replace 2:\n+two", TEN, newest).warnings == (EARLIER,)


def test_an_earlier_snapshot_is_replayed_where_its_own_lines_are_as_they_were() -> None:
    newest = TEN.replace("L6", "six")
    done = edited(newest, "replace 5:\n+five", TEN, newest)
    assert (done.text, done.warnings) == (newest.replace("L5", "five"), (REPLAYED,))
    with pytest.raises(Stale):
        edited(newest, "replace 6:\n+6", TEN, newest)
    with pytest.raises(Stale):
        edited(newest, "replace 5:\n+five", TEN)  # nobody of this session made that change


def test_two_versions_of_one_tag_are_none_unless_the_file_is_one_of_them() -> None:
    one, other = "collision-389\n", "collision-445\n"
    assert edited(one, "replace 1:\n+x", one, other).text == "x\n"
    assert edited(other, "replace 1:\n+x", one, other).text == "x\n"
    with pytest.raises(Stale, match="changed between"):
        edited(f"above\n{other}", "replace 1:\n+x", one, other)


def test_versions_beyond_the_fourth_are_forgotten() -> None:
    texts = [f"{n}\n" + TEN for n in range(5)]
    assert edited(texts[1], "replace 3:\n+x", *texts[1:]).text
    with pytest.raises(Stale, match="not from this session"):
        edited(texts[0], "replace 3:\n+x", *texts, tag=tag_of(texts[0]))


def test_the_paths_unused_for_longest_are_forgotten() -> None:
    snapshots = MemorySnapshots(Room(paths=2))
    for path in "ab":
        snapshots.record(path, path)
    snapshots.versions("a")
    snapshots.record("c", "c")
    assert [bool(snapshots.versions(path)) for path in "abc"] == [True, False, True]


LINES = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "f", ""]), min_size=1, max_size=25)
"""Without brackets, which could be mended."""


@given(LINES, LINES, st.integers(1, 25), st.integers(0, 2), st.lists(st.just("NEW"), max_size=2))
def test_recovery_loses_no_change_of_others(seen: list[str], live: list[str], first: int, more: int, rows: list[str]) -> None:
    """Taking our own rows away again gives the live file but for the lines we removed, which still stood there as they were seen."""
    assume(first + more <= len(seen) and seen != live and (rows or any(seen[first - 1 : first + more])))
    old, now = ("\n".join(side) + "\n" for side in (seen, live))
    body = f"replace {first}..{first + more}:\n+NEW" if rows else f"delete {first}..{first + more}"
    try:
        done = edited(now, body, old)
    except ToolError:
        return
    assume(now not in (old, done.text))
    theirs = [line for line in done.text.split("\n") if line != "NEW"]
    gone = seen[first - 1 : first + more]
    at = [at for at in range(len(live)) if live[at : at + len(gone)] == gone and live[:at] + live[at + len(gone) :] == theirs[:-1]]
    assert at


@given(LINES, LINES, LINES)
def test_a_merge_is_the_other_text_with_nothing_but_our_change(seen: list[str], wanted: list[str], live: list[str]) -> None:
    old, new, now = ("\n".join(side) + "\n" for side in (seen, wanted, live))
    text = merged(old, new, now)
    if old == now:
        assert text == new
    elif old == new:
        assert text == now
    elif text is not None:
        assert len(text.split("\n")) - len(now.split("\n")) == len(new.split("\n")) - len(old.split("\n"))
