from __future__ import annotations

import time

import pytest

from agents.shell.interceptor import advice

TOOLS = ("read", "write", "edit", "search", "find")


@pytest.mark.parametrize(
    ("command", "tool"),
    [
        ("cat notes.txt", "read"),
        ("  head -n 5 notes.txt", "read"),
        ("tail -f log | grep x", "read"),
        ("less a", "read"),
        ("grep -rn word .", "search"),
        ("rg word", "search"),
        ("find . -name '*.py'", "find"),
        ("find src -type f", "find"),
        ("fd --type f x", "find"),
        ("sed -i s/a/b/ f", "edit"),
        ("sed -i.bak s/a/b/ f", "edit"),
        ("sed -E --in-place=.bak s/a/b/ f", "edit"),
        ("sed -Ei s/a/b/ f", "edit"),
        ("sed -n -e 's/a b/c/' -i f 2>&1 | cat", "edit"),
        ("sed -i 's/it/that", "edit"),
        ("sed -e '' -i f", "edit"),
        ("perl -pi -e s/a/b/ f", "edit"),
        ("perl -0777pi -e s/a/b/ f", "edit"),
        ("perl -ni -e 1 f", "edit"),
        ("perl -i.bak -pe s/a/b/ f", "edit"),
        ("awk -i inplace '{print}' f", "edit"),
        ("echo hello > f", "write"),
        ("echo 'a > b' >> f", "write"),
        ('printf "%s" x>f', "write"),
        ("cat <<EOF > f\nx\nEOF", "write"),
        ("cat<<EOF >f\nx\nEOF", "write"),
        ("cat > f <<'EOF'\nx\nEOF", "write"),
        ("echo x 2>&1 > f", "write"),
    ],
)
def test_what_begins_like_a_tool_is_advised_against(command: str, tool: str) -> None:
    assert f"use {tool} " in advice([command], TOOLS)
    assert advice([command], [other for other in TOOLS if other != tool]) == "" or command.startswith("cat")


@pytest.mark.parametrize(
    "command",
    [
        "cat", "catalog x", "git grep word", "make | grep error", "find . -delete", "find", "sed s/a/b/ f", "sed -n 5p f",
        "perl -e 1", "awk '{print}' f", "echo hello", "echo 'a > b'", 'echo "x >> y"', "echo x | tee f", "echo x | sort > f",
        "echo x 2>&1", "echo x >/dev/null", "echo x 2>/dev/null", "echo a \\> b", "printf x", "python -c 'print(1)' > f", "ls; cat x",
        "headless run", "echo x && make > f", "echo >",
        "sed -n 1,5p f | grep -i x", "sed s/a/b/ f; rm -i f", "sed s/a/b/ f\nls -i", "sed 's/a -i b/c/' f", "sed -f lib.sed f",
        "sed -flib.sed f",
        "perl -Ilib x.pl", "perl -Mstrict -e 1", "perl -MList::Util=sum -e 'print 1'", "find . -newer x | xargs ls -name",
    ],
)  # fmt: skip
def test_everything_else_runs(command: str) -> None:
    assert advice([command], TOOLS) == ""


def test_every_form_of_a_command_counts() -> None:
    assert "use read" in advice(["cd src && cat x", "cat x"], TOOLS)


@pytest.mark.parametrize("flood", ["a ", "'", '"', "> ", ">&1 ", "\\", "-i", "2>/dev/null ", "< "])
def test_a_flood_takes_time_in_proportion(flood: str) -> None:
    def took(size: int) -> float:
        began = time.process_time()
        for program in ("echo ", "find ", "sed ", "perl ", "awk "):
            advice([program + flood * (size // len(flood))], TOOLS)
        return time.process_time() - began

    took(100)
    assert took(100_000) < 40 * max(took(10_000), 0.02)
