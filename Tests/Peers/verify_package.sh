#!/bin/bash
# Builds the Debian package of the built programs from two copies of the packaging files and checks its control file and its content.
# Exits with 1 and prints the failures; with 0 if there are none; with 77 and "skipped: ..." without debhelper.
#
#   verify_package.sh BUILD      BUILD is the folder with the programs
set -euo pipefail

programs=$(realpath "${1:?the folder with the built programs}")
cd "$(dirname "$0")/../.."
skip() { echo "skipped: $*"; exit 77; }
fail() { echo "wrong: $*"; exit 1; }

for program in dh dpkg-deb dpkg-shlibdeps strip; do command -v "$program" >/dev/null || skip "there is no $program"; done
# Debian has no packages of the sanitizers' libraries.
if grep -q -e __tsan_init -e __asan_init "$programs/homelined"; then skip "the programs are built with a sanitizer"; fi
# The version of dpkg-deb that knows DPKG_DEB_COMPRESSOR_TYPE.
dpkg --compare-versions "$(dpkg-query --show --showformat='${Version}' dpkg)" ge 1.21.10 || skip "dpkg is older than 1.21.10"

place=$(mktemp -d -t homeline-package.XXXXXX)
trap 'rm -rf "$place"' EXIT
build=$place/build
mkdir "$build"
ln -s "$programs"/homeline{,d,-sandbox} "$build"
"$programs/homeline-manual" share "$build/share"
export BUILD="$build" SOURCE_DATE_EPOCH=1700000000 DPKG_DEB_COMPRESSOR_TYPE=none

# Both packages are built from the same copy, in case somebody is editing the files.
mkdir "$place/source"
cp -R --parents scripts systemd docs debian config.example.json ./*.md LICENSE Package.swift \
  Sources/7-Service/Commands/Terminal/Version.swift "$place/source"

# package FOLDER: builds the package in a copy with this path.
package() {
  cp -R "$place/source" "$1"
  PACKAGES="$place/packages" "$1/scripts/package" deb >"$place/log" 2>&1 || fail "make deb: $(tail -n 20 "$place/log")"
}
package "$place/first"
deb=$(echo "$place"/packages/*.deb)
mv "$deb" "$place/first.deb"
(umask 077 && TZ=Asia/Tokyo package "$place/another")
cmp "$place/first.deb" "$deb" || fail "another folder, time zone and umask result in another package"

version=$("$build/homeline" version)
[ "${deb##*/}" = "homeline_${version#homeline }_$(dpkg --print-architecture).deb" ] || fail "the name of the package: ${deb##*/}"
field() { dpkg-deb --field "$deb" "$1"; }
[ "$(field Version)" = "${version#homeline }" ] || fail "Version: $(field Version)"
[ "$(field Recommends)" = "ca-certificates" ] || fail "Recommends: $(field Recommends)"
depends=$(field Depends)
# Linked: libc6 and libssl3. Loaded at run time: libcurl4, libidn2-0, libsystemd0 and libyaml-0-2. Their names end with t64 from Debian 13 on.
for name in 'libc6 \(>= ' 'libssl3(t64)? \(>= ' 'libcurl4(t64)?' 'libidn2-0' 'libsystemd0' 'libyaml-0-2'; do
  grep -qE "(^|, )$name" <<<"$depends" || fail "Depends lacks $name: $depends"
done

dpkg-deb --extract "$deb" "$place/root"
dpkg-deb --control "$deb" "$place/control"
units=$(cd "$place/root/usr/lib/systemd/user" && echo *)
[ "$units" = "homeline-callback.socket homeline-control.socket homeline-peers.socket homeline.service" ] || fail "units: $units"
grep -qx 'ExecStart="/usr/bin/homeline" daemon' "$place/root/usr/lib/systemd/user/homeline.service" || fail "ExecStart of the unit"
grep -qE 'systemctl|deb-systemd-invoke' "$place"/control/p* && fail "a maintainer script starts, restarts or stops services"
for file in bin/homeline libexec/homeline/homelined libexec/homeline/homeline-sandbox share/man/man1/homeline.1.gz \
  share/bash-completion/completions/homeline share/zsh/vendor-completions/_homeline share/fish/vendor_completions.d/homeline.fish \
  share/doc/homeline/examples/bars/newest-post share/doc/homeline/config.example.json share/doc/homeline/docs/how-to/systemd.md \
  share/doc/homeline/README.md share/doc/homeline/CHANGELOG.md share/doc/homeline/CONTRIBUTING.md share/doc/homeline/SECURITY.md share/doc/homeline/copyright; do
  [ -s "$place/root/usr/$file" ] || fail "the package lacks /usr/$file"
done
find "$place/root/usr/share/doc/homeline" -name '*.md' -exec scripts/check-docs {} + || fail "a page of the package has a dead link"
[ ! -e "$place/root/usr/share/doc/homeline/LICENSE" ] || fail "the licence is not only in the file copyright"
for name in Swift libstdc++ utf8proc; do
  grep -q "$name" "$place/root/usr/share/doc/homeline/copyright" || fail "copyright does not mention $name"
done
echo "the package is right"
