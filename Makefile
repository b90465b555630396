# What you can do with a checkout. `make` alone lists it.

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev up test coverage check fmt bench screenshots soak faults fuzz cluster lock

# Arguments for the command behind a target: make up ARGS="--port 9000", make test ARGS="-k stores".
ARGS ?=
PACKAGES := domain services workers api tests
# Tests that play at random or try everything: they reach lines by luck, and a tracer makes them slow.
RANDOM_PLAY := properties or random or beats or counting or certain_wins or forced_wins or second_clock or leaks \
	or conserved or hidden_cards or perft

help: ## List what there is to make
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 20

setup: ## Make .venv and install what the service needs (nothing if that is done)
	@PYTHON="$(PYTHON)" sh deploy/set_up_environment.sh requirements.lock

setup-dev: ## The same, with what tests and checks need
	@PYTHON="$(PYTHON)" sh deploy/set_up_environment.sh requirements-dev.lock

# exec: the one process that gets Ctrl-C besides make itself is tablee, not a shell between them.
up: setup ## Start the service in the foreground; Ctrl-C stops it
	@exec .venv/bin/tablee up $(ARGS)

cluster: setup-dev ## Start a cluster of six Valkey servers, and the service on it; Ctrl-C ends both
	@exec .venv/bin/python -m tests.kit.valkey_cluster $(ARGS)

test: setup-dev ## Run all tests
	@.venv/bin/python -m pytest $(ARGS)

coverage: setup-dev ## Check that examples reach every line of domain/; random play does not count
	@.venv/bin/python -m pytest -q tests/unit/domain -k "not ($(RANDOM_PLAY))" --cov $(ARGS)

check: setup-dev ## Check lint, formatting, types and the direction of imports
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy $(PACKAGES)
	@.venv/bin/lint-imports

fmt: setup-dev ## Format, and fix what ruff can fix
	@.venv/bin/ruff format .
	@.venv/bin/ruff check --fix .

bench: setup-dev ## Measure against the budgets
	@.venv/bin/python -m tests.perf $(ARGS)

screenshots: setup-dev ## Take a picture of every page and state, for the eye: ARGS="lama --sizes phone"
	@.venv/bin/python -m tests.screenshots $(ARGS)

ladder: setup-dev ## Let the levels of bots play each other: ARGS="--minutes 60 --report docs/measured"
	@nice -n 19 .venv/bin/python -m tests.ladder $(ARGS)

soak: setup-dev ## Play thousands of random matches and check what must always hold
	@.venv/bin/python -m tests.soak $(ARGS)

faults: setup-dev ## Kill, freeze and starve the service while people play: ROUNDS=20
	@.venv/bin/python -m tests.faults --rounds $(or $(ROUNDS),20) $(ARGS)

fuzz: setup-dev ## Send the service requests that no client should: REQUESTS=20000
	@.venv/bin/python -m tests.fuzz --requests $(or $(REQUESTS),20000) $(ARGS)

# One lock for all of Python 3.11 to 3.14 on Linux and macOS. uv is needed for this target only.
LOCK := .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	--no-annotate --no-emit-index-url --group build pyproject.toml
lock: setup-dev ## Upgrade the dependencies: rewrite requirements.lock and requirements-dev.lock
	@.venv/bin/python -m pip install --quiet uv
	@$(LOCK) --upgrade --output-file requirements.lock
	@$(LOCK) --upgrade --extra dev --constraint requirements.lock --output-file requirements-dev.lock
