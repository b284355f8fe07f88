#!/bin/bash
# Installs the Debian package in a minimal root, uses it as a user without privileges, removes it and purges it.
#
#   package.sh PACKAGE VERSION
source "$(dirname "$0")/common.sh"

if [ "$1" = --user ]; then
  cd "$HOME"
  configure
  use_homeline
  exit
fi

useradd --create-home alice
touch /tmp/before
apt update
apt install --no-install-recommends "$1"
[ "$(homeline version)" = "homeline $2" ] || fail "homeline version prints $(homeline version)"
expect_libraries /usr/bin/homeline /usr/libexec/homeline/*
runuser --user alice -- env HOME=/home/alice "$0" --user

apt remove homeline
left=$(find /usr /etc -xdev -path '*homeline*' ! -type d)
[ -z "$left" ] || fail "after the removal there are: $left"
apt purge homeline
dpkg-query --show homeline >/dev/null 2>&1 && fail "dpkg still knows the package after its purge"
left=$(find / -xdev -path '*homeline*' ! -path '/home/*' ! -path '/homeline-tests*' ! -path '/tmp/*')
[ -z "$left" ] || fail "after the purge there are: $left"
[ -s /home/alice/.local/state/homeline/demo/token.json ] || fail "the purge removed the token of a user"
