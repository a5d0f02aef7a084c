# Toolcrib: what one does with it, each in one word. Needs a JDK (17 or newer), Maven and Rust.
.DEFAULT_GOAL := help
.PHONY: help demo test lint format bench bench-full bench-core bench-gate eval conversion-report package reproducible clean

MVN   ?= mvn
CARGO ?= cargo

published := toolcrib toolcrib-mcp toolcrib-spring-boot-starter
demo_jar := java/demo/target/toolcrib-demo.jar
sources  := $(shell git ls-files -co --exclude-standard -- Cargo.toml Cargo.lock build.rs rust java 2>/dev/null \
              | grep -v -e /src/test/ -e ^rust/core/tests/ -e ^rust/core/benches/)

help: ## what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(demo_jar) ## play the demo and keep serving; ONCE=1 ends after it, TOOLS=FILE… loads more tools, MCP=FILE… puts the demo before the MCP servers of mcp.json files, ASK=… asks them, PORT=… serves there
	@scripts/demo '$(ONCE)' '$(PORT)' '$(PWD)' '$(value ASK)' '$(MCP)' $(TOOLS)

# A target of its own, so that a second demo starts at once.
$(demo_jar): $(filter java/% rust/% Cargo.% build.rs,$(sources))
	@echo "building (the first time takes a few minutes) …"
	@$(MVN) -q -f java -pl demo -am -DskipTests package
	@touch $@

# The same generated cases each time; another seed, or PROPTEST_CASES=10000, looks further.
test: export PROPTEST_RNG_SEED ?= 20261130
test: ## everything that cargo and Maven test
	$(CARGO) test --workspace --locked --quiet
	$(MVN) -f java --batch-mode --no-transfer-progress verify

lint: ## formatting and clippy; Error Prone checks at every compilation
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked --quiet -- -D warnings
	$(MVN) -q -f java --batch-mode --no-transfer-progress -Plint validate
	@! git grep -nE '%[,.0-9]*[dfx]' -- $(published:%=java/%/src/main) || \
	  { echo "digits depend on the locale of the JVM here, and models read them: use %s" >&2; false; }

format: ## puts all sources into shape
	$(CARGO) fmt --all
	$(MVN) -q -f java -Plint -pl '!toolcrib-bom' com.diffplug.spotless:spotless-maven-plugin:apply

# In JVMs of their own, one a workload; WORKLOAD=search measures that one alone. The report is made anew.
measured := $(CURDIR)/target/bench/jvm
bench: profile := bounded
bench-full: profile := full
bench: ## Toolcrib beside its peers in the JVM, at most 20 minutes; writes docs/performance.md
bench-full: ## the same, for about two hours
bench bench-full:
	$(MVN) -q -f java -pl benchmarks -am -DskipTests -Pbench package \
	  -Dbench.profile=$(profile) -Dbench.folder=$(measured) -Dbench.workload=$(WORKLOAD)
	$(CARGO) bench --quiet --locked --package toolcrib-core --bench session_search -- \
	  $(measured)/session_search.jsonl $(measured)/session_search.json
	python3 scripts/performance_report.py $(measured)

bench-core: ## how fast the search core is
	$(CARGO) bench --package toolcrib-core --bench search

bench-gate: ## fails if the search core takes more instructions than recorded; needs valgrind
	rust/core/benches/instructions.sh

eval: ## how well search finds the right tool
	$(CARGO) run --release --locked --package toolcrib-eval -- $(if $(DATA),--data $(DATA))

# The tables are written between the marks of docs/schema-conversion.md; the speed is printed.
conversion-report: ## how every real schema reaches every provider, and how fast
	$(CARGO) run --release --locked --package toolcrib-core --example conversion_report >/dev/null
	$(CARGO) run --release --locked --package toolcrib-core --example conversion_bench

package: ## what is published, as a Maven repository in target/repository, with the library of this platform; PLATFORMS=… names others too
	@scripts/packaging/package

reproducible: ## packages twice and compares every byte
	@scripts/packaging/reproducible

clean: ## removes everything that was built
	$(CARGO) clean --quiet
	$(MVN) -q -f java clean
