#!/bin/bash
# Installs stand-ins for the programs into a new prefix, has systemd read the installed units, and uninstalls.
# Prints what is wrong and ends with 1; ends with 0 when nothing is, with 77 and "skipped: ..." without systemd-analyze.
#
#   verify_units.sh
set -euo pipefail
cd "$(dirname "$0")/../.."

for program in systemd-analyze strip; do
  command -v "$program" >/dev/null || { echo "skipped: there is no $program"; exit 77; }
done

place=$(mktemp -d -t homeline-units.XXXXXX)
trap 'rm -rf "$place"' EXIT
# systemd-analyze asks for it and does not use it.
export XDG_RUNTIME_DIR="$place"
# A path that every step on the way has to quote. systemd-analyze looks for the program where the unit says it is.
export PREFIX="$place/for 100%% of us \$HOME" DESTDIR=""

fail() { echo "wrong: $*"; exit 1; }

mkdir "$place/build"
cp "$(type -P true)" "$place/build/homeline"
cp "$(type -P true)" "$place/build/homelined"
cp "$(type -P true)" "$place/build/homeline-sandbox"
scripts/install put "$place/build" >/dev/null

units=("$PREFIX"/share/systemd/user/*)
[ "${units[*]##*/}" = "homeline-callback.socket homeline-control.socket homeline-peers.socket homeline.service" ] || fail "installed units: ${units[*]}"
# It ends with 0 even when it knows a key's name not, so its words count.
words=$(systemd-analyze verify --user --man=no "${units[@]}" 2>&1) || fail "systemd-analyze: $words"
[ -z "$words" ] || fail "systemd-analyze: $words"
# A directive that is taken away or overruled by a later line is seen in the score, which docs/reference/service-sandbox.md tells.
security=$(systemd-analyze security --user --offline=true --no-pager "$PREFIX/share/systemd/user/homeline.service") ||
  fail "systemd-analyze security: $security"
score=$(sed -n 's/.*Overall exposure level.*: \([0-9.]*\) .*/\1/p' <<<"$security")
# Later versions of systemd weigh a little differently.
awk -v score="$score" 'BEGIN { exit !(score != "" && score <= 2.3) }' || fail "the exposure level is '$score'"

for file in bin/homeline libexec/homeline/homelined libexec/homeline/homeline-sandbox; do
  [ -x "$PREFIX/$file" ] || fail "$file is not installed"
done

touch "$PREFIX/bin/of-somebody-else"
scripts/install remove >/dev/null
left=$(cd "$PREFIX" && find . ! -type d)
[ "$left" = ./bin/of-somebody-else ] || fail "after uninstalling there are: $left"

# A packager's way: all of it below DESTDIR, and the unit speaks of PREFIX alone.
packed="$place/packed"
DESTDIR="$packed" PREFIX=/usr scripts/install put "$place/build" >/dev/null
grep -qx 'ExecStart="/usr/bin/homeline" daemon' "$packed/usr/share/systemd/user/homeline.service" ||
  fail "the unit of a package: $(grep ExecStart= "$packed/usr/share/systemd/user/homeline.service")"
DESTDIR="$packed" PREFIX=/usr scripts/install remove >/dev/null
left=$(find "$packed" ! -type d)
[ -z "$left" ] || fail "after uninstalling a package there are: $left"
# One user's way: the folders that the service writes into are there before its first start, and go when nothing is in them.
export HOME="$place/home" PREFIX="~/.local" DESTDIR=""
unset XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME
scripts/install put "$place/build" >/dev/null
grep -qxF "ExecStart=\"$HOME/.local/bin/homeline\" daemon" "$HOME/.local/share/systemd/user/homeline.service" ||
  fail "the unit of one user: $(grep ExecStart= "$HOME/.local/share/systemd/user/homeline.service")"
modes=$(stat -c %a "$HOME"/.cache/homeline "$HOME"/.local/{share,state}/homeline | xargs)
[ "$modes" = "700 700 700" ] || fail "the folders that the service writes into: $modes"
touch "$HOME/.local/state/homeline/token"
scripts/install remove >/dev/null
left=$(cd "$HOME" && find . ! -type d -o -name 'homeline*')
[ "$left" = "./.local/state/homeline
./.local/state/homeline/token" ] || fail "after uninstalling one user's there are: $left"
echo "the units are right, and uninstalling takes everything away"
