# make demo: create the environment, install, run the main job on bundled parts.
# make test: the same, and run the test-suite.
# make check: what CI runs, linters and types included.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
# Threads that spin while they wait cost a factor of ten on shared cores.
export OMP_WAIT_POLICY := PASSIVE
export TOKENIZERS_PARALLELISM := false

.PHONY: demo test lint check docs clean

demo: $(INSTALLED)
	rm -rf build/demo
	$(BIN)/augcse demo --output build/demo

test: $(INSTALLED)
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

check: lint test

docs: $(INSTALLED)
	$(BIN)/python scripts/generate_docs.py

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

clean:
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache
