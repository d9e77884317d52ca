# Everything a contributor runs. `make help` lists it.

SHELL := bash
.DEFAULT_GOAL := help
TARGET := $(or $(CARGO_TARGET_DIR),target)
PROGRAM = $(abspath $(TARGET))/debug/stockroom

WEB_SOURCES := $(shell find web/src web/public -type f) web/index.html web/vite.config.ts

.PHONY: run build web dist test test-browser test-program screenshots soak fuzz lint fmt bench \
	function-order help

# The README publishes this password: it is for the demo on loopback only.
run: export STOCKROOM_ADMIN_PASSWORD ?= stockroom-demo
run: build ## Build in release mode and serve a demo inventory from ./data on http://127.0.0.1:4000
	exec $(TARGET)/release/stockroom serve --demo --data ./data --listen 127.0.0.1:4000

build: dist ## Build the program and its web UI in release mode
	cargo build --release --locked -p stockroom

web: web/node_modules/.package-lock.json ## Serve the web UI with hot reload, for the server at STOCKROOM_URL (http://127.0.0.1:4000)
	cd web && npm run schema && npm run dev

# The program is complete without it: its page then says what is missing.
dist:
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory web/dist/index.html; \
	else echo "npm is missing: the program is built without its web UI" >&2; fi

web/dist/index.html: web/node_modules/.package-lock.json docs/openapi.json $(WEB_SOURCES)
	cd web && npm run --silent schema && npm run --silent build

web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	cd web && npm ci --no-progress
	@touch $@

test: ## Install what the tests need, then run all of them
	@ci/quietly install ci/install nextest postgres pgbouncer nginx haproxy python node chromium
	@ci/quietly web $(MAKE) dist
	@ci/quietly web-units npm --prefix web run unit
	@# Statements of tests that no longer exist must not be prepared.
	@rm -rf $(TARGET)/sql
	@ci/quietly nextest cargo xtask with-postgres cargo nextest run --workspace
	@# Each of them leaves a core idle now and then.
	@$(MAKE) --no-print-directory -j2 test-browser test-program

# After the tests above, which have built the program and written down all SQL.
test-browser:
	@ci/quietly web-browser npm --prefix web run browser
	@ci/quietly web-postgres cargo xtask with-postgres npm --prefix web run browser-main

test-program:
	@# The program that nextest has built: for the package alone, cargo would build other features.
	@ci/quietly ansible env STOCKROOM_BINARY=$(PROGRAM) .venv/bin/python ci/ansible
	@ci/quietly clients env STOCKROOM_BINARY=$(PROGRAM) .venv/bin/python ci/clients
	@# All crates, so that the libraries are those that nextest has built.
	@ci/quietly doctest cargo test --doc --workspace
	@ci/quietly prepare-sql cargo xtask prepare-sql
	@ci/quietly schemathesis env STOCKROOM_BINARY=$(PROGRAM) ci/schemathesis

screenshots: dist ## Take pictures of the main screens of the web UI, into target/screenshots
	ci/install node chromium
	cargo build -p stockroom
	npm --prefix web run screenshots

soak: ## Break the database under three nodes, kill servers, attack one (STOCKROOM_SOAK_SECONDS=60)
	ci/install postgres strace
	cargo test -p stockroom --test cluster again_and_again -- --ignored --nocapture
	cargo test -p stockroom --test crash again_and_again -- --ignored --nocapture --test-threads=1
	cargo test --release -p stockroom --test attack again_and_again -- --ignored --nocapture

# Our own crates are optimised, to try more inputs in ten minutes.
fuzz: export STOCKROOM_FUZZ_SECONDS ?= 600
fuzz: export STOCKROOM_FUZZ_SEED ?= $(shell date +%s)
fuzz: ## Feed mutated inputs to all readers of client input (STOCKROOM_FUZZ_SECONDS=600)
	CARGO_PROFILE_DEV_OPT_LEVEL=2 cargo test -p stockroom-fuzz --test targets -- --nocapture

lint: ## Check format, lints, dependencies between crates; licences, sources, advisories of libraries
	@ci/quietly install ci/install deny node
	@ci/quietly web $(MAKE) dist
	@ci/quietly web-check npm --prefix web run check
	@ci/quietly fmt cargo fmt --all --check
	@ci/quietly clippy cargo clippy --workspace --all-targets -- -D warnings
	@ci/quietly dependencies cargo xtask check-dependencies
	@ci/quietly deny cargo deny check bans licenses sources
	@ci/quietly advisories-crates ci/advisories crates
	@ci/quietly advisories-packages ci/advisories packages

fmt: web/node_modules/.package-lock.json ## Format the code
	cargo fmt --all
	npm --prefix web run format

# With ENGINE=postgres on PostgreSQL. QUICK=1 measures 100,000 objects, ONLY=list measures one row;
# neither writes to the file.
bench: build ## Measure speed and memory, and write docs/benchmarks (Linux, two cores)
	cargo build --release --locked -p stockroom-bench
	$(TARGET)/release/stockroom-bench $(if $(ENGINE),--engine $(ENGINE)) $(if $(QUICK),--quick) \
		$(if $(ONLY),--only $(ONLY))

# The list may be older than the code: a function that it lacks stands with those that run rarely.
function-order: build ## Write anew which functions stand together in the program (needs valgrind)
	cargo xtask with-postgres ci/function-order

help: ## List these targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 16
