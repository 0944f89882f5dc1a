"""Finds a Chromium for the browser tests, or installs one: `python -m tests.browser.chromium`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
HOW = (
    "No Chromium was found and none could be installed. Install one (on Debian and Ubuntu: apt install chromium; anywhere: "
    ".venv/bin/playwright install --with-deps chromium), or set CHROMIUM to the path of yours, and try again."
)


def find() -> str | None:
    """The path of a Chromium that starts: CHROMIUM, one on PATH, or the one Playwright keeps."""
    wished = [os.environ["CHROMIUM"]] if os.environ.get("CHROMIUM") else []
    candidates = wished or [*(shutil.which(name) or "" for name in NAMES), MAC, _playwrights()]
    return next((path for path in candidates if path and _starts(path)), None)


def _playwrights() -> str:
    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def _starts(path: str) -> bool:
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=30, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def install() -> None:
    """By the means that works on this machine; what it says is shown."""
    if hasattr(os, "getuid") and os.getuid() == 0 and shutil.which("apt-get"):
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], check=False, env=quiet)
        if subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], check=False, env=quiet).returncode == 0:
            return
    playwright = Path(sys.executable).with_name("playwright")
    subprocess.run([str(playwright), "install", "chromium"], check=False)


def main() -> None:
    if find() is None:
        sys.stdout.write("Installing Chromium\n")
        sys.stdout.flush()
        install()
    path = find()
    if path is None:
        sys.exit(HOW)
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
