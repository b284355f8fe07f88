#!/bin/bash
# Acts as a password manager: records its environment in ~/.cache/homeline/seen and prints a secret.
# The script never fails, so that missing information is also visible.

folder() {
  local probe
  if probe=$(mktemp -p "$1" 2>&1); then
    echo "$1 writable"
    rm -f "$probe"
  else
    case $probe in
      *'Read-only file system'*) echo "$1 read-only" ;;
      *) echo "$1: $probe" ;;
    esac
  fi
}

# Prints the mount options of a path.
mounted() {
  local options
  options=$(findmnt --noheadings --output OPTIONS --target "$1" | tail -n 1)
  case ,$options, in *,ro,*) echo "$1 read-only" ;; *) echo "$1 is mounted $options" ;; esac
}

status() { sed -n "s/^$1:[[:space:]]*//p" /proc/self/status; }

look() {
  # For root's files, the first error is "permission denied", so this checks the mount options instead.
  mounted /usr
  mounted /etc
  folder "$HOME"
  folder "$HOME/.config/homeline"
  folder "$HOME/.cache/homeline"
  folder "$HOME/.local/share/homeline"
  folder "$HOME/.local/state/homeline"
  folder "$XDG_RUNTIME_DIR"
  folder "$XDG_RUNTIME_DIR/homeline"
  [ -z "$(ls -A /tmp)" ] && echo "/tmp empty" || echo "/tmp: $(ls -A /tmp)"
  mounted /proc/sys
  mounted /sys
  mounted /sys/fs/cgroup
  [ -e /dev/kmsg ] && echo "/dev/kmsg is there" || echo "/dev/kmsg absent"
  unshare --user true 2>/dev/null && echo "namespace made" || echo "namespace refused"
  [ "$(status NoNewPrivs)" = 1 ] && echo "privileges none" || echo "privileges can be gained"
  echo "capabilities $(status CapEff) $(status CapBnd)"
  [ "$(status Seccomp)" = 2 ] && echo "system calls filtered" || echo "system calls: $(status Seccomp)"
  python3 -c 'import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)' 2>&1 |
    sed -n '$s/.*Address family not supported.*/packet socket refused/p'
  [ "$(awk '{ print $1, $2, $3 }' /proc/self/uid_map)" = "$(id -u) $(id -u) 1" ] && echo "other user ids hidden" || cat /proc/self/uid_map
  echo "core $(ulimit -H -c)"
  echo "descriptors $(sort -n "$seen.descriptors" | grep -vx 255 | xargs)"
  echo "variables $(env | grep -oE '^(NOTIFY_SOCKET|WATCHDOG_[A-Z]*|LISTEN_[A-Z]*)' | xargs | sed 's/^$/none/')"
}

seen="$HOME/.cache/homeline/seen"
rm -f "$seen" "$seen.new"
# This list is made before the shell opens any descriptors. 255 is the script.
ls "/proc/$$/fd" >"$seen.descriptors"
look >"$seen.new" 2>&1
mv "$seen.new" "$seen"
echo secret
