#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# deb_test.sh BUILD VERSION: cpack makes a package of Debian's that holds the program, names its libraries, and has the
# project's version.
set -euo pipefail
build=$1 version=$2
command -v dpkg-shlibdeps > /dev/null || { echo 'skipped: no dpkg-shlibdeps here'; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$build"
cpack -G DEB -B "$folder" > "$folder/cpack.log" 2>&1 || { cat "$folder/cpack.log" >&2; exit 1; }
package=$(echo "$folder"/dovetail_"$version"_*.deb)
[ "$(dpkg-deb -f "$package" Version)" = "$version" ]
[ "$(./dovetail --version)" = "dovetail $version" ]
dpkg-deb -f "$package" Depends | grep -q 'libc6 (>= '
dpkg-deb -c "$package" > "$folder/contents"
for file in ./usr/bin/dovetail ./usr/lib/dovetail/dovetail-worker ./usr/share/man/man1/dovetail-build.1; do
  grep -qF " $file" "$folder/contents" || { echo "$file is not in it" >&2; exit 1; }
done
dpkg-deb -x "$package" "$folder/root"
"$folder/root/usr/bin/dovetail" run 'Y[i] = exp(X[i]) : i=8' > /dev/null  # with the worker beside it
