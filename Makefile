# What a newcomer types. `make help` lists it.
#
# Each target first sees to the Debian packages that it needs (scripts/need), and touches apt only when one is missing.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help run test build docs release install uninstall manual lint format fuzz bench-build bench bench-archive bench-check soak sanitize clean

PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 60
SOAK_MINUTES ?= 30

LIBRARIES := libssl-dev libcurl4-openssl-dev libqrencode-dev libsqlite3-dev pkg-config ca-certificates
SWIFT_FILES := Sources Tests Package.swift $(wildcard Fuzz Benchmarks docs/examples)
FUZZERS := RequestParser FormDecoding ProviderAnswer Configuration TokenFile SearchQuery

help: ## this list
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r target text; do printf '  make %-14s %s\n' "$$target" "$$text"; done

# Debug: a first build takes about half as long as a release build, and nothing in the demo is slow enough to notice.
run: build ## build, then the whole job on the sandbox: `make run ARGS=--once`
	@.build/debug/homeline demo $(ARGS)

test: ## every test; installs what is missing first
	@scripts/need --swift
	@scripts/need $(LIBRARIES) jq openssl procps python3-venv sqlite3 xz-utils
	@scripts/need --optional chromium chromium-driver slowhttptest systemd binutils libfaketime libxml2-utils newsboat mandoc zsh fish
	@scripts/test

build: ## a debug build in .build/debug
	@scripts/need --swift
	@scripts/need $(LIBRARIES)
	@swift build --product homeline
	@swift build --product homelined
	@swift build --product homeline-sandbox

docs: build ## the documentation of the two libraries, by DocC, into .build/docs
	@scripts/docs

release: ## a release build in .build/release that needs no Swift at run time
	@scripts/need --swift
	@scripts/need $(LIBRARIES)
	@swift build -c release --static-swift-stdlib $$(scripts/static-cxx) --product homeline
	@swift build -c release --static-swift-stdlib $$(scripts/static-cxx) --product homelined
	@swift build -c release --static-swift-stdlib $$(scripts/static-cxx) --product homeline-sandbox

# Under sudo there is often no Swift on the PATH, and root should not own the build: what was built before is taken.
install: ## into PREFIX (/usr/local; `PREFIX=~/.local` for one user), below DESTDIR
	@if [ -z "$${SUDO_USER:-}" ] || [ ! -x .build/release/homeline-sandbox ]; then $(MAKE) --no-print-directory release; fi
	@scripts/need binutils
	@scripts/install put .build/release

uninstall: ## take away what install put into PREFIX
	@scripts/install remove

manual: ## write the manual pages and the reference of the commands anew, from the commands' declarations
	@scripts/need --swift
	@swift build --product homeline-manual
	@.build/debug/homeline-manual .

lint: ## check the format, the rules of Sources, the vocabulary, and the documentation
	@scripts/need --swift
	@swift format lint --strict -r $(SWIFT_FILES)
	@scripts/check-sources Sources
	@scripts/need python3
	@scripts/check-words
	@scripts/check-docs

format: ## rewrite the Swift files as `make lint` wants them
	@scripts/need --swift
	@swift format -i -r $(SWIFT_FILES)

# Without SWIFT_BACKTRACE=enable=no the backtracer takes the crash away from libFuzzer, and no input is written down.
fuzz: ## each parser against libFuzzer for FUZZ_SECONDS (60)
	@scripts/need --swift
	@scripts/need $(LIBRARIES)
	@for parser in $(FUZZERS); do \
	  swift build --product Fuzz$$parser --sanitize=fuzzer --scratch-path .build-fuzz; \
	  mkdir -p .build-fuzz/corpus/$$parser; \
	  SWIFT_BACKTRACE=enable=no .build-fuzz/debug/Fuzz$$parser -max_total_time=$(FUZZ_SECONDS) \
	    .build-fuzz/corpus/$$parser Fuzz/Corpus/$$parser; \
	done

# A release build of its own, linked as what is installed, so that the one for installing stays what it is.
bench-build:
	@scripts/need --swift
	@scripts/need $(LIBRARIES)
	@for product in homeline-bench homeline-bench-network homeline; do \
	  swift build -c release --static-swift-stdlib $$(scripts/static-cxx) --product $$product --scratch-path .build-bench; \
	done

bench: bench-build ## what a signature, a page and a refresh cost, beside what this machine can do
	@.build-bench/release/homeline-bench compare

bench-archive: bench-build ## what a refresh costs with many posts kept and with few, what they weigh, and searches
	@.build-bench/release/homeline-bench archive

bench-check: bench-build ## instructions, allocations and syncs counted, and compared with Benchmarks/thresholds.json
	@scripts/need valgrind strace binutils python3
	@scripts/bench-check

# The programs as they are installed; the provider is played by the debug build of the tests.
soak: release ## a service with 200 accounts for SOAK_MINUTES (30): its order, its memory, its descriptors
	@swift build --build-tests
	@HOMELINE_SOAK_MINUTES=$(SOAK_MINUTES) HOMELINE_PROGRAMS=$(CURDIR)/.build/release swift test --skip-build --filter EndToEndTests.SoakTests

sanitize: ## every test under the thread sanitizer, then under the address sanitizer
	@scripts/need --swift
	@scripts/need $(LIBRARIES) jq openssl procps python3-venv sqlite3 xz-utils
	@scripts/need --optional chromium chromium-driver slowhttptest systemd binutils libfaketime libxml2-utils newsboat mandoc zsh fish
	@scripts/test thread
	@scripts/test address

clean: ## remove everything that was built
	@rm -rf .build .build-fuzz .build-bench .build-thread .build-address

export PREFIX DESTDIR
