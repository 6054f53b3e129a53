# Two commands set everything up on a machine with python3 and make: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)
INSTALL := $(if $(UV),VIRTUAL_ENV=$(VENV) $(UV) pip install --quiet,$(BIN)/python -m pip install --quiet --disable-pip-version-check)

.PHONY: demo test lint unit bench papers clean

demo: $(VENV)/plot
	$(BIN)/python -m sparsebayes.demo --out demo

test: lint unit

unit: $(VENV)/dev
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 -q

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Speed of fit and predict, as medians, on one core.
bench: $(VENV)/plot
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.speed.foundation

# Figures of [T01] that the library is built on.
papers: $(VENV)/dev
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.papers.foundation

$(VENV)/python:
	$(if $(UV),$(UV) venv --quiet --python $(PYTHON) $(VENV),$(PYTHON) -m venv $(VENV))
	@touch $@

$(VENV)/plot: $(VENV)/python pyproject.toml
	$(INSTALL) -e '.[plot]'
	@touch $@

$(VENV)/dev: $(VENV)/python pyproject.toml
	$(INSTALL) -e '.[dev,plot]'
	@touch $@ $(VENV)/plot

clean:
	rm -rf $(VENV) demo build dist
