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
scripts/install put "$place/build" >/dev/null

units=("$PREFIX"/share/systemd/user/*)
[ "${#units[@]}" = 2 ] || fail "installed units: ${units[*]}"
# It ends with 0 even when it knows a key's name not, so its words count.
words=$(systemd-analyze verify --user --man=no "${units[@]}" 2>&1) || fail "systemd-analyze: $words"
[ -z "$words" ] || fail "systemd-analyze: $words"
for file in bin/homeline libexec/homeline/homelined; do
  [ -x "$PREFIX/$file" ] || fail "$file is not installed"
done

touch "$PREFIX/bin/of-somebody-else"
scripts/install remove >/dev/null
left=$(cd "$PREFIX" && find . ! -type d)
[ "$left" = ./bin/of-somebody-else ] || fail "after uninstalling there are: $left"
echo "the units are right, and uninstalling takes everything away"
