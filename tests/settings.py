"""The host's settings as the tests want them: a data folder of their own, everything in this process."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

for name in ("DATABASE_URL", "REDIS_URL", "DEBUG", "SECRET_KEY", "BASE_URL", "ALLOWED_HOSTS", "COUNTERSIGN_ALLOWED_PATHS"):
    os.environ.pop(name, None)
for name in [name for name in os.environ if name.startswith("CODER_")]:
    del os.environ[name]
_folder = tempfile.TemporaryDirectory(prefix="countersign-tests-")
os.environ["COUNTERSIGN_HOME"] = _folder.name

from workspace.settings import *  # noqa: E402,F403 — the environment above has to be in place first
from workspace.settings import DATABASES  # noqa: E402

DATABASES["default"]["TEST"] = {"NAME": str(Path(_folder.name) / "tests.sqlite3")}
CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
CELERY_BROKER_URL = "memory://"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
