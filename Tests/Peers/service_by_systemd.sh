#!/bin/bash
# Installs the built programs for a user and runs the installed units with a real `systemd --user`. Tests the start, the status, the
# journal, a login through the service, other users at its callback, the web page, the sandbox, a credential, a hidden home, a reload, a
# restart, the watchdog, a clean stop, socket activation, and an invalid configuration.
# Exits with 0, with 1 after printing the failures, or with 77 and "skipped: ..." if the script cannot run on this machine.
#
#   service_by_systemd.sh BUILD      BUILD is the folder with the programs
set -euo pipefail

fail() { echo "wrong: $*"; exit 1; }
skip() { echo "skipped: $*"; exit 77; }

outside() {
  local build
  build=$(realpath "$1")
  cd "$(dirname "$0")/../.."
  local program
  for program in strip jq python3; do command -v "$program" >/dev/null || skip "there is no $program"; done
  # Sanitizers need system calls that the unit forbids.
  if grep -q -e __tsan_init -e __asan_init "$build/homelined"; then skip "the programs are built with a sanitizer"; fi

  local place
  place=$(mktemp -d -t homeline-systemd.XXXXXX)
  trap 'rm -rf "$place"' EXIT
  "$build/homeline-manual" share "$place/share"
  DESTDIR="$place" PREFIX=/home/homeline-test/.local scripts/install put "$build" "$place/share" >/dev/null
  # The user may not be able to read this folder.
  install -m 755 "$0" Tests/Peers/{approve.py,knock.py,other_user.py,inside_the_unit.sh} "$place/home/homeline-test"
  local status=0
  Tests/Peers/user_systemd.sh --stage "$place/home/homeline-test" --others Tests/Peers/other_user.py \
    bash /home/homeline-test/service_by_systemd.sh --inside || status=$?
  exit "$status"
}

inside() {
  cd "$HOME"
  export PATH="$HOME/.local/bin:$PATH"
  readonly CONTROL="$XDG_RUNTIME_DIR/homeline/control.socket" FILE=.cache/homeline/demo/home_timeline.json
  # Programs do not start if other users cannot read their libraries.
  homeline version >/dev/null || skip "the built programs cannot be run by another user"
  PORT=$(python3 knock.py --free-port)
  mkdir -p .config/homeline
  configure '"demo": { "provider": "sandbox", "keep_posts": 20 }'
  # A restart must not take long, and a slower stop is a failure.
  drop_in homeline.service times '[Service]' RestartSec=100ms TimeoutStopSec=2s

  starts
  is_alone
  logs_in demo
  refuses_other_users
  serves_the_page
  stays_inside
  reads_a_credential
  reloads
  restarts_beside_a_login
  is_watched
  waits_for_its_turn
  hides_the_home
  stops
  is_started_by_a_command
  is_started_by_a_callback
  is_not_restarted_in_vain
  echo "systemd runs the service"
}

# --- Steps, in order ------------------------------------------------------------------------------------------------------

starts() {
  systemctl --user enable --now --quiet homeline || fail "the service does not start: $(log_output)"
  # With Type=notify, the unit is active only after READY.
  is ActiveState active
  is Type notify
  [ "$(readlink "/proc/$(property MainPID)/exe")" = "$HOME/.local/libexec/homeline/homelined" ] || fail "another program runs"
  await "a status" '[ -n "$(property StatusText)" ]'
  [ "$(stat -c '%a %F' "$CONTROL")" = '600 socket' ] || fail "the control socket: $(ls -la "${CONTROL%/*}")"
  [ "$(stat -c %a "${CONTROL%/*}")" = 700 ] || fail "the control socket's folder:  $(ls -lad "${CONTROL%/*}")"
  homeline status >status.out 2>&1 || fail "homeline status exits with $? while the service runs"
  # The message gives the next step, and the service does not fail.
  is NRestarts 0
  await "a notice in the journal" 'says notice "homeline $(homeline version | grep -oE "[0-9][0-9.]*") is up"'
  # The journal stores the levels and the name as fields, not in the lines.
  journal | grep -E '^(<[0-9]>|homeline: )' && fail "the journal has not parsed the levels of these lines"
  true
}

is_alone() {
  homeline daemon 2>second.err && fail "a second service starts"
  [ $? = 75 ] || fail "a second service exits with $?:  $(<second.err)"
  grep -qF "(process $(property MainPID))" second.err || fail "a second service prints:  $(<second.err)"
}

# Starts a login; its address is in $address, and its later output on descriptor 3.
begins_login() {
  rm -f login_output
  mkfifo login_output
  homeline login "$1" --no-browser --timeout 60 >login_output 2>login.err &
  login=$!
  exec 3<login_output
  read -r address <&3 || fail "the login of $1 prints no address: $(<login.err) $(log_output)"
}

logs_in() {
  begins_login "$1"
  python3 approve.py "$address" >title || fail "the test's browser did not complete the login:  $(<title)"
  cat <&3 >login.out
  exec 3<&-
  wait "$login" || fail "the login of $1: $(<login.err) $(log_output)"
  local file=.cache/homeline/$1/home_timeline.json
  [ "$(jq -r '.posts | length' "$file")" = 20 ] || fail "the published file of $1: $(head -c 400 "$file")"
  [ "$(jq -c .error "$file")" = null ] || fail "the published file of $1 contains the error:  $(jq -c .error "$file")"
}

# Runs a command as USER and prints its output.
as_user() {
  python3 - "$@" <<'PROGRAM'
import socket, sys
with socket.socket(socket.AF_UNIX) as connection:
    connection.settimeout(60)
    connection.connect(f"/run/others/{sys.argv[1]}.socket")
    connection.sendall((" ".join(sys.argv[2:]) + "\n").encode())
    print(connection.makefile().read().strip())
PROGRAM
}

# In the service's user namespace, root and other users have the same number; the socket from systemd distinguishes them.
refuses_other_users() {
  begins_login demo
  local callback host target answer
  callback=$(python3 other_user.py "$(id -u)" grant "$address") || fail "the sandbox responds with:  $callback"
  for host in 127.0.0.1 ::1; do
    for target in "$callback" "${callback%%\?*}?denied=${address##*oauth_token=}" "${callback%%\?*}?oauth_problem=user_refused"; do
      answer=$(as_user 65534 get "$host" "$target")
      [ "$answer" = 403 ] || fail "another user gets $answer over $host for ${target%%=*}"
    done
  done
  await "a warning of another user" 'says warning "a process of the user 65534 called the callback address and received 403"'
  answer=$(as_user 0 follow "$callback")
  [[ $answer == "Authorised as "* ]] || fail "a forwarder that root runs gets:  $answer"
  cat <&3 >login.out
  exec 3<&-
  wait "$login" || fail "a login that received callbacks from other users fails:  $(<login.err) $(log_output)"
}

# The web page needs a port, its files and the user of each connection, all within the unit's sandbox.
serves_the_page() {
  local entry page host answer
  entry=$(homeline web --print 2>web.err) || fail "the web page does not open: $(<web.err) $(log_output)"
  page=${entry%/enter*}
  for host in 127.0.0.1 ::1; do
    for answer in "$entry" "$page/"; do
      answer=$(as_user 65534 get "$host" "$answer")
      [ "$answer" = 403 ] || fail "another user gets $answer from the web page over $host"
    done
  done
  await "a warning of another user" 'says warning "refused a request from another user (65534)"'
  # The other user has not used the ticket up.
  enters "$entry" "$page" || fail "the web page in the service: $(<page.out) $(log_output)"
  systemctl --user restart homeline || fail "a restart fails: $(log_output)"
  enters "$page/" "$page" || fail "the web page after a restart: $(<page.out) $(log_output)"
  homeline web --close 2>web.err || fail "the web page does not close: $(<web.err)"
  python3 knock.py "$page/" >answer && fail "the web page is still open"
  true
}

# enters ADDRESS PAGE: opens an address with the cookies of earlier calls, and checks that all posts of `demo` are on its page.
enters() {
  python3 - "$1" "$2" >page.out 2>&1 <<'PROGRAM'
import os, sys
from http.cookiejar import LWPCookieJar
from urllib.request import HTTPCookieProcessor, ProxyHandler, build_opener
cookies = LWPCookieJar("cookies")
if os.path.exists("cookies"):
    cookies.load()
browser = build_opener(ProxyHandler({}), HTTPCookieProcessor(cookies))
with browser.open(sys.argv[1], timeout=60) as answer:
    assert answer.url == sys.argv[2] + "/", answer.url
with browser.open(sys.argv[2] + "/a/demo", timeout=60) as answer:
    posts = answer.read().count(b"<article ")
assert posts >= 20, f"{posts} posts"
cookies.save()
PROGRAM
}

# This step uses the installed example drop-in.
hides_the_home() {
  local unit=.config/systemd/user/homeline.service.d hidden path root
  hidden=(
    .ssh/id_test .gnupg/private-keys-v1.d/key .password-store/secret.gpg .mozilla/firefox/test.default/logins.json
    .config/chromium/Default/Cookies .local/share/keyrings/login.keyring
  )
  for path in "${hidden[@]}"; do
    mkdir -p "$(dirname "$path")"
    echo secret >"$path"
  done
  mkdir -p "$XDG_RUNTIME_DIR"/{gnupg,keyring}
  hidden=("${hidden[@]/#/$HOME/}" "$XDG_RUNTIME_DIR"/{gnupg/S.gpg-agent,ssh-agent.socket,keyring/ssh,bus,systemd/private})
  for path in "$XDG_RUNTIME_DIR"/{gnupg/S.gpg-agent,ssh-agent.socket,keyring/ssh,bus}; do
    [ -e "$path" ] || python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$path"
  done
  configure '"demo": { "provider": "sandbox", "keep_posts": 20 }'
  systemctl --user set-environment SSH_AUTH_SOCK="$XDG_RUNTIME_DIR/ssh-agent.socket"
  systemctl --user restart homeline || fail "a restart fails: $(log_output)"
  root=/proc/$(property MainPID)/root
  for path in "${hidden[@]}"; do [ -e "$root$path" ] || fail "the service cannot see $path even without the drop-in"; done

  install -D -m 644 .local/share/doc/homeline/private-home.conf "$unit/private-home.conf"
  systemctl --user daemon-reload
  systemctl --user restart homeline || fail "the service does not start with a hidden home:  $(log_output)"
  root=/proc/$(property MainPID)/root
  for path in "${hidden[@]}"; do [ ! -e "$root$path" ] || fail "the service sees $path"; done
  [ "$(cd "$root$HOME" && find . -mindepth 1 -maxdepth 2 | sort | xargs)" = "./.cache ./.cache/homeline ./.config ./.config/homeline ./.local ./.local/bin ./.local/libexec ./.local/share ./.local/state" ] ||
    fail "the service sees these files in the home:  $(cd "$root$HOME" && find . -mindepth 1 -maxdepth 2 | sort | xargs)"
  [ "$(cd "$root$XDG_RUNTIME_DIR" && find . -mindepth 1 -maxdepth 2 | sort | xargs)" = "./homeline ./homeline/control.socket ./homeline/status.json ./systemd ./systemd/notify" ] ||
    fail "the service sees these files in the runtime folder:  $(cd "$root$XDG_RUNTIME_DIR" && find . -mindepth 1 -maxdepth 2 | sort | xargs)"
  tr '\0' '\n' <"/proc/$(property MainPID)/environ" | grep -E '^(SSH_AUTH_SOCK|DBUS_SESSION_BUS_ADDRESS)=' &&
    fail "the environment of the service contains an agent socket"
  # The service nevertheless works.
  logs_in demo
  systemctl --user reload homeline || fail "a reload with a hidden home fails:  $(log_output)"
  await "the end of this reload" '[ "$(property ActiveState)" = active ]'
  homeline refresh demo >refresh.out 2>&1 || [ $? = 75 ] || fail "a refresh with a hidden home fails:  $(<refresh.out)"
  systemctl --user unset-environment SSH_AUTH_SOCK
  rm "$unit/private-home.conf"
  systemctl --user daemon-reload
  systemctl --user restart homeline || fail "a restart fails: $(log_output)"
}

# The secret command inspects the unit from inside.
stays_inside() {
  configure '"demo": { "provider": "sandbox", "keep_posts": 20 },
    "looks": { "provider": "twitter", "consumer_key": "key", "consumer_secret": { "command": ["'"$HOME"'/inside_the_unit.sh"] },
      "endpoints": { '"$(endpoints)"' } }'
  systemctl --user reload homeline
  # This fails because the provider is unreachable, but only after the secret has been fetched.
  homeline login looks --no-browser --timeout 20 >looks.out 2>looks.err </dev/null && fail "a login without a provider succeeds"
  local seen=.cache/homeline/seen
  [ -s "$seen" ] || fail "the secret's command did not run in the service: $(<looks.err) $(log_output)"
  local expected='/usr read-only
/etc read-only
/home/homeline-test read-only
/home/homeline-test/.config/homeline read-only
/home/homeline-test/.cache/homeline writable
/home/homeline-test/.local/share/homeline writable
/home/homeline-test/.local/state/homeline writable
/run/user/31731 read-only
/run/user/31731/homeline writable
/tmp empty
/proc/sys read-only
/sys read-only
/sys/fs/cgroup read-only
/dev/kmsg absent
namespace refused
privileges none
capabilities 0000000000000000 0000000000000000
system calls filtered
packet socket refused
other user ids hidden
core 0
descriptors 0 1 2
variables none'
  diff <(echo "$expected") "$seen" >difference || fail "the service's environment differs:  $(<difference)"
}

# The secret comes from a file that only LoadCredential= passes to the service, as in docs/how-to/systemd.md.
reads_a_credential() {
  local server file=.config/systemd/user/homeline.service.d/credential.conf
  homeline sandbox --port 0 >sandbox.out 2>&1 </dev/null &
  local sandbox=$!
  await "a simulated provider" 'grep -q "^consumer secret:" sandbox.out'
  server=$(sed -n 's/^server: *//p' sandbox.out)
  install -m 600 /dev/stdin .config/homeline/bird.secret < <(sed -n 's/^consumer secret: *//p' sandbox.out)
  configure '"bird": { "provider": "twitter", "consumer_key": "sandbox", "consumer_secret": { "credential": "homeline-bird" },
    "keep_posts": 20, "endpoints": { "request_token": "'"$server"'/oauth/request_token", "authorize": "'"$server"'/oauth/authorize",
      "access_token": "'"$server"'/oauth/access_token", "verify_credentials": "'"$server"'/1.1/account/verify_credentials.json",
      "home_timeline": "'"$server"'/1.1/statuses/home_timeline.json" } }'
  systemctl --user restart homeline || fail "a restart fails: $(log_output)"
  homeline login bird --no-browser --timeout 20 >bird.out 2>bird.err </dev/null && fail "a login without the credential succeeds"
  grep -qi credential bird.err || fail "the missing credential is not mentioned:  $(<bird.err)"
  drop_in homeline.service credential '[Service]' 'LoadCredential=homeline-bird:%h/.config/homeline/bird.secret'
  systemctl --user restart homeline || fail "the service does not start with a credential:  $(log_output)"
  logs_in bird
  rm "$file"
  systemctl --user daemon-reload
  kill "$sandbox"
  wait "$sandbox" || true
}

reloads() {
  configure '"demo": { "provider": "sandbox", "keep_posts": 20 }, "second": { "provider": "sandbox", "keep_posts": 20 }'
  local process
  process=$(property MainPID)
  systemctl --user log-level debug
  systemctl --user reload homeline || fail "reload: $(log_output)"
  await "the reloading message" 'tells "$process" "RELOADING=1, MONOTONIC_USEC=[0-9]*, STATUS=reloading "'
  await "the end of the reload" '[ "$(property ActiveState)" = active ]'
  systemctl --user log-level info
  logs_in second
  # An invalid configuration changes nothing and is reported.
  cp .config/homeline/config.json config.good
  echo '{ "accounts": { "second": { "provider": "sandbx" } } }' >.config/homeline/config.json
  mark=$EPOCHREALTIME
  systemctl --user reload homeline 2>reload.err && fail "a reload of an invalid configuration succeeds:  $(log_output)"
  await "the message about the invalid configuration" 'says err sandbx'
  await "the end of this reload" '[ "$(property ActiveState)" = active ]'
  [[ $(property StatusText) == *"has errors"* ]] || fail "the status does not mention the errors: $(log_output)"
  homeline refresh second >refresh.out 2>&1 || [ $? = 75 ] || fail "an invalid configuration removed the accounts:  $(<refresh.out)"
  cp config.good .config/homeline/config.json
  systemctl --user reload homeline
  await "a status without errors" '[[ $(property StatusText) == *"all well"* ]]'
  [ "$(property MainPID)" = "$process" ] || fail "the service was started again instead"
}

# The login ends and suggests a retry, which succeeds.
restarts_beside_a_login() {
  begins_login demo
  systemctl --user restart homeline || fail "a restart fails: $(log_output)"
  is Result success
  cat <&3 >login.out
  exec 3<&-
  local status=0
  wait "$login" || status=$?
  [ "$status" = 75 ] || fail "a login whose service is restarted exits with  $status: $(<login.err)"
  logs_in demo
}

is_watched() {
  drop_in homeline.service watchdog '[Service]' WatchdogSec=3s
  systemctl --user restart homeline || fail "a restart fails: $(log_output)"
  local process
  process=$(property MainPID)
  # This time is longer than the watchdog's timeout.
  sleep 5
  is NRestarts 0
  [ "$(property MainPID)" = "$process" ] || fail "the watchdog killed a service that responds"
  kill -STOP "$process"
  await "the watchdog's restart" '[ "$(property NRestarts)" = 1 ] && [ "$(property ActiveState)" = active ]'
  [ "$(property MainPID)" != "$process" ] || fail "the watchdog did not kill the process that hangs"
}

# An earlier login owns the state, possibly for several minutes.
waits_for_its_turn() {
  systemctl --user stop homeline
  begins_login demo
  systemctl --user start homeline || fail "the service does not start during a login:  $(log_output)"
  local process
  process=$(property MainPID)
  [[ $(property StatusText) == "waiting for homeline login (process $login) to exit" ]] || fail "the status of the service: $(log_output)"
  # Meanwhile, the service notifies the watchdog, and a reload does not stop the notifications.
  systemctl --user reload homeline || fail "a reload of a waiting service fails:  $(log_output)"
  sleep 4
  is ActiveState active
  is NRestarts 0
  kill -TERM "$login"
  exec 3<&-
  wait "$login" && fail "a login that was interrupted exits with 0"
  await "the start of the waiting service" '[[ $(property StatusText) == *"all well"* ]]'
  [ "$(property MainPID)" = "$process" ] || fail "the service was started again instead"
  rm .config/systemd/user/homeline.service.d/watchdog.conf
  systemctl --user daemon-reload
}

stops() {
  local process
  process=$(property MainPID)
  systemctl --user log-level debug
  systemctl --user stop --quiet homeline
  systemctl --user log-level info
  await "the stopping message" 'tells "$process" STOPPING=1'
  is Result success
  is ExecMainStatus 0
  is ActiveState inactive
  [ ! -e "$CONTROL" ] || fail "the service left its socket behind:  $(ls -la "$CONTROL")"
  [ -s "$FILE" ] || fail "the service removed the published file"
}

is_started_by_a_command() {
  drop_in homeline-callback.socket port '[Socket]' ListenStream= "ListenStream=127.0.0.1:$PORT" "ListenStream=[::1]:$PORT"
  systemctl --user enable --now --quiet homeline-callback.socket homeline-control.socket || fail "the sockets do not listen"
  is ActiveState inactive
  [ "$(stat -c '%a %F' "$CONTROL")" = '600 socket' ] || fail "systemd's control socket: $(ls -la "${CONTROL%/*}")"
  python3 knock.py "$CONTROL" >answer || fail "no response from the control socket: $(<answer) $(log_output)"
  is_up
  homeline status >status.out 2>&1 || fail "homeline status exits with $? with systemd's socket"
}

is_started_by_a_callback() {
  systemctl --user stop --quiet homeline
  is Result success
  [ -S "$CONTROL" ] || fail "the service removed systemd's control socket"
  local address
  for address in "127.0.0.1:$PORT" "[::1]:$PORT"; do
    systemctl --user stop --quiet homeline
    python3 knock.py "http://$address/" >answer || fail "no response from $address: $(<answer) $(log_output)"
    [ "$(<answer)" = 404 ] || fail "the first response from $address:  $(<answer)"
    is_up
  done
  # A complete login over passed sockets, with a running service and with socket activation.
  logs_in demo
  systemctl --user stop --quiet homeline
  is ActiveState inactive
  logs_in demo
  is_up
  systemctl --user disable --now --quiet homeline-callback.socket homeline-control.socket homeline
  is Result success
  [ ! -e "$CONTROL" ] || fail "systemd's control socket was not removed"
  python3 knock.py "http://127.0.0.1:$PORT/" >answer && fail "a program still listens on port $PORT"
  true
}

is_not_restarted_in_vain() {
  echo '{ "accounts": 1 }' >.config/homeline/config.json
  systemctl --user reset-failed homeline 2>/dev/null || true
  systemctl --user start homeline 2>start.err && fail "the service starts with an invalid configuration"
  is ActiveState failed
  is ExecMainStatus 78
  is NRestarts 0
  # Connections are refused, and the sockets remain.
  systemctl --user reset-failed homeline
  systemctl --user start homeline-callback.socket homeline-control.socket
  homeline refresh >refresh.out 2>&1 && fail "a refresh with an invalid configuration succeeds"
  python3 knock.py "http://127.0.0.1:$PORT/" >answer && fail "a program responds on port $PORT with an invalid configuration"
  # Repeated starts for a single connection would soon reach the start limit.
  sleep 1
  systemctl --user is-active --quiet homeline-callback.socket homeline-control.socket || fail "the sockets were closed: $(log_output)"
  is Result exit-code
}

# --- Functions -----------------------------------------------------------------------------------------------------------

property() { systemctl --user show --value -p "$1" homeline.service; }

is() { [ "$(property "$1")" = "$2" ] || fail "$1 is $(property "$1") instead of $2:  $(log_output)"; }

# The response may arrive before systemd has read the readiness message.
is_up() { await "the service to be up" '[ "$(property ActiveState)" = active ]'; }

log_output() {
  echo
  systemctl --user status --no-pager --lines=0 homeline.service || true
  journal | tail -n 20
}

# Prints the service's log lines since $mark.
journal() { journalctl --user -u homeline.service --quiet --no-pager -o cat --since "@${mark:-0}" "$@"; }

# says LEVEL TEXT: checks whether a log line of exactly that level contains the text.
says() { journal -p "$1..$1" | grep -F -- "$2" >/dev/null; }

# tells PROCESS PATTERN: checks whether the service manager has received a notification that matches.
tells() { journalctl --user --quiet --no-pager -o cat | grep "Got notification message from PID $1 (.*$2" >/dev/null; }

# await WHAT CONDITION: waits at most 30 s, checking ten times a second.
await() {
  for _ in {1..300}; do
    if eval "$2"; then return; fi
    sleep 0.1
  done
  fail "$1 did not happen in time:  $(log_output)"
}

configure() { echo '{ "callback": { "port": '"$PORT"' }, "accounts": { '"$1"' } }' >.config/homeline/config.json; }

# Prints addresses where no program listens.
endpoints() {
  local name separator=
  for name in request_token authorize access_token verify_credentials home_timeline; do
    printf '%s"%s": "http://127.0.0.1:1/%s"' "$separator" "$name" "$name"
    separator=', '
  done
}

# drop_in UNIT NAME LINE...
drop_in() {
  local folder=.config/systemd/user/$1.d name=$2
  mkdir -p "$folder"
  shift 2
  printf '%s\n' "$@" >"$folder/$name.conf"
  systemctl --user daemon-reload
}

case ${1:-} in
  --inside) inside ;;
  '')
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 64
    ;;
  *) outside "$1" ;;
esac
