# Querent. `make help` lists the targets.

SHELL       := /bin/bash
BIN         := bin
PLUGINS     := openai ollama template
VERSION     ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS     := -s -w -X querent.dev/querent/sdk.Version=$(VERSION)
GO_BUILD    := CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)'
EVAL_FLAGS  ?= --provider template

# Tests of the tag databases start PostgreSQL and MariaDB of their own, those of
# the tag ollama an Ollama server, which they build first: test-ollama runs these.
TAGS        := -tags databases
VET_TAGS    := -tags databases,ollama,python

# Hard limits of the test groups, in seconds: several times what they take on two
# idle cores with empty caches, so that only a hang reaches them.
LIMIT_LINT  := 600
LIMIT_UNIT  := 900
LIMIT_RACE  := 2700
LIMIT_DATABASES := 1200
LIMIT_DIALECTS := 900
LIMIT_FUZZ  := 1200
LIMIT_OLLAMA := 2400
LIMIT_PYTHON := 900
LIMIT_DRILL := 14400

# What the generated code of the plugin protocol is made with.
NEED_STUBS  := protoc=protobuf-compiler grpc_python_plugin=protobuf-compiler-grpc /usr/include/google/protobuf/timestamp.proto=libprotobuf-dev

.PHONY: help build demo test test-unit test-lint test-race test-databases test-dialects test-ollama test-python test-fuzz test-generated drill bench lint eval generate clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

build: ## build the host and the plugins into bin/
	$(GO_BUILD) -o $(BIN)/querent ./cmd/host
	@set -e; for p in $(PLUGINS); do \
		echo "$(GO_BUILD) -o $(BIN)/querent-plugin-$$p ./plugins/$$p"; \
		$(GO_BUILD) -o $(BIN)/querent-plugin-$$p ./plugins/$$p; done

# The question goes through the environment, so that no shell reads it.
demo: override export QUESTION := $(value QUESTION)
demo: build ## answer questions over the demo database, with templates alone
	$(BIN)/querent demo $${QUESTION:+"$$QUESTION"}

test: test-lint test-generated test-race test-dialects test-ollama test-python test-fuzz ## the whole suite
	@echo "the whole suite passed"

test-unit: ## the quick loop: needs Go alone
	CGO_ENABLED=0 timeout $(LIMIT_UNIT) go test -timeout $(LIMIT_UNIT)s ./...

test-lint: lint

test-race:
	.ci/need gcc=gcc initdb=postgresql mariadbd=mariadb-server-core
	CGO_ENABLED=1 .ci/group race $(LIMIT_RACE) go test -race $(TAGS) -timeout $(LIMIT_RACE)s -count=1 ./...

test-databases: ## of test-race, the packages that need PostgreSQL and MariaDB
	.ci/need gcc=gcc initdb=postgresql mariadbd=mariadb-server-core
	CGO_ENABLED=1 .ci/group databases $(LIMIT_DATABASES) go test -race $(TAGS) -timeout $(LIMIT_DATABASES)s -count=1 \
		$$(git grep -l '^//go:build databases$$' -- '*_test.go' | xargs -n1 dirname | sort -u | sed 's|^|./|')

test-dialects: ## without the race detector: thousands of plans and imported queries on three databases, and what memory large structures take
	.ci/need initdb=postgresql mariadbd=mariadb-server-core
	CGO_ENABLED=0 .ci/group plain $(LIMIT_DIALECTS) go test $(TAGS) -timeout $(LIMIT_DIALECTS)s -count=1 \
		-run '^Test(ManyTables|ThousandsOfTables|ImportedSQLGivesItsRowsEverywhere|SecuredPlansAreWhatViewsShow|TheAdapterRunsSecuredPlans|AStreamTakesOutWhatTheWholeDoes|NoByteOfAReceiptCanBeChanged)' \
		./core/datasource/... ./core/pipeline ./core/pipeline/promises ./core/eval ./core/policy ./core/redact
	CGO_ENABLED=0 .ci/group dialects $(LIMIT_DIALECTS) go test $(TAGS) -timeout $(LIMIT_DIALECTS)s -count=1 ./core/sqlgen/crossdialect

test-ollama: ## ask a real Ollama server; the first time it is built, in minutes
	.ci/need gcc=gcc g++=g++ setsid=util-linux /usr/include/nlohmann/json.hpp=nlohmann-json3-dev /usr/include/stb/stb_image.h=libstb-dev
	CGO_ENABLED=1 .ci/group ollama $(LIMIT_OLLAMA) go test -race -tags ollama -timeout $(LIMIT_OLLAMA)s -count=1 -p 1 -run '^TestReal' \
		$$(git grep -l '^//go:build ollama$$' -- '*_test.go' | xargs -n1 dirname | sort -u | sed 's|^|./|')

test-python: ## the provider in Python: its stubs are what the protocol makes, it conforms, and it answers
	.ci/need /usr/lib/python3/dist-packages/grpc=python3-grpcio /usr/lib/python3/dist-packages/google/protobuf=python3-protobuf \
		/usr/lib/python3/dist-packages/cryptography=python3-cryptography $(NEED_STUBS)
	examples/python-provider/generate.sh
	git diff --exit-code -- examples/python-provider
	CGO_ENABLED=0 .ci/group python $(LIMIT_PYTHON) go test -tags python -timeout $(LIMIT_PYTHON)s -count=1 -run '^TestPython' ./cmd/host

test-fuzz: ## each fuzz target for a thousand inputs
	timeout $(LIMIT_FUZZ) .ci/fuzz 1000x

test-generated: ## generated code is what its sources make
	.ci/need protoc=protobuf-compiler /usr/include/google/protobuf/timestamp.proto=libprotobuf-dev
	timeout $(LIMIT_LINT) go generate ./sdk/...
	git diff --exit-code -- sdk

drill: ## the long form of the tests that try things at random; takes hours
	.ci/need initdb=postgresql mariadbd=mariadb-server-core
	CGO_ENABLED=0 QUERENT_DRILL=1 .ci/group drill $(LIMIT_DRILL) go test $(TAGS) -timeout $(LIMIT_DRILL)s -count=1 \
		$$(git grep -l 'drill\.Size(' -- '*_test.go' | xargs -n1 dirname | sort -u | sed 's|^|./|')
	timeout $(LIMIT_DRILL) .ci/fuzz 100000x

bench: ## print the benchmarks; ratios are to a baseline in the same run
	.ci/need initdb=postgresql mariadbd=mariadb-server-core
	CGO_ENABLED=0 go test $(TAGS) -run '^$$' -bench . -benchmem ./...

lint: ## formatting, vet and the house rules
	@unformatted=$$(git ls-files '*.go' | xargs gofmt -l); \
		if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	timeout $(LIMIT_LINT) go vet $(VET_TAGS) ./...
	.ci/group lint $(LIMIT_LINT) go test -count=1 ./core/internal/houserules

eval: build ## measure answers: make eval EVAL_DIR=folder-of-suites
	@test -n "$(EVAL_DIR)" || { echo "usage: make eval EVAL_DIR=DIR (a folder with *.jsonl suites)" >&2; exit 2; }
	@set -e; for suite in $(EVAL_DIR)/*.jsonl; do \
		$(BIN)/querent eval run --suite "$$suite" $(EVAL_FLAGS) --records "eval-records-$$(basename "$$suite")"; done
	@if [ -d "$(EVAL_DIR)/chinook" ]; then $(BIN)/querent eval run --suite core/eval/testdata/chinook.jsonl \
		--db-dir "$(EVAL_DIR)/chinook" $(EVAL_FLAGS) --records eval-records-chinook.jsonl; fi

generate: ## make the generated code and documents anew
	.ci/need $(NEED_STUBS)
	go generate ./sdk/...
	examples/python-provider/generate.sh
	go test ./core/config -run Schema -update
	go test ./cmd/host -run 'DemoFiles|CommandLinePage' -update
	go test ./core/internal/docgen -update

clean: ## remove what the targets made
	rm -rf $(BIN) .cache eval-records-*
