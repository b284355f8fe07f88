# Functions for the scripts that run inside a root. Each script stops at the first failure.
set -euo pipefail

fail() {
  echo "wrong: $*"
  exit 1
}

# Waits for a file in /exchange. With these files, the scripts inside and outside the root report their progress to each
# other.
await() {
  local _
  for _ in {1..600}; do
    if [ -e "/exchange/$1" ]; then return; fi
    sleep 0.1
  done
  fail "no $1 within a minute"
}

# Runs apt-get, and prints its output only if it fails.
apt() { apt-get -q -y "$@" </dev/null >/tmp/apt.log 2>&1 || fail "apt-get $*: $(tail -n 20 /tmp/apt.log)"; }

# Fails if a program in the arguments needs a library that is not installed.
expect_libraries() {
  local missing
  missing=$(ldd "$@" | grep 'not found' || true)
  [ -z "$missing" ] || fail "missing libraries: $missing"
  dpkg-query --show --showformat='${Package}\n' | grep -E -e '-dev$|swift' && fail "the root has development packages"
  true
}

# Writes a configuration with a simulated provider into the home folder.
configure() {
  mkdir -p "$HOME/.config/homeline"
  cat >"$HOME/.config/homeline/config.json" <<'CONFIGURATION'
{ "callback": { "port": 0 }, "sandbox": { "port": 0 },
  "accounts": { "demo": { "provider": "sandbox", "keep_posts": 20, "refresh_seconds": 86400 } } }
CONFIGURATION
}

# Logs in, reads posts, and loads each library that is loaded at run time.
use_homeline() {
  local output
  homeline login demo --no-browser --press-authorise >"$HOME/login.log" 2>&1 || fail "login: $(<"$HOME/login.log")"
  output=$(homeline show --format jsonl --limit 100 | wc -l)
  [ "$output" = 20 ] || fail "show prints $output posts"
  [ -n "$(homeline search --limit 1 the)" ] || fail "search finds nothing"
  output=$(homeline doctor 2>&1) || fail "doctor: $output"
  grep -q 'libcurl [0-9]' <<<"$output" || fail "doctor: $output"
  # With an address, libsystemd is loaded before the bus is found to be missing.
  output=$(DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent homeline keyring status 2>&1 || true)
  grep -q 'the session bus cannot be reached' <<<"$output" || fail "keyring status: $output"
}
