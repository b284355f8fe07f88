# The commands for developers. `make help` lists them.
#
# Each target first installs any missing Debian packages that it needs (scripts/need).

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help run test test-long build docs release install uninstall deb dist test-packages test-minimal test-reproducible manual lint format fuzz bench-build bench bench-archive bench-check soak sanitize clean

PREFIX ?= /usr/local
DESTDIR ?=
# The mail address for `homeline report`, which becomes part of the build.
REPORT_ADDRESS ?=
FUZZ_SECONDS ?= 60
SOAK_MINUTES ?= 30

# g++ has the linker and the C and C++ libraries that a Swift toolchain needs.
LIBRARIES := g++ libssl-dev libcurl4-openssl-dev libqrencode-dev libsqlite3-dev libutf8proc-dev libyaml-dev pkg-config ca-certificates
# The tests need the tools. Without one of the programs, the tests that use it are skipped.
TEST_TOOLS := jq openssl procps python3-venv sqlite3 xz-utils
TEST_PROGRAMS := chromium chromium-driver slowhttptest systemd binutils libfaketime libxml2-utils libimage-exiftool-perl newsboat mandoc zsh fish dbus gnome-keyring libsecret-tools debhelper isync msmtp neomutt aerc libsasl2-modules-kdexoauth2 rss2email elpa-elfeed emacs-nox \
  curl less locales firefox-esr w3m nginx openssh-server
SWIFT_FILES := Sources Tests Package.swift $(wildcard Fuzz Benchmarks docs/examples)
# The installed programs need no Swift runtime, and do not search their own folder for libraries ($ORIGIN). Debug information would be
# stripped, and takes a tenth of the build's time.
RELEASE_OPTIONS = -c release -debug-info-format none --static-swift-stdlib --disable-local-rpath $$(scripts/static-libraries)
FUZZERS := RequestParser FormDecoding ProviderResponse Configuration TokenFile OutboxRecord SearchQuery MediaFile MultipartReader WebPath

help: ## list the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r target text; do printf '  make %-17s %s\n' "$$target" "$$text"; done

# The demo uses a debug build, whose first build takes about half as long as a release build. The demo is fast enough with it.
run: build ## build, then run the demonstration: `make run ARGS=--once`
	@.build/debug/homeline demo $(ARGS)

test: ## build and run all tests
	@scripts/need --swift
	@scripts/need --localhost
	@scripts/need $(LIBRARIES) $(TEST_TOOLS)
	@scripts/need --optional $(TEST_PROGRAMS)
	@scripts/test

# The other tests of screens are part of `make test`.
test-long: ## check the screens of all documented commands on all kinds of terminals (about 5 minutes)
	@scripts/need --swift
	@scripts/need $(LIBRARIES) jq python3-venv
	@swift build --build-tests
	@HOMELINE_LONG_TESTS=1 HOMELINE_PEERS_PYTHON=$$(scripts/peers) SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$$(nproc) swift test --skip-build --filter EndToEndTests.ScreenTests

build: ## build the programs for debugging, in .build/debug
	@scripts/need --swift
	@scripts/need $(LIBRARIES)
	@swift build --product homeline
	@swift build --product homelined
	@swift build --product homeline-sandbox

docs: build ## write the documentation of the two libraries into .build/docs (DocC)
	@scripts/docs

release: ## build the programs for release, in .build/release, without a Swift runtime dependency
	@scripts/need --swift
	@scripts/need $(LIBRARIES)
	@swift build $(RELEASE_OPTIONS) --product homeline
	@swift build $(RELEASE_OPTIONS) --product homelined
	@swift build $(RELEASE_OPTIONS) --product homeline-sandbox
	@swift build $(RELEASE_OPTIONS) --product homeline-manual
	@rm -rf .build/release/share
	@.build/release/homeline-manual share .build/release/share

# This target installs an existing build, because under sudo, swift is often not on the PATH, and root should not own the build.
install: ## install into PREFIX (/usr/local, or `PREFIX=~/.local` for one user) below DESTDIR
	@if [ -z "$${SUDO_USER:-}" ] || [ ! -d .build/release/share ]; then $(MAKE) --no-print-directory release; fi
	@scripts/need binutils
	@scripts/install put .build/release .build/release/share

uninstall: ## remove the installed files from PREFIX
	@scripts/install remove

deb: release ## build the Debian package, in .build/packages
	@scripts/need binutils debhelper python3
	@scripts/package deb

dist: release ## build a tarball of the programs for other distributions, in .build/packages
	@scripts/need binutils python3 xz-utils
	@scripts/package dist

test-packages: deb dist ## check both packages, and try them in new roots of Debian 12 and 13 (as root)
	@scripts/need --optional lintian mmdebstrap systemd-container
	@scripts/test-packages

test-minimal: ## run README's first commands, and all tests, in new minimal systems of Debian (as root)
	@scripts/need --optional mmdebstrap python3
	@scripts/test-minimal

test-reproducible: deb dist ## build the packages of the last commit again in another folder, and compare them
	@scripts/test-reproducible

manual: ## generate docs/reference/commands.md from the declarations, and manual pages to look at (`man -M .build/share/man homeline`)
	@scripts/need --swift
	@swift build --product homeline-manual
	@.build/debug/homeline-manual reference docs/reference/commands.md
	@rm -rf .build/share
	@.build/debug/homeline-manual share .build/share

lint: ## check the format, the rules of Sources, the vocabulary, and the documentation
	@scripts/need --swift
	@swift format lint --strict -r $(SWIFT_FILES)
	@scripts/check-sources Sources
	@scripts/check-floors
	@scripts/need python3
	@scripts/check-words
	@scripts/check-docs
	@scripts/check-walks
	@scripts/packaged-docs check
	@scripts/check-pictures

format: ## format the Swift files as `make lint` requires
	@scripts/need --swift
	@swift format -i -r $(SWIFT_FILES)

# Without SWIFT_BACKTRACE=enable=no, the backtracer catches the crash before libFuzzer, which then does not save the input.
fuzz: ## fuzz each parser with libFuzzer for FUZZ_SECONDS (60)
	@scripts/need --swift
	@scripts/need $(LIBRARIES)
	@for parser in $(FUZZERS); do \
	  swift build --product Fuzz$$parser --sanitize=fuzzer --scratch-path .build-fuzz; \
	  mkdir -p .build-fuzz/corpus/$$parser; \
	  SWIFT_BACKTRACE=enable=no .build-fuzz/debug/Fuzz$$parser -max_total_time=$(FUZZ_SECONDS) -dict=Fuzz/numbers.dict -timeout=5 \
	    .build-fuzz/corpus/$$parser Fuzz/Corpus/$$parser; \
	done

# The benchmarks have a separate release build that is linked like the installed programs, so that the build for installation does not change.
bench-build:
	@scripts/need --swift
	@scripts/need $(LIBRARIES)
	@for product in homeline-bench homeline-bench-network homeline; do \
	  swift build $(RELEASE_OPTIONS) --product $$product --scratch-path .build-bench; \
	done

bench: bench-build ## measure operations, and compare them with the lowest possible cost on this machine
	@.build-bench/release/homeline-bench compare

bench-archive: bench-build ## measure refreshes, disk space and searches with few and many stored posts
	@.build-bench/release/homeline-bench archive

bench-check: bench-build ## count instructions, allocations, syncs and written bytes, and compare them with Benchmarks/thresholds.json
	@scripts/need valgrind strace binutils python3
	@scripts/bench-check

# This test runs the release build of the programs. The debug build of the tests simulates the provider.
soak: release ## run a service with 200 accounts for SOAK_MINUTES (30) and check its order, memory and descriptors
	@swift build --build-tests
	@HOMELINE_SOAK_MINUTES=$(SOAK_MINUTES) HOMELINE_PROGRAMS=$(CURDIR)/.build/release swift test --skip-build --filter EndToEndTests.SoakTests

sanitize: ## run all tests under the thread sanitizer, then under the address sanitizer
	@scripts/need --swift
	@scripts/need --localhost
	@scripts/need $(LIBRARIES) $(TEST_TOOLS)
	@scripts/need --optional $(TEST_PROGRAMS)
	@scripts/test thread
	@scripts/test address

clean: ## remove all build folders
	@rm -rf .build .build-fuzz .build-bench .build-thread .build-address

export PREFIX DESTDIR REPORT_ADDRESS
