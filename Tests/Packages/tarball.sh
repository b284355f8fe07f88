#!/bin/bash
# Installs the tarball in a minimal root, as a user without privileges, first without and then with the libraries; uses and removes it.
#
#   tarball.sh TARBALL VERSION
source "$(dirname "$0")/common.sh"
log=$(mktemp)

if [ "$1" = --user ]; then
  cd "$HOME"
  "$2/install.sh" >"$log" || fail "install.sh: $(<"$log")"
  export PATH=$HOME/.local/bin:$PATH
  expect_libraries "$HOME/.local/bin/homeline" "$HOME"/.local/libexec/homeline/*
  [ "$(homeline version)" = "homeline $3" ] || fail "homeline version prints $(homeline version)"
  grep -qxF "ExecStart=\"$HOME/.local/bin/homeline\" daemon" "$HOME/.local/share/systemd/user/homeline.service" || fail "the unit"
  configure
  use_homeline
  "$2/install.sh" remove >"$log" || fail "install.sh remove: $(<"$log")"
  left=$(find "$HOME/.local" ! -type d ! -path '*/share/homeline/*' ! -path '*/state/homeline/*')
  [ -z "$left" ] || fail "after the removal there are: $left"
  exit
fi

useradd --create-home alice
apt update
apt install --no-install-recommends xz-utils
tar --extract --file="$1" --directory=/home/alice
folder=$(echo /home/alice/homeline-*)
as_alice() { runuser --user alice -- env HOME=/home/alice "$@"; }

as_alice "$folder/install.sh" >"$log" 2>&1 && fail "install.sh does not notice that libraries are missing"
grep -q 'with these libraries: .*libsqlite3.so.0' "$log" || fail "install.sh without libraries: $(<"$log")"
# The libraries that docs/how-to/install.md names.
apt install --no-install-recommends libcurl4 libidn2-0 libqrencode4 libsqlite3-0 libssl3 libsystemd0 libyaml-0-2
as_alice "$0" --user "$folder" "$2"
