# `make run` starts Countersign and `make test` runs every check there is. Both set up what is missing first, in .venv and node_modules.

BIN = .venv/bin
NPM = npm --prefix frontend --no-update-notifier

.PHONY: help run setup packages page test bench lock format clean
.NOTPARALLEL:

help:
	@echo 'make run      start Countersign (the first time, set everything up)'
	@echo 'make setup    set everything up and start nothing'
	@echo 'make test     every check: style, types, units, the page, a real browser, real processes'
	@echo 'make bench    measure what the engine and the socket cost'
	@echo 'make format   let ruff and prettier lay out the code'
	@echo 'make lock     renew requirements.lock from pyproject.toml'
	@echo 'make clean    remove what setup and the checks made (not your data)'

run: setup
	@exec $(BIN)/python manage.py up

setup: packages page

# A folder is up to date while the checksum it keeps is that of the file it was made from.
packages:
	@set -e; \
	if ! $(BIN)/python -m pip --version >/dev/null 2>&1; then \
	  found=; ready=; \
	  for name in python3.13 python3.12 python3.11 python3; do \
	    if $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	      found=$$name; \
	      if $$name -c 'import ensurepip, venv' >/dev/null 2>&1; then ready=$$name; break; fi; \
	    fi; \
	  done; \
	  if [ -z "$$found" ]; then echo 'Python 3.11 or newer is needed: install it (python.org or your package manager) and try again.' >&2; exit 1; fi; \
	  if [ -z "$$ready" ]; then echo "$$found cannot make virtual environments: install its venv package (on Debian and Ubuntu: apt install python3-venv) and try again." >&2; exit 1; fi; \
	  echo "Making .venv with $$($$ready --version)"; \
	  $$ready -m venv --clear .venv; \
	fi; \
	want=$$(cksum < requirements.lock); \
	if [ "$$want" != "$$(cat .venv/.installed 2>/dev/null)" ]; then \
	  echo 'Installing Python packages (about half a minute)'; \
	  $(BIN)/python -m pip install -qq --disable-pip-version-check --no-input --no-deps --require-hashes -r requirements.lock; \
	  echo "$$want" > .venv/.installed; \
	fi

page:
	@set -e; \
	if ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null || ! npm --version >/dev/null 2>&1; then \
	  echo 'Node 20.19 or newer, with npm, is needed to build the page: install it (nodejs.org or your package manager) and try again.' >&2; exit 1; \
	fi; \
	want=$$(cksum < frontend/package-lock.json); \
	if [ "$$want" != "$$(cat frontend/node_modules/.installed 2>/dev/null)" ]; then \
	  echo 'Installing the page'"'"'s packages'; \
	  $(NPM) ci --no-audit --no-fund --loglevel=error >/dev/null; \
	  echo "$$want" > frontend/node_modules/.installed; \
	fi; \
	want=$$(find frontend -name node_modules -prune -o -type f -print | LC_ALL=C sort | xargs cksum | cksum); \
	if [ "$$want" != "$$(cat static/app/.built 2>/dev/null)" ]; then \
	  echo 'Building the page'; \
	  $(NPM) run --silent build -- --logLevel error; \
	  echo "$$want" > static/app/.built; \
	fi

# What needs one processor only goes side by side: the page's checks while those of the Python code run.
test: setup
	@notes=$$(mktemp -d); trap 'rm -rf "$$notes"' EXIT; began=$$(date +%s); \
	check() { \
	  name=$$1; shift; started=$$(date +%s); printf '\n=== %s\n' "$$name"; \
	  if "$$@"; then mark=ok; else mark=FAILED; printf '; %s' "$$name" >> "$$notes/failed"; fi; \
	  printf '%s (%s s)\n' "--- $$name: $$mark" "$$(($$(date +%s) - started))"; \
	}; \
	( check 'Page: layout of the code' $(NPM) run --silent format:check; \
	  check 'Page: types' $(NPM) run --silent check; \
	  check 'Page: unit tests' $(NPM) run --silent test ) > "$$notes/page" 2>&1 & \
	check 'Layout of the code' $(BIN)/ruff format --quiet --check .; \
	check 'Lint' $(BIN)/ruff check --quiet .; \
	check 'Types' $(BIN)/mypy --no-error-summary; \
	check 'One direction' $(BIN)/lint-imports --no-logo; \
	check 'Migrations' $(BIN)/python manage.py makemigrations --check --dry-run --verbosity 0; \
	check 'Settings' $(BIN)/python manage.py check; \
	check 'Protocol of the page' $(BIN)/python manage.py export_protocol --check; \
	wait; cat "$$notes/page"; \
	check 'Unit tests' $(BIN)/pytest -q -n 2 -m 'not browser and not processes'; \
	check 'Chromium' $(BIN)/python -m tests.browser.chromium; \
	check 'In a browser' $(BIN)/pytest -q -m browser tests/browser; \
	check 'With real processes' $(BIN)/pytest -q -n 2 --dist loadfile -m processes tests/processes; \
	total=$$(($$(date +%s) - began)); \
	if [ -s "$$notes/failed" ]; then failed=$$(cat "$$notes/failed"); printf '\nFAILED after %s s: %s\n' "$$total" "$${failed#; }"; exit 1; fi; \
	printf '\nAll checks passed in %s s.\n' "$$total"

bench: setup
	@$(BIN)/python -m bench

lock: packages
	@command -v uv >/dev/null 2>&1 || $(BIN)/python -m pip install -qq --disable-pip-version-check uv
	@PATH="$$PATH:$$PWD/$(BIN)" uv pip compile --quiet --universal --python-version 3.11 --group dev pyproject.toml \
	  --generate-hashes --no-header --no-annotate -o requirements.lock

format: setup
	@$(BIN)/ruff format --quiet .
	@$(BIN)/ruff check --quiet --fix .
	@$(NPM) run --silent format

clean:
	rm -rf .venv frontend/node_modules static/app .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis dist
