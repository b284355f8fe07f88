# What a newcomer types. `make help` lists it.
#
# Each target first sees to the Debian packages that it needs (scripts/need), and touches apt only when one is missing.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help run test build release install uninstall lint format fuzz sanitize clean

PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 60

LIBRARIES := libssl-dev libcurl4-openssl-dev libqrencode-dev libsqlite3-dev pkg-config ca-certificates
SWIFT_FILES := Sources Tests Package.swift $(wildcard Fuzz docs/examples)
FUZZERS := RequestParser ProviderAnswer

help: ## this list
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|'

# Debug: a first build takes about half as long as a release build, and nothing in the demo is slow enough to notice.
run: build ## build, then the whole job on the sandbox: `make run ARGS=--once`
	@.build/debug/homeline demo $(ARGS)

test: ## every test; installs what is missing first
	@scripts/need --swift
	@scripts/need $(LIBRARIES) jq openssl python3-venv sqlite3
	@scripts/need --optional chromium chromium-driver systemd binutils
	@scripts/test

build: ## a debug build in .build/debug
	@scripts/need --swift
	@scripts/need $(LIBRARIES)
	@swift build --product homeline
	@swift build --product homelined

release: ## a release build in .build/release that needs no Swift at run time
	@scripts/need --swift
	@scripts/need $(LIBRARIES)
	@swift build -c release --static-swift-stdlib --product homeline
	@swift build -c release --static-swift-stdlib --product homelined

# Under sudo there is often no Swift on the PATH, and root should not own the build: what was built before is taken.
install: ## into PREFIX (/usr/local; `PREFIX=~/.local` for one user), below DESTDIR
	@if [ -z "$${SUDO_USER:-}" ] || [ ! -x .build/release/homelined ]; then $(MAKE) --no-print-directory release; fi
	@scripts/need binutils
	@scripts/install put .build/release

uninstall: ## take away what install put into PREFIX
	@scripts/install remove

lint: ## formatting, what may not stand in Sources, and the links of the documentation
	@scripts/need --swift
	@swift format lint --strict -r $(SWIFT_FILES)
	@scripts/no-foundation Sources
	@scripts/need python3
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

sanitize: ## every test under the thread sanitizer, then under the address sanitizer
	@scripts/need --swift
	@scripts/need $(LIBRARIES) jq openssl python3-venv sqlite3
	@scripts/need --optional chromium chromium-driver systemd binutils
	@scripts/test thread
	@scripts/test address

clean: ## remove everything that was built
	@rm -rf .build .build-fuzz .build-thread .build-address

export PREFIX DESTDIR
