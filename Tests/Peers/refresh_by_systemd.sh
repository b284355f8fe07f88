#!/bin/bash
# Installs the built programs for a user, logs in to the sandbox, and has a real `systemd --user` refresh the account by the
# installed unit, once for each start and then to its end. Prints what is wrong and ends with 1; ends with 0 when nothing is,
# with 77 and "skipped: ..." where it cannot be tried.
#
#   refresh_by_systemd.sh BUILD      BUILD is the folder with the programs
set -euo pipefail

fail() { echo "wrong: $*"; exit 1; }
skip() { echo "skipped: $*"; exit 77; }

outside() {
  local build
  build=$(realpath "$1")
  cd "$(dirname "$0")/../.."
  local program
  for program in strip jq python3; do command -v "$program" >/dev/null || skip "there is no $program"; done
  # Sanitizers want system calls that the unit forbids.
  if grep -q -e __tsan_init -e __asan_init "$build/homelined"; then skip "the programs are built with a sanitizer"; fi

  local place
  place=$(mktemp -d -t homeline-systemd.XXXXXX)
  trap 'rm -rf "$place"' EXIT
  DESTDIR="$place" PREFIX=/home/homeline-test/.local scripts/install put "$build" >/dev/null
  # The user may not be able to read this folder.
  install -m 755 "$0" Tests/Peers/approve.py "$place/home/homeline-test"
  local status=0
  Tests/Peers/user_systemd.sh --stage "$place/home/homeline-test" bash /home/homeline-test/refresh_by_systemd.sh --inside || status=$?
  exit "$status"
}

inside() {
  cd "$HOME"
  export PATH="$HOME/.local/bin:$PATH"
  # Without its libraries, in a folder that is closed to other users, no program starts.
  homeline version >/dev/null || skip "the built programs cannot be run by another user"
  mkdir -p .config/homeline
  echo '{ "callback": { "port": 0 }, "accounts": { "demo": { "provider": "sandbox", "keep_posts": 20 } } }' \
    >.config/homeline/config.json

  # There is no journal here. What the unit sees of the machine is looked at from inside it.
  mkdir -p .config/systemd/user/homeline.service.d
  cat >.config/systemd/user/homeline.service.d/once.conf <<END
[Service]
Type=oneshot
Restart=no
ExecStart=
ExecStart="$HOME/.local/bin/homeline" daemon --once
SuccessExitStatus=75
StandardOutput=append:%h/said
StandardError=append:%h/said
ExecStartPost=cp -f /proc/self/mountinfo %t/homeline/mounts
END
  systemctl --user daemon-reload

  mkfifo address
  homeline login --no-browser --timeout 60 >address 2>login.err &
  local login=$!
  local lines
  exec 3<address
  read -r lines <&3 || fail "no address: $(<login.err)"
  python3 approve.py "$lines" >title || fail "the test's browser came back without success"
  cat <&3 >login.out
  wait "$login" || fail "the login: $(<login.err)"

  local file=.cache/homeline/demo/home_timeline.json
  # As if the last refresh had been long ago.
  change "UPDATE state SET refreshed_at = 1000, next_refresh_at = 2000"
  rm "$file"
  start
  [ "$(jq -r '.posts | length' "$file")" = 20 ] || fail "the published file: $(head -c 400 "$file")"
  [ "$(jq -r '.error' "$file")" = null ] || fail "the published file says: $(jq -c .error "$file")"
  local refreshed
  refreshed=$(jq -r .refreshed_at "$file")
  [[ $refreshed > 2020 ]] || fail "the unit did not refresh: $refreshed"

  # A user manager before 254 ignores ProtectSystem= silently unless the unit has its own users.
  local folder
  for folder in / /home; do
    awk -v folder="$folder" '$5 == folder && $6 ~ /^ro/ { found = 1 } END { exit !found }' "$XDG_RUNTIME_DIR/homeline/mounts" ||
      fail "$folder is not read-only in the unit"
  done

  # Not due any more: a success that changes nothing.
  start
  [ "$(jq -r .refreshed_at "$file")" = "$refreshed" ] || fail "refreshed before it was due"

  # Another command that owns the state just now is no failure of the unit.
  mkfifo input
  homeline login --no-browser --timeout 60 <input >address 2>login.err &
  login=$!
  exec 4>input 5<address
  read -r lines <&5 || fail "no second address: $(<login.err)"
  change "UPDATE state SET next_refresh_at = 2000"
  start
  grep -q 'homeline login (process' said || fail "beside another owner it said: $(<said)"
  kill "$login"
  wait "$login" || true

  echo "systemd refreshes the account"
}

change() {
  python3 -c 'import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute(sys.argv[2]); db.commit()' \
    .local/share/homeline/demo/timeline.db "$1"
}

# A oneshot unit: this waits for its end.
start() {
  systemctl --user start homeline.service && return
  systemctl --user status homeline.service || true
  fail "the unit failed, it said: $(<said)"
}

case ${1:-} in
  --inside) inside ;;
  '')
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 64
    ;;
  *) outside "$1" ;;
esac
