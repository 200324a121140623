# Everything a checkout needs, with Python 3.11 or newer, make and a POSIX shell.

BIN := .venv/bin
STAMP := .venv/.ready
CHROMIUM := .venv/.chromium

# The environment of test-oldest, and its interpreter: the oldest that pyproject.toml allows.
OLDEST := .venv-oldest
OLDEST_PYTHON ?= python3.11

# The compiled kernels are made where there are their sources and cargo, unless STEELYARD_BUILD is
# numpy; steelyard runs without them too.
RUST := $(wildcard setup.py rust/Cargo.* rust/src/*.rs rust/src/*/*.rs)
ifneq ($(STEELYARD_BUILD),numpy)
KERNELS := $(and $(RUST),$(shell command -v cargo),.venv/.kernels)
endif

# Interpreters to try, in this order. One that is named (make PYTHON=...) is used or refused.
PYTHON ?=
CANDIDATES := $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11)

# The tests' own threads need room too, and beyond a few workers start-up outweighs the gain.
PYTEST := $(BIN)/python -m pytest -q -n auto --maxprocesses 4

# An environment points at the folder it was made in: the scripts' first lines, the path to src.
# The stamp holds that folder, so that a copied or moved checkout, whose environment would run the
# other folder's code, makes its own. So does one whose interpreter is gone.
MADE_IN := $(shell test -x $(BIN)/python && cat $(STAMP) 2>/dev/null)
ifneq ($(MADE_IN),$(CURDIR))
.PHONY: $(STAMP)
endif

export PIP_DISABLE_PIP_VERSION_CHECK := 1

# Each process compiles all of Python's files again where this is set: 40 % of the time of tests
# that run commands, and 7 s before the first test.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup demo test test-all test-sanitizer test-oldest chromium bench coverage lint format stubs pages gold wheel clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

setup: $(STAMP) $(KERNELS) ## make .venv with everything in it; fast if it exists
	@echo "setup: .venv is ready"

# The stamp goes first and comes last. A run that was cut short leaves none, and the next one starts
# from an empty .venv; a change to pyproject.toml only brings the finished one up to date.
$(STAMP): pyproject.toml
	@if [ '$(MADE_IN)' = '$(CURDIR)' ]; then \
	    echo "setup: bringing .venv up to date"; \
	    rm -f $(STAMP); \
	    exit 0; \
	fi; \
	found=; bare=; \
	for candidate in $(CANDIDATES); do \
	    "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	    if "$$candidate" -c 'import ensurepip, venv' 2>/dev/null; then found=$$candidate; break; fi; \
	    bare=$${bare:-$$candidate}; \
	done; \
	if [ -z "$$found" ] && [ -n "$$bare" ]; then \
	    echo "setup: $$bare comes without venv and ensurepip, which make .venv." >&2; \
	    echo "Install them (Debian and Ubuntu: the package python3-venv), then run make again." >&2; \
	    exit 1; \
	elif [ -z "$$found" ]; then \
	    echo "setup: found no Python 3.11 or newer; tried: $(CANDIDATES)." >&2; \
	    echo "Install one, or name one: make setup PYTHON=path/to/python" >&2; \
	    exit 1; \
	fi; \
	echo "setup: making .venv with $$found ($$("$$found" --version)); this takes a minute"; \
	rm -f $(STAMP); \
	"$$found" -m venv --clear .venv
	@# --group came with pip 25.1, and an interpreter may bring an older one.
	@echo "setup: 1 of 2: a recent pip"
	@$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	@echo "setup: 2 of 2: steelyard, and what its tests and pictures need"
	@{ STEELYARD_BUILD=numpy $(BIN)/python -m pip install --progress-bar off --editable . --group dev; echo "ended $$?"; } | { \
	    code=1; found=0; \
	    while read -r word name rest; do \
	        case "$$word $$name" in \
	            Collecting*) found=$$((found + 1));; \
	            Downloading*) echo "setup: downloading $${name##*/} $$rest";; \
	            "Installing collected") echo "setup: installing $$found packages";; \
	            ended*) code=$$name;; \
	        esac; \
	    done; exit $$code; }
	@printf '%s\n' '$(CURDIR)' > $(STAMP)

# Tried again by the next make where it failed; in CI that is an error.
$(KERNELS): $(RUST) $(STAMP)
	@echo "setup: compiling the kernels"
	@if $(BIN)/python setup.py -q build_rust --inplace --release > .venv/kernels.log 2>&1; then \
	    touch $@; \
	else \
	    rm -f src/steelyard/kernels/_rust*.so; \
	    tail -n 20 .venv/kernels.log >&2; \
	    echo "setup: THE COMPILED KERNELS WERE NOT BUILT (.venv/kernels.log has it all)." >&2; \
	    echo "steelyard goes on with the NumPy kernels: the same numbers, more slowly." >&2; \
	    test -z "$$CI"; \
	fi

demo: $(STAMP) ## make realistic ads logs, evaluate one, say why AUC fell between two, and write the pages
	@$(BIN)/steelyard demo
	@command -v steelyard >/dev/null || \
	    printf '\n%s\n' 'The command steelyard is in $(BIN): to type it, run . $(BIN)/activate first.' >&2

test: lint $(KERNELS) $(CHROMIUM) ## lint, then the tests
	@$(if $(KERNELS),echo "test: cargo test" && cargo test --quiet --manifest-path rust/Cargo.toml >/dev/null)
	@echo "test: pytest"
	@$(PYTEST)

test-all: lint $(KERNELS) $(CHROMIUM) ## lint, then every test, the full product of splits, orders, threads and engines too, test-sanitizer and test-oldest
	@$(if $(KERNELS),$(MAKE) --no-print-directory test-sanitizer)
	@echo "test: pytest, everything"
	@$(PYTEST) -m ""
	@$(MAKE) --no-print-directory test-oldest

# Finds what unsafe code reads or writes beyond its memory. Only a nightly toolchain has it.
test-sanitizer: ## the tests of the kernels' crate with an address sanitizer, where cargo +nightly is there
	@if cargo +nightly --version >/dev/null 2>&1; then \
	    echo "test: cargo test, address sanitizer"; \
	    RUSTFLAGS=-Zsanitizer=address CARGO_TARGET_DIR=rust/target/sanitizer \
	        cargo +nightly test --quiet --locked --manifest-path rust/Cargo.toml \
	        --target $$(rustc -vV | sed -n 's/host: //p') >/dev/null; \
	else \
	    echo "test-sanitizer: SKIPPED, there is no nightly toolchain of Rust" >&2; \
	fi

# An environment of its own, made again when pyproject.toml or the oldest Python changes.
test-oldest: $(OLDEST)/.ready ## the tests with the oldest Python and the oldest releases that pyproject.toml allows
	@echo "test: pytest, oldest releases"
	@$(OLDEST)/bin/python -m pytest -q -n auto --maxprocesses 4

$(OLDEST)/.ready: pyproject.toml tools/oldest.py | $(STAMP)
	@command -v $(OLDEST_PYTHON) >/dev/null || { \
	    echo "test-oldest: found no $(OLDEST_PYTHON), which the oldest releases are made for." >&2; \
	    echo "Install it, or name one: make test-oldest OLDEST_PYTHON=path/to/python" >&2; \
	    exit 1; \
	}
	@echo "test-oldest: making $(OLDEST) with $(OLDEST_PYTHON); this takes a minute"
	@$(OLDEST_PYTHON) -m venv --clear $(OLDEST)
	@$(OLDEST)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	@$(BIN)/python -m tools.oldest > $(OLDEST)/constraints.txt
	@$(OLDEST)/bin/python -m pip install --quiet --editable . --group dev --constraint $(OLDEST)/constraints.txt
	@touch $(OLDEST)/.ready

chromium: $(STAMP) ## install Chromium for the tests in a browser, where that can be done
	@$(BIN)/python -m tools.chromium

# make test tries it once: without a network, each attempt may take a while.
$(CHROMIUM): | $(STAMP)
	@$(BIN)/python -m tools.chromium
	@touch $(CHROMIUM)

bench: $(STAMP) $(KERNELS) .venv/.bench ## measure every operation beside other tools, and write bench/RESULTS.md; a quarter of an hour
	@$(BIN)/python -m bench

# Other tools to measure; the benchmark goes on without those that cannot be installed.
.venv/.bench: pyproject.toml | $(STAMP)
	@echo "bench: installing other tools"
	@$(BIN)/python -m pip install --quiet --group bench || echo "bench: not all of them can be installed" >&2
	@touch $@

coverage: $(STAMP) ## measure how often intervals contain the truth, for docs/intervals.md; half an hour
	@$(BIN)/python -m bench.coverage --write

lint: $(STAMP) ## style, types and import layers
	@echo "lint: ruff check"
	@$(BIN)/ruff check --quiet
	@echo "lint: ruff format"
	@$(BIN)/ruff format --quiet --check || { echo "make format fixes these"; exit 1; }
	@echo "lint: mypy"
	@$(BIN)/mypy --no-error-summary
	@echo "lint: import layers"
	@output=$$($(BIN)/lint-imports --no-logo 2>&1) || { printf '%s\n' "$$output"; exit 1; }
ifneq ($(KERNELS),)
	@echo "lint: cargo fmt, clippy"
	@cargo fmt --check --manifest-path rust/Cargo.toml
	@cargo clippy --quiet --locked --manifest-path rust/Cargo.toml --all-targets --features python -- -D warnings
endif

format: $(STAMP) ## format the code and fix what ruff can
	@$(BIN)/ruff check --quiet --fix-only
	@$(BIN)/ruff format --quiet
	@$(if $(KERNELS),cargo fmt --manifest-path rust/Cargo.toml)

stubs: $(STAMP) ## write the type stub of the public names from the catalogue
	@$(BIN)/python -m tools.stubs

pages: $(STAMP) ## write the generated pages of docs
	@$(BIN)/python -m tools.errors_page
	@$(BIN)/python -m tools.metrics_pages
	@$(BIN)/python -m tools.presets_page
	@$(BIN)/python -m tools.intervals_page
	@$(BIN)/python -m tools.pictures

gold: $(STAMP) ## write the output of the commands into tests/shell/gold, for a reviewer to read
	@rm -f tests/shell/gold/*.txt
	@STEELYARD_WRITE_GOLD=1 $(BIN)/python -m pytest -q tests/shell/test_gold.py
	@git --no-pager diff --stat -- tests/shell/gold

wheel: $(STAMP) ## build dist/, the wheel and the sources, and try them with every Python at hand
	@$(BIN)/python -m tools.wheels

clean: ## remove caches and build products; .venv stays
	@rm -rf build dist src/*.egg-info rust/target
	@rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find src tests bench tools -name __pycache__ -type d -prune -exec rm -rf {} +
