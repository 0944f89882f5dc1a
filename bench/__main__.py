"""`make bench`: times edits and replies in text, then starts a whole installation, lets an agent take 500 steps in one session while
somebody watches, and prints what all of it cost.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from collections.abc import Iterable
from pathlib import Path

from bench.edits import edit_results, report_edits
from bench.model_server import FILES, ModelServer
from bench.protocols import protocol_results, report_protocols
from bench.watcher import Watcher
from tests.processes.person import Person
from tests.processes.world import World, until

STEPS = 500
EARLY, LATE = (4, 12), (476, 500)
"""The first and last step of the two windows that are compared."""
COMMENTS = 200


def main() -> None:
    edits = edit_results()
    report_edits(edits)
    protocols = protocol_results()
    report_protocols(protocols)
    model = ModelServer()
    with tempfile.TemporaryDirectory(prefix="countersign-bench-") as folder:
        source = repository(Path(folder) / "source")
        address = f"http://127.0.0.1:{model.port}/v1"
        home = Path(folder) / "home"
        with World(home, COMPATIBLE_BASE_URL=address, COMPATIBLE_API_KEY="none", COUNTERSIGN_ALLOWED_PATHS=str(source)) as world:
            alice = world.person("alice")
            session = long_session(alice, source)
            busy = take_steps(alice, session, model)
            calm = comment(alice, session)
            tools = [fact["seconds"] for fact in alice.facts(session, "tool.finished")]
    results = {**step_results(model, tools), "frames while working": spread(busy), "frames when calm": spread(calm)}
    report(results, model.prefixes_held())
    Path("var").mkdir(exist_ok=True)
    Path("var/bench.json").write_text(json.dumps({**results, "edits": edits, "protocols": protocols}, indent=2))


def repository(root: Path) -> Path:
    (root / "src").mkdir(parents=True)
    for n in range(FILES):
        body = "\n".join(f"# line {line} of part {n}" for line in range(60))
        (root / "src" / f"part_{n}.py").write_text(f"def part_{n}():\n    value = {n}\n    return value\n{body}\n")
    return root


def long_session(alice: Person, source: Path) -> str:
    """A session in a project of its own where every call is allowed."""
    team = alice.get("/api/me/")["teams"][0]["id"]
    project = alice.post("/api/projects/", {"team": team, "name": "Bench", "source": {"kind": "path", "path": str(source)}})
    alice.post(f"/api/projects/{project['id']}/rules/", [{"tool": "*", "pattern": "*", "action": "allow"}], method="PUT")
    body = {"project": project["id"], "provider": "openai-compatible", "model": "bench", "title": "bench"}
    return str(alice.post("/api/sessions/", body)["id"])


def take_steps(alice: Person, session: str, model: ModelServer) -> list[float]:
    """Runs end at their limit of steps; a message lets the session go on. Gives the delay of every frame."""
    with Watcher(alice, session) as watcher:
        while len(model.exchanges) <= STEPS:
            alice.say(session, "Go on.")
            until(lambda: alice.status(session) in ("limit", "failed", "done"), "the run's end", 300)
            assert alice.status(session) == "limit", alice.entries(session)[-1]
        watcher.wait_for(len(alice.entries(session)))
    return watcher.delays


def comment(alice: Person, session: str) -> list[float]:
    """One fact at a time, with nothing else going on."""
    head = len(alice.entries(session))
    with Watcher(alice, session) as watcher:
        watcher.wait_for(head)
        watcher.delays.clear()
        for n in range(1, COMMENTS + 1):
            alice.post(f"/api/sessions/{session}/comments/", {"text": f"Comment {n}"})
            watcher.wait_for(head + n)
    return watcher.delays


def step_results(model: ModelServer, tools: list[float]) -> dict[str, dict[str, float]]:
    whole = dict(model.steps())
    own = {n: seconds - tools[n] for n, seconds in whole.items() if n < len(tools)}
    results = {}
    for name, steps in (("with its tool", whole), ("without its tool", own)):
        for window in (EARLY, LATE):
            chosen = [seconds for n, seconds in steps.items() if window[0] <= n + 1 <= window[1]]
            results[f"step {window[0]}-{window[1]} {name}"] = spread(chosen)
        results[f"all steps {name}"] = spread(steps.values())
    return results


def spread(seconds: Iterable[float]) -> dict[str, float]:
    """Mean, median and 95th percentile in milliseconds."""
    values = sorted(value * 1000 for value in seconds)
    return {
        "mean": round(statistics.mean(values), 2),
        "p50": round(statistics.median(values), 2),
        "p95": round(values[int(len(values) * 0.95) - 1 if len(values) > 1 else 0], 2),
        "count": len(values),
    }


def report(results: dict[str, dict[str, float]], prefixes_held: bool) -> None:
    print(f"{'milliseconds':<34}{'mean':>9}{'p50':>9}{'p95':>9}{'count':>8}")
    for name, row in results.items():
        print(f"{name:<34}{row['mean']:>9}{row['p50']:>9}{row['p95']:>9}{row['count']:>8}")
    early, late = (results[f"step {low}-{high} with its tool"]["mean"] for low, high in (EARLY, LATE))
    print(f"\ngrowth from step 10 to step 500: {late / early:.2f}×")
    print(f"every request began with the one before: {'yes' if prefixes_held else 'NO'}")


if __name__ == "__main__":
    main()
