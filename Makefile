# make demo: create the environment, install, run the main job on bundled parts.
# make test: the same, and run the test-suite.
# make test-avx2: what is computed once more, as on a processor without AVX-512 and bf16; skipped on such a one.
# make test-play: the tests of the page of augcse play, which need Gradio; installed first.
# make site: the pages and the reference made from docstrings as a site in build/site; a link that leads nowhere fails.
# make bench CORPUS=FILE: measure the speeds that docs/speed.md shows, and write that page anew; over an hour on a busy core.
# make check: linters and types, all tests, also as on a smaller processor.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
# Threads that spin while they wait cost a factor of ten on shared cores.
export OMP_WAIT_POLICY := PASSIVE
export TOKENIZERS_PARALLELISM := false
# Processes, as many as there are cores; more than eight would take more memory (1 GB each) than they save time.
PYTEST := $(BIN)/python -m pytest --numprocesses auto --maxprocesses 8 --dist loadfile
# The tests that compute with torch or numpy, and the switches of torch, oneDNN, MKL and OpenBLAS. The rules on text do neither.
NUMERIC := tests/objectives tests/training tests/encoding tests/evaluation tests/analysis tests/contract/test_negatives.py \
	tests/contract/test_objectives.py tests/contract/test_padding.py tests/test_demo.py
AVX2 := ATEN_CPU_CAPABILITY=avx2 ONEDNN_MAX_CPU_ISA=AVX2 MKL_ENABLE_INSTRUCTIONS=AVX2 OPENBLAS_CORETYPE=Haswell

.PHONY: demo test test-avx2 test-play lint check docs site bench clean

demo: $(INSTALLED)
	rm -rf build/demo
	$(BIN)/augcse demo --output build/demo

test: $(INSTALLED)
	$(PYTEST)

test-avx2: $(INSTALLED)
	@capability=$$($(BIN)/python -c 'import torch; print(torch.backends.cpu.get_cpu_capability())') || exit; \
	case $$capability in \
	AVX512*) set -x; $(AVX2) $(PYTEST) $(NUMERIC) ;; \
	*) echo "test-avx2: skipped, torch computes with $$capability here: 'make test' has tried that kind of processor" ;; \
	esac

test-play: $(VENV)/play-installed
	$(BIN)/python -m pytest tests/playing tests/faults/test_table.py -k play

$(VENV)/play-installed: $(INSTALLED)
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[play]'
	touch $@

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

check: lint test test-avx2 test-play

docs: $(INSTALLED)
	$(BIN)/python scripts/generate_docs.py

bench: $(INSTALLED)
	@test -f "$(CORPUS)" || { echo "give a text file: make bench CORPUS=FILE [LIBRARIES_PYTHON=a Python with nlpaug, TextAttack and glitchlings]"; exit 2; }
	$(BIN)/python bench/record.py $(CORPUS) $(if $(LIBRARIES_PYTHON),--libraries-python $(LIBRARIES_PYTHON))
	$(BIN)/python scripts/generate_docs.py

site: $(VENV)/site-installed
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

$(VENV)/site-installed: $(INSTALLED)
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[docs]'
	touch $@

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

clean:
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache
