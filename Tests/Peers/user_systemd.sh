#!/bin/bash
# Runs a command with a real `systemd --user`, as an ordinary user with an empty home folder, whatever this machine's init system is.
#
#   user_systemd.sh [--stage FOLDER] [--others FILE] COMMAND [ARGUMENT...]
#     --stage FOLDER   copies the content of FOLDER into the home first (HOME is /home/homeline-test, so install with
#                      PREFIX=/home/homeline-test/.local DESTDIR=X, and stage X/home/homeline-test)
#     --others FILE    a copy of other_user.py: processes of root and of the user 65534 run commands from /run/others/0.socket
#                      and /run/others/65534.socket
#
# The user has a separate journal (`journalctl --user`), which contains the manager's messages.
#
# The command runs in / with HOME, XDG_RUNTIME_DIR and the environment of the user manager, and can use `systemctl --user`.
# The script exits with the command's status. If it cannot run here (not root, no namespaces, no writable cgroups), the script prints
# "skipped: reason" and exits with 77. Everything runs in separate namespaces and is removed afterwards, including processes.
set -euo pipefail

# This is a regular user's number, because systemd does not split the journal for numbers that it allocates itself.
readonly NAME=homeline-test NUMBER=31731 HOME_FOLDER=/home/homeline-test RUNTIME=/run/user/31731

readonly JOURNAL=/usr/lib/systemd/systemd-journald

# As after a login, the user has no capabilities, and all capabilities are in the bounding set.
readonly AS_USER=(
  setpriv --reuid "$NUMBER" --regid "$NUMBER" --clear-groups --inh-caps=-all --ambient-caps=-all
)

skip() { echo "skipped: $*"; exit 77; }

# --- Outside: a cgroup, and the namespaces -------------------------------------------------------------------------------

outside() {
  [ $# -gt 0 ] || { sed -n '2,15s/^# \{0,1\}//p' "$0" >&2; exit 64; }
  [ "$(id -u)" = 0 ] || skip "only root can make the namespaces"
  local program
  for program in unshare setpriv systemctl; do
    command -v "$program" >/dev/null || skip "there is no $program"
  done
  [ -x "$(manager)" ] && [ -x "$JOURNAL" ] || skip "systemd is not installed"
  unshare --mount --pid --fork true 2>/dev/null || skip "namespaces are not allowed here"

  # A user manager needs its own part of the cgroup tree, in each hierarchy that systemd uses.
  local hierarchy groups=()
  for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/systemd; do
    [ -e "$hierarchy/cgroup.procs" ] || continue
    mkdir "$hierarchy/$NAME-$$" 2>/dev/null || skip "cgroups cannot be made in $hierarchy"
    groups+=("$hierarchy/$NAME-$$")
    trap 'remove_groups '"$(printf '%q ' "${groups[@]}")" EXIT
    chown -R "$NUMBER:$NUMBER" "$hierarchy/$NAME-$$"
  done
  [ ${#groups[@]} -gt 0 ] || skip "there are no cgroups"

  local status=0
  # When the first process in a PID namespace exits, all others in it are killed.
  unshare --mount --propagation private --pid --fork --kill-child \
    env HOMELINE_INSIDE="${groups[*]}" "$BASH" "$0" "$@" || status=$?
  exit "$status"
}

remove_groups() {
  local group
  for group in "$@"; do
    # The kernel removes the last members shortly after they exit.
    for _ in {1..50}; do
      find "$group" -depth -type d -exec rmdir {} + 2>/dev/null && break
      sleep 0.1
    done
  done
}

manager() { ls /usr/lib/systemd/systemd /lib/systemd/systemd 2>/dev/null | head -n 1; }

# --- Inside ---------------------------------------------------------------------------------------------------------------

inside() {
  local stage='' groups=$HOMELINE_INSIDE
  if [ "$1" = --stage ]; then
    stage=$(realpath "$2")
    shift 2
  fi
  local others=''
  if [ "$1" = --others ]; then
    others=$(realpath "$2")
    shift 2
  fi
  join_groups
  mount -t proc proc /proc
  mount -t cgroup2 cgroup2 /sys/fs/cgroup || skip "cgroup2 cannot be mounted"
  make_user "$stage"
  start_journal
  if [ -n "$others" ]; then start_others "$others"; fi

  export HOME=$HOME_FOLDER USER=$NAME LOGNAME=$NAME SHELL=/bin/sh XDG_RUNTIME_DIR=$RUNTIME
  unset HOMELINE_INSIDE NOTIFY_SOCKET LISTEN_FDS LISTEN_PID DBUS_SESSION_BUS_ADDRESS
  unset XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME
  cd /

  local log=/run/manager.log
  SYSTEMD_LOG_TARGET=journal in_its_group "${AS_USER[@]}" "$(manager)" --user >"$log" 2>&1 </dev/null &
  local process=$!
  wait_for_manager "$process" || { cat "$log" >&2; journalctl --no-pager >&2; skip "systemd --user did not start; its messages are above"; }

  local status=0
  "${AS_USER[@]}" "$@" || status=$?
  "${AS_USER[@]}" systemctl --user exit >/dev/null 2>&1 || kill "$process" 2>/dev/null || true
  wait "$process" || true
  if [ "$status" != 0 ]; then journalctl --no-pager --lines=100 >&2; fi
  exit "$status"
}

join_groups() {
  local group
  for group in $HOMELINE_INSIDE; do
    echo $$ >"$group/cgroup.procs" || skip "$group cannot be entered"
  done
}

# This creates a private /run with the files that systemd creates as init, and a private user.
make_user() {
  mount -t tmpfs -o mode=755,nosuid,nodev tmpfs /run
  # The folder /run/systemd/system shows that systemd is the init system (sd_booted(3)). systemd builds sandboxes
  # in unit-root, or in mount-rootfs since systemd 254.
  mkdir -p /run/systemd/system /run/credentials /run/lock /run/user
  mkdir -m 700 /run/systemd/unit-root /run/systemd/mount-rootfs
  make_homes
  install -d -m 700 -o "$NUMBER" -g "$NUMBER" "$RUNTIME" "$HOME_FOLDER"
  if [ -n "$1" ]; then
    cp -R "$1/." "$HOME_FOLDER"
    chown -R "$NUMBER:$NUMBER" "$HOME_FOLDER"
    chmod 700 "$HOME_FOLDER"
  fi
  local file line
  for file in passwd group; do
    line="$NAME:x:$NUMBER:"
    if [ "$file" = passwd ]; then line="$NAME:x:$NUMBER:$NUMBER::$HOME_FOLDER:/bin/sh"; fi
    { cat "/etc/$file"; echo "$line"; } >"/run/$file"
    mount --bind "/run/$file" "/etc/$file"
  done
}

# /home is private, so that ProtectHome= applies to the user's home. Other homes stay visible, because a toolchain may be there.
make_homes() {
  local home
  mkdir -p /home /run/homes
  mount --rbind /home /run/homes
  mount -t tmpfs -o mode=755,nosuid,nodev tmpfs /home
  for home in /run/homes/*/; do
    [ -d "$home" ] || continue
    mkdir "/home/$(basename "$home")"
    mount --rbind "$home" "/home/$(basename "$home")"
  done
}

# Journals per user need the persistent journal folder.
start_journal() {
  mkdir -p /run/systemd/journal /run/systemd/journald.conf.d
  mount -t tmpfs -o mode=755,nosuid,nodev tmpfs /var/log
  mkdir /var/log/journal
  printf '%s\n' '[Journal]' Storage=persistent SystemMaxUse=64M ReadKMsg=no Audit=no >/run/systemd/journald.conf.d/test.conf
  touch /run/systemd/journal/flushed
  "$JOURNAL" >/run/journal.log 2>&1 </dev/null &
  for _ in {1..100}; do
    if [ -S /run/systemd/journal/stdout ]; then return; fi
    sleep 0.05
  done
  cat /run/journal.log >&2
  skip "the journal did not start; its messages are above"
}

start_others() {
  local user
  # An ordinary user cannot write to /run, so root creates the folder.
  install -d -m 755 /run/others
  for user in 0 65534; do
    chown "$user" /run/others
    python3 "$1" "$user" serve "/run/others/$user.socket" </dev/null &
    for _ in {1..200}; do
      if [ -S "/run/others/$user.socket" ]; then break; fi
      sleep 0.05
    done
    [ -S "/run/others/$user.socket" ] || skip "a program of the user $user did not start"
  done
}

# Runs a command in the cgroup of a user's manager. The journal derives the user and the unit of a line from the
# cgroup's name.
in_its_group() {
  # This is the path below the cgroup2 file system that is mounted here.
  local group=/sys/fs/cgroup/${groups##*/}/user.slice/user-$NUMBER.slice/user@$NUMBER.service
  mkdir -p "$group"
  chown "$NUMBER:$NUMBER" "$group" "$group/cgroup.procs"
  echo "$BASHPID" >"$group/cgroup.procs"
  exec "$@"
}

wait_for_manager() {
  local state
  for _ in {1..100}; do
    kill -0 "$1" 2>/dev/null || return 1
    state=$("${AS_USER[@]}" systemctl --user is-system-running 2>/dev/null || true)
    # "degraded" means that one of the machine's own units failed, which does not affect this test.
    case $state in running | degraded) return 0 ;; esac
    sleep 0.1
  done
  return 1
}

if [ -n "${HOMELINE_INSIDE:-}" ]; then inside "$@"; else outside "$@"; fi
