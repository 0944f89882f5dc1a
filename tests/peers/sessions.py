"""Long scripted sessions for tests of length and speed."""

from __future__ import annotations

from pathlib import Path

from agents.providers.script import Scenario, Script, ScriptedCall, ScriptedPart, Turn


def tool_session(steps: int, files: int = 50) -> Script:
    """`steps` replies with one call each (read, edit, grep, bash in turn, on the files of `write_repository`), then words."""
    turns = [Turn(parts=(ScriptedPart(text=f"Step {number + 1}."), ScriptedPart(call=_call(number, files)))) for number in range(steps)]
    return Script(scenarios=(Scenario(turns=(*turns, Turn(parts=(ScriptedPart(text="All steps are done."),)))),))


def _call(number: int, files: int) -> ScriptedCall:
    round_, kind = divmod(number, 4)
    path = f"package/module_{round_ % files}.py"
    visit = round_ // files
    match kind:
        case 0:
            return ScriptedCall(tool="read", args={"file_path": path})
        case 1:
            change = {"old_string": f"VISITS = {visit}\n", "new_string": f"VISITS = {visit + 1}\n"}
            return ScriptedCall(tool="edit", args={"file_path": path, **change})
        case 2:
            return ScriptedCall(tool="grep", args={"pattern": f"function_{round_ % files}_1", "output_mode": "files"})
    return ScriptedCall(tool="bash", args={"command": f"wc -l {path}"})


def write_repository(root: Path, files: int = 50) -> None:
    """The files that `tool_session` works on."""
    (root / "package").mkdir(parents=True)
    for number in range(files):
        functions = "\n\n".join(f"def function_{number}_{index}(value: int) -> int:\n    return value + {index}" for index in range(20))
        (root / "package" / f"module_{number}.py").write_text(f"VISITS = 0\n\n\n{functions}\n")
