#!/bin/bash
# Measures how long a new user waits for the first posts from a Mastodon-compatible server, on a booted system without homeline, and checks that
# a third command opens the page. The user types two commands and presses Authorise, and then opens the page. Before, the packages are downloaded, and what every system with a browser has is installed.
#
#   first_minute.sh PACKAGE ROUNDS
#
# /exchange/server contains the address of the server. Writes the seconds of each round to /exchange/seconds: both commands together, the
# installation, and the login until the first five posts are printed.
source "$(dirname "$0")/common.sh"
export HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

now() { printf '%s' "${EPOCHREALTIME/./}"; }
seconds() { printf '%d.%03d' "$(($1 / 1000000))" "$(($1 / 1000 % 1000))"; }
# Runs a command as a user who has logged in, and has a user manager.
as_alice() { runuser --login alice --command "BROWSER=/homeline-tests/browser.sh $*"; }

server=$(</exchange/server)
apt update
apt install ca-certificates
apt install --download-only "$1"
for ((round = 1; round <= $2; round++)); do
  userdel --remove alice >/dev/null 2>&1 || true
  useradd --create-home --shell /bin/bash alice
  rm -f /tmp/login.log
  start=$(now)
  apt install "$1"
  installed=$(now)
  as_alice "homeline login '$server' --yes; echo \$? >~/status; systemctl --user is-active homeline >~/service" >/tmp/login.log 2>&1 &
  login=$!
  # The first posts end with their addresses.
  for ((waited = 0; waited < 1200; waited++)); do
    if [ -e /tmp/login.log ] && [ "$(grep -c '^ *http.*/@' /tmp/login.log)" -ge 5 ]; then break; fi
    kill -0 "$login" 2>/dev/null || break
    sleep 0.02
  done
  shown=$(now)
  wait "$login" || true
  [ "$(</home/alice/status)" = 0 ] && grep -q 'Authorised as @' /tmp/login.log || fail "login: $(</tmp/login.log)"
  [ "$(grep -c '^ *http.*/@' /tmp/login.log)" -ge 5 ] || fail "no posts: $(</tmp/login.log)"
  [ "$(</home/alice/service)" = active ] || fail "the service is $(</home/alice/service): $(</tmp/login.log)"
  as_alice "homeline open" >/tmp/open.log 2>&1 || fail "open: $(</tmp/open.log)"
  page=$(sed 's|^file://||' /home/alice/opened) || fail "no page was opened: $(</tmp/open.log)"
  grep -q '<article' "$page" || fail "the opened page has no posts: $page"
  find /home/alice/.config/homeline -type f | grep -vx '/home/alice/.config/homeline/config.d/mastodon.json' && fail "other files were needed"
  echo "$(seconds $((shown - start))) $(seconds $((installed - start))) $(seconds $((shown - installed)))" >>/exchange/seconds
  loginctl terminate-user alice 2>/dev/null || true
  while pgrep --uid alice >/dev/null; do sleep 0.1; done
  apt purge homeline
  apt autoremove --purge
done
