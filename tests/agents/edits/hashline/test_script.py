"""The grammar: what is read, what is let pass, and what is said of everything else."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.edits.hashline.hunks import Hunk, Script
from agents.edits.hashline.script import BARE_ROWS, COMMENTS, parse
from agents.errors import ToolError


def hunks(body: str) -> tuple[Hunk, ...]:
    (section,) = parse(f"[f#1A2B]\n{body}").sections
    return section.hunks


def rows(body: str) -> tuple[str, ...]:
    return hunks(body)[0].rows


def refused(script: str) -> str:
    with pytest.raises(ToolError) as wrong:
        parse(script)
    return str(wrong.value)


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("replace 2..3:", "replace 2..3"),
        ("replace 2-3:", "replace 2..3"),
        ("replace 2…3", "replace 2..3"),
        ("replace 2 3 :", "replace 2..3"),
        ("replace 2 .. 3:  ", "replace 2..3"),
        ("  replace 2..-3:", "replace 2..3"),
        ("\treplace 2:", "replace 2"),
        ("replace  2", "replace 2"),
        ("replace block 2:", "replace block 2"),
        ("insert before 2:", "insert before 2"),
        ("insert after 2", "insert after 2"),
        ("insert after block 2:", "insert after block 2"),
        ("insert head", "insert head"),
        ("insert tail:", "insert tail"),
        ("replace 9007199254740991:", "replace 9007199254740991"),
    ],
)
def test_headers_are_read_in_every_accepted_form(header: str, said: str) -> None:
    (hunk,) = hunks(f"{header}\n+x")
    assert (hunk.said, hunk.rows) == (said, ("x",))


@pytest.mark.parametrize(
    ("header", "said"), [("delete 2..3", "delete 2..3"), ("delete 2 3", "delete 2..3"), ("delete block 2", "delete block 2")]
)
def test_deletions_have_no_rows(header: str, said: str) -> None:
    assert hunks(header)[0].said == said


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ("2\n+x", "headers need a verb"),
        ("2 3\n+x", "Hunk headers need a verb"),
        ("2-3:\n+x", "Hunk headers need a verb"),
        ("2:\n+x", "headers need a verb"),
        ("replace 1:\n+x\n5\n+y", "headers need a verb"),
        ("replace 1:\nx\n5\ny", "headers need a verb"),
        ("replace 1:\n42", "headers need a verb"),
        ("replace 1:\nx\n2-3:\ny", "Hunk headers need a verb"),
        ("replace 2:\n-old", "`-` rows are not valid"),
        ("replace 2:\nnew\n    - old", "`-` rows are not valid"),
        ("replace 2:\n  @@ -1,2 +1,2 @@", "unified-diff hunk header"),
        ("replace 2:\n *** Update File: f", "apply_patch sentinel"),
        ("-old", "`-` rows are not valid"),
        ("delete 2\n+x", "does not take body rows"),
        ("delete 2\nx", "does not take body rows"),
        ("delete block 2\n+x", "does not take body rows"),
        ("delete 2:", "no colon and no body"),
        ("delete 2..3:\n+x", "no colon and no body"),
        ("delete block 2:", "no preceding hunk header"),
        ("*** Update File: f", "apply_patch sentinel"),
        ("replace 1:\n+x\n*** Move to: g", "apply_patch sentinel"),
        ("*** Delete File: f", "apply_patch sentinel"),
        ("@@ -1,2 +1,2 @@", "unified-diff hunk header"),
        ("@@ def f @@", "bracketed hunk header"),
        ("+x", "payload line has no preceding hunk header"),
        ("change it", "payload line has no preceding hunk header"),
        ("REPLACE 2:\n+x", "payload line has no preceding hunk header"),
        ("replace 0:\n+x", "payload line has no preceding hunk header"),
        ("replace 02:\n+x", "payload line has no preceding hunk header"),
        ("2..2=x", "payload line has no preceding hunk header"),
        ("2→\nx", "payload line has no preceding hunk header"),
        ("2ab:\n+x", "payload line has no preceding hunk header"),
        ("replace 2..2::x", "payload line has no preceding hunk header"),
        ("insert head:=x", "payload line has no preceding hunk header"),
        ("replace ٢:\n+x", "payload line has no preceding hunk header"),
        ("replace block 2..3:\n+x", "payload line has no preceding hunk header"),
        ("replace 1:\n+x\nREPLACE 3:\n+y", "payload line has no preceding hunk header"),
        ("replace 1:\n+x\ndelete block 2:", "payload line has no preceding hunk header"),
        ("# why\n\nreplace 1:\n+x", "payload line has no preceding hunk header"),
        ("# why", "payload line has no preceding hunk header"),
        ("replace 3..2:\n+x", "ends before it starts"),
        ("replace 2:", "needs at least one `+TEXT`"),
        ("replace 2:\n\n", "`delete 2..2`"),
        ("replace block 2:", "`delete block 2`"),
        ("insert after 2:", "needs at least one `+TEXT`"),
        ("insert tail", "needs at least one `+TEXT`"),
        ("replace 2:\n[1, 2, 3]", "looks like a section header without a tag"),
        ("replace 2:\n[a#b", "must be [PATH#HASH]"),
        ("replace 9007199254740992:\n+x", "too large"),
        (f"delete {'9' * 5000}", "too large"),
        ("replace 1:\n+a\0b", "NUL"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_a_reason(body: str, key: str) -> None:
    assert key in refused(f"[f#1A2B]\n{body}")


@pytest.mark.parametrize(
    ("script", "key"),
    [
        ("", "non-empty hashline script"),
        ("\ufeff \r\n", "non-empty hashline script"),
        ("replace 1:\n+x", 'must begin with "[PATH#HASH]"'),
        ("*** Update File: f\n[f#1A2B]", "must begin with"),
        (" [f#1A2B]\ndelete 1", "must begin with"),
        ("[f#1A2]\ndelete 1", "must be [PATH#HASH]"),
        ("[f#1A2B5]", "must be [PATH#HASH]"),
        ("[f#1A2G]", "must be [PATH#HASH]"),
        ("[f#1A2B:3]", "must be [PATH#HASH]"),
        ("[f", "must be [PATH#HASH]"),
        ("[f#1A2B] x\ndelete 1", "must be [PATH#HASH]"),
        ("[a#b#1A2B]", "must be [PATH#HASH]"),
        ("[f#٠٠٠٠]", "must be [PATH#HASH]"),
        ("[]", "names no file"),
        ("[#1A2B]", "names no file"),
        ("[f]\ninsert head:\n+x", "Missing hashline snapshot tag"),
        ("[f#1A2B]\n[g#1A2B]", "no hunks"),
        ("*** Begin Patch\n*** End Patch", "no hunks"),
        ("*** Abort", "no hunks"),
        ("[f#1A2B]\ndelete 1\n[f#1A2C]\ndelete 2", "Conflicting hashline snapshot tags"),
    ],
)
def test_scripts_without_proper_sections_are_refused(script: str, key: str) -> None:
    assert key in refused(script)


def test_errors_count_lines_below_the_header() -> None:
    assert refused("\n\n[f#1A2B]\nreplace 1:\n+x\n\n-y").startswith("line 4: ")


@pytest.mark.parametrize(
    ("header", "path"),
    [
        ("[a b/c.txt#1a2b]  ", "a b/c.txt"),
        ('["a.txt"#1A2B]', "a.txt"),
        ("['a.txt'#1A2B]", "a.txt"),
        ("[*** Update File:a.txt#1A2B]", "a.txt"),
        ("[*** a.txt#1A2B]", "a.txt"),
        ("[Update: a.txt#1A2B]", "a.txt"),
        ("[Add File: a.txt#1A2B]", "a.txt"),
        ("[Delete File: a.txt#1A2B]", "a.txt"),
        ("[Move to: a.txt#1A2B]", "a.txt"),
        ("[***UPDATE-FILE: a.txt#1A2B ]", "a.txt"),
        ("[update(file):a.txt#1A2B]", "a.txt"),
        ("[update/files.txt#1A2B]", "update/files.txt"),
        ("[/ws/src/a.txt#1A2B]", "src/a.txt"),
        ("[/else/a.txt#1A2B]", "/else/a.txt"),
        ("[app/[id]/page.tsx#1A2B]", "app/[id]/page.tsx"),
        ("[./a.txt#1A2B]", "./a.txt"),
    ],
)
def test_noise_in_headers_is_taken_away(header: str, path: str) -> None:
    (section,) = parse(f"{header}\ndelete 1", ["/ws/"]).sections
    assert (section.path, section.tag) == (path, "1A2B")


def test_sections_of_one_path_are_one_in_the_first_ones_place() -> None:
    script = parse("[a#1A2B]\ndelete 1\n[b#0000]\ndelete 2\n[empty#FFFF]\n[a#1a2b]\ndelete 3")
    assert [(section.path, len(section.hunks)) for section in script.sections] == [("a", 2), ("b", 1)]


@pytest.mark.parametrize("end", ["*** End Patch", "*** Abort  "])
def test_an_end_mark_ends_the_reading_and_keeps_what_came_before(end: str) -> None:
    assert len(parse(f"\ufeff\n*** Begin Patch\r\n[a#1A2B]\r\ndelete 1\r\n{end}\r\n-nonsense").sections[0].hunks) == 1


@pytest.mark.parametrize(
    ("body", "expected", "warned"),
    [
        ("+a\n+b", ("a", "b"), False),
        ("+\n++x\n+-y\n+3:z", ("", "+x", "-y", "3:z"), False),
        ("\n+a\n\n", ("a",), False),
        ("+a\n\n+b", ("a", "", "b"), True),
        ("  a\nb", ("  a", "b"), True),
        ("+a\nb", ("a", "b"), True),
        ("2:a\n3:b", ("a", "b"), True),
        ("*2:a\n 3:b\n4:", ("a", "b", ""), True),
        ("2:a\n\n3:b", ("a", "", "b"), True),
        ("2:a\nb", ("2:a", "b"), True),
        ("2:3:a", ("3:a",), True),
        ("1: 'a',\n2: \"b\"", ("1: 'a',", '2: "b"'), True),
        ("1: 2\n2: 3.5", ("1: 2", "2: 3.5"), True),
        ("+a\n3:b", ("a", "b"), True),
        ("42,\n0", ("42,", "0"), True),
        ("+a\n3:", ("a", ""), True),
        ("[1,\n2]", ("[1,", "2]"), True),
        ("a\n# b", ("a", "# b"), True),
        ("+a\rb", ("a\rb",), False),
    ],
)
def test_rows_are_taken_as_they_were_meant(body: str, expected: tuple[str, ...], warned: bool) -> None:
    script = parse(f"[f#1A2B]\nreplace 2:\n{body}")
    assert script.sections[0].hunks[0].rows == expected
    assert script.warnings == ((BARE_ROWS,) if warned else ())


def test_a_comment_right_before_a_hunk_is_left_out() -> None:
    assert parse("[f#1A2B]\n# first\n## more\nreplace 1:\n+a").warnings == ()
    script = parse("[f#1A2B]\ndelete 9\n# second\nreplace 1:\n+a\n# third\nreplace 2:\nb\n# text\nreplace 3:\n+c")
    assert [hunk.rows for hunk in script.sections[0].hunks] == [(), ("a",), ("b", "# text"), ("c",)]
    assert script.warnings == (COMMENTS, BARE_ROWS)


@given(st.text(alphabet="[]#*+-@: \n\r\tabdeilnpr0123…'\"", max_size=200))
def test_any_text_is_a_script_or_an_error(text: str) -> None:
    try:
        script = parse(f"[f#1A2B]\n{text}")
    except ToolError:
        return
    assert isinstance(script, Script)
    assert script.sections


@pytest.mark.parametrize(
    "script",
    [
        "[" * 60_000,
        "[f#1A2B]\n" + "[" * 60_000,
        "[f#1A2B]\nreplace 2" + " " * 60_000 + "x",
        "[f#1A2B]\nreplace 1:\n" + " 1:" * 30_000,
        "[f#1A2B]\n" + "# c\n" * 30_000,
        "[f#1A2B]\nreplace 1:\n" + "\n" * 60_000 + "+x",
        "[" + "Update:" * 20_000 + "f#1A2B]\ndelete 1",
        "[Update" + "-" * 60_000 + "f#1A2B]\ndelete 1",
        "[f#1A2B]\n2" + ".." * 30_000 + "x",
        "[f#1A2B]\n" + "delete 1\n" * 30_000,
        "[f#1A2B]\nreplace 1:\n+x\n" + "# c\n" * 30_000 + "delete 2",
        "[f#1A2B]\nreplace 1:\n" + '1: "' + " " * 30_000 + "x",
    ],
    ids=str.__len__,
)
def test_huge_scripts_are_read_or_refused_at_once(script: str) -> None:
    began, said = time.process_time(), ""
    try:
        parse(script)
    except ToolError as wrong:
        said = str(wrong)
    assert len(said) < 2000
    assert time.process_time() - began < 5
