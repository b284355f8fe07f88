#!/bin/bash
# Installs dummy programs into a new prefix, verifies the installed units with systemd-analyze, and uninstalls.
# Exits with 0, with 1 after printing the failures, or with 77 and "skipped: ..." without systemd-analyze.
#
#   verify_units.sh BUILD      BUILD is the folder with the built programs, of which only homeline-manual runs
set -euo pipefail
manual=$(realpath "${1:?the folder with the built programs}")/homeline-manual
cd "$(dirname "$0")/../.."

for program in systemd-analyze strip; do
  command -v "$program" >/dev/null || { echo "skipped: $program is not installed";  exit 77; }
done

place=$(mktemp -d -t homeline-units.XXXXXX)
trap 'rm -rf "$place"' EXIT
# systemd-analyze requires this variable but does not use it.
export XDG_RUNTIME_DIR="$place"
# This path needs quoting in every step. systemd-analyze searches for the program at the unit's path.
export PREFIX="$place/for 100%% of us \$HOME" DESTDIR=""

fail() { echo "wrong: $*"; exit 1; }

mkdir "$place/build"
cp "$(type -P true)" "$place/build/homeline"
cp "$(type -P true)" "$place/build/homelined"
cp "$(type -P true)" "$place/build/homeline-sandbox"
"$manual" share "$place/build/share"
scripts/install put "$place/build" "$place/build" >/dev/null 2>&1 && fail "an installation without the generated files succeeds"
scripts/install put "$place/build" "$place/build/share" >/dev/null

units=("$PREFIX"/share/systemd/user/*)
[ "${units[*]##*/}" = "homeline-callback.socket homeline-control.socket homeline-peers.socket homeline.service" ] || fail "installed units: ${units[*]}"
# systemd-analyze exits with 0 even for unknown keys, so this script checks its output.
output=$(systemd-analyze verify --user --man=no "${units[@]}" 2>&1) || fail "systemd-analyze: $output"
[ -z "$output" ] || fail "systemd-analyze: $output"
# docs/reference/service-sandbox.md contains the score, which shows whether a directive is removed or overridden by a later line.
security=$(systemd-analyze security --user --offline=true --no-pager "$PREFIX/share/systemd/user/homeline.service") ||
  fail "systemd-analyze security: $security"
score=$(sed -n 's/.*Overall exposure level.*: \([0-9.]*\) .*/\1/p' <<<"$security")
# Later systemd versions use slightly different weights.
awk -v score="$score" 'BEGIN { exit !(score != "" && score <= 2.3) }' || fail "the exposure level is '$score'"

for file in bin/homeline libexec/homeline/homelined libexec/homeline/homeline-sandbox; do
  [ -x "$PREFIX/$file" ] || fail "$file is not installed"
done

pages=$(cd "$PREFIX/share/man" && find . -type f | sort | xargs)
for page in man1/homeline.1 man1/homeline-login.1 man5/homeline-config.5 man8/homelined.8; do
  [[ " $pages " == *" ./$page "* ]] || fail "the manual page $page is not installed: $pages"
done
for file in bash-completion/completions/homeline zsh/site-functions/_homeline fish/vendor_completions.d/homeline.fish; do
  [ -s "$PREFIX/share/$file" ] || fail "the completion $file is not installed"
done

touch "$PREFIX/bin/of-somebody-else"
scripts/install remove >/dev/null
left=$(cd "$PREFIX" && find . ! -type d)
[ "$left" = ./bin/of-somebody-else ] || fail "after uninstalling, these files are left: $left"

# In an installation for a package, all files are below DESTDIR, and the unit contains only PREFIX.
packed="$place/packed"
DESTDIR="$packed" PREFIX=/usr scripts/install put "$place/build" "$place/build/share" >/dev/null
grep -qx 'ExecStart="/usr/bin/homeline" daemon' "$packed/usr/share/systemd/user/homeline.service" ||
  fail "the unit of a package: $(grep ExecStart= "$packed/usr/share/systemd/user/homeline.service")"
DESTDIR="$packed" PREFIX=/usr scripts/install remove >/dev/null
left=$(find "$packed" ! -type d)
[ -z "$left" ] || fail "after uninstalling a package, these files are left: $left"
# In an installation for one user, the service's folders exist before its first start, and empty folders are removed.
export HOME="$place/home" PREFIX="~/.local" DESTDIR=""
unset XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME
scripts/install put "$place/build" "$place/build/share" >/dev/null
grep -qxF "ExecStart=\"$HOME/.local/bin/homeline\" daemon" "$HOME/.local/share/systemd/user/homeline.service" ||
  fail "the unit of one user: $(grep ExecStart= "$HOME/.local/share/systemd/user/homeline.service")"
modes=$(stat -c %a "$HOME"/.cache/homeline "$HOME"/.local/{share,state}/homeline | xargs)
[ "$modes" = "700 700 700" ] || fail "the modes of the service's folders: $modes"
touch "$HOME/.local/state/homeline/token"
scripts/install remove >/dev/null
left=$(cd "$HOME" && find . ! -type d -o -name 'homeline*')
[ "$left" = "./.local/state/homeline
./.local/state/homeline/token" ] || fail "after uninstalling for one user, these files are left: $left"
echo "the units are correct, and uninstalling removes every file"
