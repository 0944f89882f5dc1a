"""Run a peer as a process of its own: `python -m tests.peers.serve --format openai --script FILE --port N`.

Prints its base URL as its first line. With `--record FILE` each answered request becomes a JSON line.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from agents.providers.script import Script, load_script
from tests.peers.server import WIRES, Asked, Peer
from tests.peers.sessions import tool_session


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--format", choices=sorted(WIRES), required=True)
    reader.add_argument("--script", help="a YAML script; see docs/scripts.md")
    reader.add_argument("--steps", type=int, default=0, help="instead of a script: a session of so many tool calls")
    reader.add_argument("--port", type=int, default=0)
    reader.add_argument("--record", type=Path)
    options = reader.parse_args()
    script: Script = load_script(options.script) if options.script else tool_session(options.steps)
    peer = Peer(options.format, script, options.port, (lambda asked: _record(options.record, asked)) if options.record else None)
    sys.stdout.write(f"{peer.base_url}\n")
    sys.stdout.flush()
    peer.serve_forever()


def _record(path: Path, asked: Asked) -> None:
    line = {"path": asked.path, "bytes": len(asked.body), "arrived": asked.arrived, "answered": asked.answered}
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
