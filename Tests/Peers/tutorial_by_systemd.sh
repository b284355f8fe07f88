#!/bin/bash
# Installs the built programs for a user and runs the commands in docs/tutorial/first-account.md with a real `systemd --user`.
# Exits with 0, with 1 after printing the failures, or with 77 and "skipped: ..." if the script cannot run on this machine.
#
#   tutorial_by_systemd.sh BUILD      BUILD is the folder with the programs
set -euo pipefail

build=$(realpath "${1:?the folder with the built programs}")
cd "$(dirname "$0")/../.."
for program in strip jq python3; do command -v "$program" >/dev/null || { echo "skipped: there is no $program"; exit 77; }; done
# Sanitizers need system calls that the unit forbids.
if grep -q -e __tsan_init -e __asan_init "$build/homelined"; then echo "skipped: the programs are built with a sanitizer"; exit 77; fi

place=$(mktemp -d -t homeline-tutorial.XXXXXX)
trap 'rm -rf "$place"' EXIT
"$build/homeline-manual" share "$place/share"
DESTDIR="$place" PREFIX=/home/homeline-test/.local scripts/install put "$build" "$place/share" >/dev/null
home=$place/home/homeline-test
# The user may not be able to read this folder.
mkdir -p "$home/homeline/docs"
cp -R docs/examples docs/tutorial "$home/homeline/docs"
cp Tests/Peers/walk_tutorial.py "$home"
status=0
Tests/Peers/user_systemd.sh --stage "$home" bash -c '
  ~/.local/bin/homeline version >/dev/null || { echo "skipped: the built programs cannot be run by another user"; exit 77; }
  cd ~/homeline && exec python3 ~/walk_tutorial.py docs/tutorial/first-account.md' || status=$?
exit "$status"
