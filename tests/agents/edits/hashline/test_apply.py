"""What hunks do to a text, held against a model that knows no repairs, and what they never do."""

from __future__ import annotations

import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from agents.edits.hashline.apply import Applied, applied
from agents.edits.hashline.hunks import Range
from agents.edits.hashline.script import BARE_ROWS, parse
from agents.errors import ToolError
from tests.agents.edits.hashline import model

WORDS = st.sampled_from(
    ["a", "b", "c", "", "  d", "\te", "f();", "é", "+", "-x", "#h", "1:n", "}", "  }", "if (x) {", "});", "[1]", "a\rb"]
)
PLAIN = st.sampled_from(["a", "b", "c", "", "delta", "é ü", "+", "-x", "#h", "1:n", "a\rb", "end"])
HEADERS = st.sampled_from(["replace {a}..{b}:", "replace {a}", "delete {a}..{b}", "delete {a}", "insert before {a}:", "insert after {a}"])
ENDS = st.sampled_from(["insert head:", "insert tail"])


def nothing(text: str, line: int) -> Range | None:
    return None


def edited(text: str, body: str) -> Applied:
    (section,) = parse(f"[f#0000]\n{body}").sections
    return applied(text, section.hunks, nothing)


@st.composite
def texts(draw: st.DrawFn, words: st.SearchStrategy[str] = WORDS) -> str:
    return "\n".join(draw(st.lists(words, max_size=12))) + "\n" * draw(st.booleans())


@st.composite
def bodies(draw: st.DrawFn, words: st.SearchStrategy[str] = WORDS) -> str:
    """Hunks with rows where they belong, numbers near the text's, now and then a row that is missing or too many."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        first = draw(st.integers(1, 13))
        header = draw(st.one_of(HEADERS, ENDS)).format(a=first, b=first + draw(st.integers(0, 3)))
        wanted = 0 if header.startswith("delete") else draw(st.integers(1, 4))
        lines += [header, *(f"+{row}" for row in draw(st.lists(words, min_size=wanted, max_size=wanted)))]
    return "\n".join(lines)


@given(texts(PLAIN), bodies(PLAIN))
def test_hunks_do_what_the_naive_model_says(text: str, body: str) -> None:
    try:
        result = edited(text, body)
    except ToolError:
        assume(False)
    assert result.text == model.done(text, model.read(body)) or result.warnings


@given(texts(), bodies())
def test_only_named_lines_are_touched(text: str, body: str) -> None:
    """Whatever is mended or moved: lines outside every range stay, in their order, and nothing is made up."""
    try:
        result = edited(text, body)
    except ToolError:
        assume(False)
    wishes = model.read(body)
    removed = {n for wish in wishes if wish.verb in ("replace", "delete") for n in range(wish.first, wish.last + 1)}
    lines = text.split("\n")
    kept = [line for n, line in enumerate(lines, 1) if n not in removed]
    after = iter(result.text.split("\n"))
    assert all(line in after for line in kept if line)
    known = {*lines, *(row for wish in wishes for row in wish.rows), ""}
    assert set(result.text.split("\n")) <= known


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=30), st.randoms())
def test_numbering_never_shifts_whatever_the_order(sizes: list[tuple[int, int]], random: object) -> None:
    """Each line is replaced by some rows that name it; the hunks' order and their growing or shrinking does not matter."""
    text = "".join(f"line {n}\n" for n in range(1, len(sizes) + 1))
    hunks, expected = [], ""
    for n, (kind, count) in enumerate(sizes, 1):
        rows = [f"row {n}.{k}" for k in range(count)]
        body = "".join(f"+{row}\n" for row in rows)
        hunks.append(f"delete {n}\n" if not count else f"replace {n}:\n{body}" if kind else f"insert after {n}:\n{body}")
        expected += "".join(f"{row}\n" for row in ([] if kind or not count else [f"line {n}"]) + rows)
    random.shuffle(hunks)  # type: ignore[attr-defined]
    assert edited(text, "".join(hunks)).text == expected


@given(st.lists(st.one_of(WORDS, HEADERS.map(lambda header: header.format(a=2, b=3)), st.text(max_size=8)), max_size=12), texts())
def test_a_fuzzed_script_does_what_the_grammar_says_or_nothing(lines: list[str], text: str) -> None:
    body = "\n".join(lines)
    try:
        result = edited(text, body)
    except (ToolError, ValueError):
        return  # nothing was changed; two sections are another test's business
    if set(result.warnings) <= {BARE_ROWS} and not any(line[:1] == "#" or ":" in line for line in lines):
        assert result.text == model.done(text, model.read(body.replace("\r\n", "\n")))


@pytest.mark.parametrize(
    ("text", "body", "after"),
    [
        ("", "insert head:\n+h\ninsert tail:\n+t", "h\nt"),
        ("", "replace 1:\n+x", "x"),
        ("a\n", "delete 2", "a\n"),
        ("a\n", "delete 1..2", ""),
        ("a\n", "replace 2:\n+b", "a\nb\n"),
        ("a\nb\n", "insert tail:\n+t\ninsert after 2:\n+c", "a\nb\nc\nt\n"),
        ("a\nb", "insert head:\n+1\ninsert before 1:\n+2\ninsert head:\n+3", "1\n3\n2\na\nb"),
        ("a\nb", "insert after 1:\n+1\ninsert after 1:\n+2\ninsert before 2:\n+3", "a\n1\n2\n3\nb"),
        ("a\nb\nc", "replace 2:\n+B\ninsert before 2:\n+1\ninsert after 2:\n+3", "a\n1\nB\n3\nc"),
        ("a\nb\n", "delete 1..2\ninsert tail:\n+x", "x\n"),
        ("a\nb", "delete 1..2\ninsert tail:\n+x", "x"),
    ],
)
def test_ends_of_files_come_out_right(text: str, body: str, after: str) -> None:
    assert edited(text, body).text == after


@pytest.mark.parametrize("body", ["delete 4", "replace 3..9:\n+x", "insert after 99999999999:\n+x", "delete 4..9007199254740991"])
def test_a_line_that_is_not_there_is_named(body: str) -> None:
    with pytest.raises(ToolError, match=r"Line \d+ does not exist \(file has 3 lines\)"):
        edited("a\nb\n", body)


def slowest(make: object, count: int) -> float:
    """The best of three runs, in seconds."""
    text, body = make(count)  # type: ignore[operator]
    times = []
    for _ in range(3):
        began = time.process_time()
        edited(text, body)
        times.append(time.process_time() - began)
    return min(times)


def many_hunks(count: int) -> tuple[str, str]:
    return "x\n" * count * 2, "".join(f"replace {2 * n}:\n+y\n" for n in range(1, count + 1))


def one_border_of_equal_lines(count: int) -> tuple[str, str]:
    """A replacement all of whose rows stand above and below it as well."""
    return "}\n" * count * 3, f"replace {count}..{count + 1}:\n" + "+}\n" * count


def brackets_and_quotes(count: int) -> tuple[str, str]:
    return "x\n" * 3, "replace 2:\n" + "+" + "([{\"'`/*" * count + "\n"


def inserts_above_endless_closers(count: int) -> tuple[str, str]:
    text = "".join(f"{' ' * 8}a();\n" for _ in range(count)) + "    }\n" * count
    return text, "".join(f"insert after {n}:\n+  b();\n" for n in range(1, count + 1))


@pytest.mark.parametrize("make", [many_hunks, one_border_of_equal_lines, brackets_and_quotes, inserts_above_endless_closers])
def test_time_grows_with_the_size_and_no_faster(make: object) -> None:
    small, large = slowest(make, 500), slowest(make, 4000)
    assert large < max(small, 0.002) * 8 * 4
