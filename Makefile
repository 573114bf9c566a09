# Everything runs from .venv, which is made from requirements.lock.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
INSTALLED := .venv/.installed
JOBS ?= 2

.PHONY: install check test slow lint clean kill-matrix expected conjuncts reached edits contracts bench

install: $(INSTALLED)

$(INSTALLED): requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(PIP) install --root-user-action=ignore -r requirements.lock
	$(PIP) install --root-user-action=ignore --no-deps --no-build-isolation -e .
	touch $@

check: install
	$(BIN)/recut check

lint: install
	$(BIN)/ruff check .
	$(BIN)/mypy

test: install lint
	$(BIN)/pytest -m "not slow" -n $(JOBS)

slow: install
	$(BIN)/pytest -m slow -n $(JOBS)

# Searches the run of every mutant and writes tests/mutants/kill_matrix.json.
kill-matrix: install
	$(BIN)/python -m tests.mutants.regenerate

# Searches the runs that foreign checkers search too and writes tests/expected.json.
expected: install
	$(BIN)/python -m tests.export.regenerate

# Deletes every conjunct of every guard; goes on where it was interrupted, unless a source changed.
conjuncts: install
	$(BIN)/python -m solver.conjuncts build/conjuncts.jsonl

# Searches every run of the shipped policy and stores the cuts that are reached, for recut table diff and check.
reached: install
	$(BIN)/python -m solver.reached_search

# Judges every small edit of the shipped table by the proof and by exploration, and stores what came out.
edits: install
	$(BIN)/python -m solver.edits_stored

# Searches every contract of the map and of the catalogue, and stores what came out; goes on after an interrupt.
contracts: install
	$(BIN)/python -m solver.contract_map_search
	$(BIN)/python -m recut.contract_page

# Measures the explorer beside other checkers, where they are installed, and writes docs/benchmarks.md.
# BENCH takes options: --quick, --sizes 1e5,1e6, --rounds 5, --resume after an interruption.
bench: install
	$(BIN)/python -m benchmarks $(BENCH)

clean:
	rm -rf .venv build dist *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
