#!/bin/bash
# Runs a command as root in the folder of a Debian system, with its own mounts and processes. It uses pivot_root(2), because processes in
# a chroot(2) cannot create the user namespaces that the service's sandbox needs.
#
#   in_root.sh ROOT COMMAND [ARGUMENT...]
set -euo pipefail

if [ "${1:-}" != --inside ]; then
  exec unshare --mount --propagation private --pid --fork --kill-child "$BASH" "$0" --inside "$(realpath "$1")" "${@:2}"
fi
root=$2
shift 2
mount --rbind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
cd "$root"
mkdir -p .outside
pivot_root . .outside
umount --lazy .outside
rmdir .outside
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
