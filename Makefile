# Works with Python (3.11 or newer), make and git alone: everything else is installed into .venv, pinned and hash-checked.

VENV   := .venv
PY     := $(VENV)/bin/python
PIP    := PIP_USER=0 PIP_DISABLE_PIP_VERSION_CHECK=1 $(PY) -m pip --no-input --quiet
MADE   := $(VENV)/.made
RUN    := $(VENV)/.installed-run
DEV    := $(VENV)/.installed-dev
TRAIN  := $(VENV)/.installed-train
PYTHON ?=

.DELETE_ON_ERROR:
.PHONY: help demo test smoke check bench format constraints clean

help:
	@echo "make demo    watch it practise, then carry out one real request"
	@echo "make test    run all tests            (ARGS='-k store' chooses)"
	@echo "make smoke   train the local model for ten steps, export it and load it   (installs torch, 5 GB)"
	@echo "make check   ruff and mypy --strict"
	@echo "make bench   measure: accuracy, speed, isolation  (minutes)"

demo: $(RUN)
	@$(VENV)/bin/dabhand demo $(ARGS)

test: $(DEV)
	$(PY) -m pytest $(ARGS)

smoke: $(TRAIN)
	$(PY) -m pytest tests/training/test_smoke.py $(ARGS)

check: $(DEV)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy --strict src

format: $(DEV)
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

bench: $(RUN)
	$(PY) -m benchmarks $(ARGS)

# The environment is made again only when it is missing, half made, or of a Python that has gone or is too old.
$(MADE):
	@set -e; \
	if $(PY) -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then touch $@; exit 0; fi; \
	for python in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11 python; do \
	    if $$python -c 'import ensurepip, venv, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	        echo "Making $(VENV) with $$($$python --version)"; \
	        $$python -m venv --clear $(VENV) && touch $@ && exit 0; \
	        exit 1; \
	    fi; \
	done; \
	echo "dabhand needs Python 3.11 or newer with its venv and ensurepip modules, and none was found on PATH." >&2; \
	echo "Install one (Debian, Ubuntu: apt install python3 python3-venv) or name it: make PYTHON=/path/to/python3.12 ..." >&2; \
	exit 1

$(RUN): constraints/run.txt pyproject.toml | $(MADE)
	@echo "Installing what dabhand runs with"
	@$(PIP) install --require-hashes --only-binary :all: -r constraints/run.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(DEV): constraints/dev.txt $(RUN)
	@echo "Installing what dabhand is tested with"
	@$(PIP) install --require-hashes --only-binary :all: -r constraints/dev.txt
	@touch $@

$(TRAIN): constraints/train.txt $(DEV)
	@echo "Installing what the local model is trained with"
	@$(PIP) install --require-hashes --only-binary :all: -r constraints/train.txt
	@touch $@

# Newer pins: needs pip-tools in the environment, and Python 3.11, the oldest that is supported.
COMPILE := $(VENV)/bin/pip-compile --quiet --upgrade --generate-hashes --allow-unsafe --strip-extras --no-header \
	--no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options

# All but what training needs, which is large.
EXTRAS := corpus dev local mcp parquet ray remote tokens

constraints: $(DEV)
	$(PIP) install pip-tools
	$(COMPILE) --build-deps-for editable --output-file constraints/run.txt pyproject.toml
	$(COMPILE) $(EXTRAS:%=--extra %) --constraint constraints/run.txt --output-file constraints/dev.txt pyproject.toml
	$(COMPILE) --extra train --constraint constraints/dev.txt --output-file constraints/train.txt pyproject.toml

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
