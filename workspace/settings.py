"""Every setting of the host. The environment is read here and nowhere else; README.md lists the variables.

What is wrong with the values is said by the system checks in `workspace/checks.py`.
"""

from __future__ import annotations

import os
from pathlib import Path
from secrets import token_urlsafe
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from cryptography.fernet import Fernet

from workspace.embedded import broker_address, redis_address
from workspace.keys import kept_key
from workspace.variables import bound, command, features, flag, number, text, words

# --- this installation -------------------------------------------------------------------------------------------------

BASE_DIR = Path(__file__).resolve().parent.parent
COUNTERSIGN_HOME = Path(text("COUNTERSIGN_HOME", str(BASE_DIR / "var"))).expanduser().resolve()
PORT = number("PORT", 8000)
BASE_URL = text("BASE_URL", f"http://localhost:{PORT}").rstrip("/")
"""How people reach this server; one-time links and invitations begin with it."""
OVER_HTTPS = BASE_URL.startswith("https://")
DEBUG = flag("DEBUG")

SECRET_KEY = text("SECRET_KEY") or kept_key(COUNTERSIGN_HOME / "secret.key", lambda: token_urlsafe(50))
ENCRYPTION_KEY = text("ENCRYPTION_KEY") or kept_key(COUNTERSIGN_HOME / "encryption.key", lambda: Fernet.generate_key().decode())
"""Fernet key for the provider keys that teams store. Losing it loses them, and nothing else."""

ALLOWED_HOSTS = words("ALLOWED_HOSTS") or list(dict.fromkeys(["localhost", "127.0.0.1", "[::1]", urlsplit(BASE_URL).hostname or ""]))
CSRF_TRUSTED_ORIGINS = [BASE_URL]

# --- agents ------------------------------------------------------------------------------------------------------------

SANDBOX = text("COUNTERSIGN_SANDBOX")
"""Force a level (bubblewrap, landlock, local); empty takes the strongest that works here."""
ALLOWED_PATHS = [Path(path).expanduser().resolve() for path in words("COUNTERSIGN_ALLOWED_PATHS", os.pathsep)]
"""Folders of this machine that projects may be copied from."""
PROXIES = {name: os.environ[name] for name in ("http_proxy", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy") if name in os.environ}
"""What cloning needs to know to get out of this network."""
ALLOW_PRIVATE_URLS = flag("COUNTERSIGN_ALLOW_PRIVATE_URLS")
ALLOW_PRIVATE_READS = flag("ATOMIC_ALLOW_PRIVATE_URL_READS")
"""The same for `read` of the Atomic toolset alone."""
PROVIDER_KEYS: dict[str, dict[str, str]] = {
    "openai": {"key": text("OPENAI_API_KEY"), "base_url": text("OPENAI_BASE_URL")},
    "anthropic": {"key": text("ANTHROPIC_API_KEY"), "base_url": text("ANTHROPIC_BASE_URL")},
    "google": {"key": text("GOOGLE_API_KEY") or text("GEMINI_API_KEY"), "base_url": text("GOOGLE_BASE_URL")},
    "openai-compatible": {"key": text("COMPATIBLE_API_KEY"), "base_url": text("COMPATIBLE_BASE_URL")},
}
"""Keys of the installation, used where a team has stored none of its own."""
SEARCH_KEYS = {"serpapi": text("SERPAPI_API_KEY"), "brave": text("BRAVE_SEARCH_API_KEY"), "tavily": text("TAVILY_API_KEY")}
"""Keys of the installation for search backends; a team's own secrets of the variables' names go first."""
SEARCH_PLACES = {
    "serpapi": text("SERPAPI_BASE_URL"), "brave": text("BRAVE_SEARCH_BASE_URL"), "tavily": text("TAVILY_BASE_URL"),
    "duckduckgo": text("DUCKDUCKGO_BASE_URL"), "bing": text("BING_PAGE_URL"), "duckduckgo_html": text("DUCKDUCKGO_PAGE_URL"),
}  # fmt: skip
"""Other addresses for search backends and the engines that the browser asks; private ones too are the operator's to name."""
TOOL_PROFILE = text("CODER_PROFILE")
"""Which tools agents have where a project chose nothing: minimal, standard, full or custom; empty is standard."""
TOOL_FEATURES = features("CODER_FEATURE_")
"""Feature group → on or off, over the profile. What is off here is off in every project."""
LANGUAGE_SERVERS = {
    kind: command(f"CODER_LSP_SERVER_{kind.upper()}") for kind in ("python", "typescript", "rust", "go", "cpp", "workspace")
}
"""Command lines of language servers that go before those that are found; `workspace` answers for the whole project."""
PROGRAM_FOLDERS = (str(BASE_DIR / "frontend" / "node_modules" / ".bin"),)
"""Where language servers are looked for besides the project, our interpreter's folder and PATH."""
MODEL_SILENCE = number("COUNTERSIGN_MODEL_SILENCE", 120)
"""Seconds without a byte from a model after which a request has failed."""
HAND_SKILLS = Path(text("COUNTERSIGN_SKILLS", "~/.countersign/skills")).expanduser()
HAND_PROVIDER, HAND_MODEL = text("COUNTERSIGN_PROVIDER", "scripted"), text("COUNTERSIGN_MODEL")
"""Who answers the sub-agents of tools worked by hand; an empty model is the provider's usual one."""
AGENT_DEPTH, AGENTS_IN_ALL = number("COUNTERSIGN_AGENT_DEPTH", 3), number("COUNTERSIGN_AGENTS", 200)
"""How deep sub-agents may be nested (0 allows none), and how many one session may start with all below it."""
MODEL_CALLS, TOOL_CALLS, RUN_SECONDS = (bound(f"COUNTERSIGN_{name}") for name in ("MODEL_CALLS", "TOOL_CALLS", "RUN_SECONDS"))
"""What one run may use of each, in place of what its workflow allows; None leaves that to the workflow."""
AROUND: dict[str, int] = {
    "search.contextBefore": number("COUNTERSIGN_SEARCH_BEFORE", 1),
    "search.contextAfter": number("COUNTERSIGN_SEARCH_AFTER", 3),
    "no_terminals": flag("PI_NO_PTY") or flag("ATOMIC_NO_PTY"),
}
"""Flags of the Atomic tools: how many lines `search` shows before and after each match, and whether `bash` has no terminals."""
DEMO_SCRIPT = text("COUNTERSIGN_SCRIPT")
"""YAML that the scripted provider plays; empty plays the one that ships with it."""

# --- Django ------------------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "csp",
    "workspace",  # for its management commands
    "workspace.accounts",
    "workspace.projects",
    "workspace.memories",
    "workspace.skills",
    "workspace.connections",
    "workspace.sessions",
    "workspace.comparisons",
    "workspace.web",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "workspace.middleware.SayRefusals",
]
ROOT_URLCONF = "workspace.urls"
ASGI_APPLICATION = "workspace.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = False

# --- data --------------------------------------------------------------------------------------------------------------

DATABASE_URL = text("DATABASE_URL", f"sqlite:///{COUNTERSIGN_HOME / 'countersign.sqlite3'}")
DATABASES: dict[str, Any] = {"default": dict(dj_database_url.parse(DATABASE_URL))}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY;",
    }
else:
    DATABASES["default"]["OPTIONS"] = {**DATABASES["default"].get("OPTIONS", {}), "pool": {"min_size": 1, "max_size": 32, "timeout": 10}}

REDIS_URL = text("REDIS_URL", redis_address(COUNTERSIGN_HOME))
CHANNEL_LAYERS: dict[str, Any] = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": "countersign"},
    }
}
CACHES: dict[str, Any] = {
    "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL, "KEY_PREFIX": "countersign"}
}

CELERY_BROKER_URL = broker_address(REDIS_URL)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_DEFAULT_QUEUE = "countersign"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = False
CELERY_WORKER_POOL = "threads"
CELERY_WORKER_CONCURRENCY = number("WORKER_THREADS", 64)
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE_FILENAME = str(COUNTERSIGN_HOME / "run" / "beat")
LEASE_SECONDS = number("COUNTERSIGN_LEASE_SECONDS", 15)
"""How long a worker may be silent before its runs are given to another."""
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "workspace.sessions.tasks.sweep", "schedule": LEASE_SECONDS / 3, "options": {"expires": LEASE_SECONDS / 3}}
}

# --- people ------------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "sign_in"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
SESSION_ENGINE = "django.contrib.sessions.backends.db"
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_NAME = "countersign_session"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = OVER_HTTPS
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = OVER_HTTPS
CSRF_FAILURE_VIEW = "workspace.web.views.forbidden"
TRUSTED_PROXIES = number("TRUSTED_PROXIES", 0)
"""How many reverse proxies stand in front; the sign-in throttle reads the client's address accordingly."""

# --- what browsers are told --------------------------------------------------------------------------------------------

SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if OVER_HTTPS and TRUSTED_PROXIES else None
SECURE_HSTS_SECONDS = 30 * 24 * 3600 if OVER_HTTPS else 0
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "connect-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}

STATIC_URL = "/static/"
FRONT_END = BASE_DIR / "static" / "app"
"""Where the front end is built to."""
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/app/assets/.+$"
WHITENOISE_AUTOREFRESH = DEBUG
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 2**20
DATA_UPLOAD_MAX_NUMBER_FILES = 400
"""A skill's folder has at most 200; what systems add to one by themselves is left out only once it has come."""
FILE_UPLOAD_PERMISSIONS = 0o600

# --- API ---------------------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "workspace.accounts.authentication.TokenAuthentication",
        "workspace.accounts.authentication.BrowserAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_PAGINATION_CLASS": "workspace.pagination.CursorPages",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "workspace.problems.to_response",
    "PAGE_SIZE": 50,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Countersign",
    "VERSION": "1",
    "DESCRIPTION": "Everything the page does, without a browser. Sign in with `Authorization: Bearer <token>`.",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.IsAuthenticated"],
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "ApprovalVerdictEnum": ["allow", "deny"],
        "ApprovalScopeEnum": ["once", "session", "project"],
        "ReviewVerdictEnum": ["approved", "changes"],
        "MemoryScopeEnum": ["user", "project", "team"],
        "MemoryTypeEnum": ["user", "feedback", "project", "reference"],
        "AskStateEnum": "workspace.sessions.choices.AskState",
        "RunStateEnum": ["idle", "queued", "running", "waiting", "done", "stopped", "failed", "limit"],
        "WorktreeStateEnum": ["open", "landed", "dropped"],
    },
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": text("LOG_LEVEL", "INFO")},
    "loggers": {name: {"level": "WARNING"} for name in ("daphne", "httpx", "httpx2", "mcp")},
}
