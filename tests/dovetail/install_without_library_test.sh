#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Where the library was not built, nothing that needs it is installed: no headers, no package for CMake or pkg-config.
#   tests/dovetail/install_without_library_test.sh BUILD_FOLDER
set -euo pipefail
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "install_without_library_test: $*" >&2; exit 1; }

# What `cmake --install` runs for the library's folder, as in a build folder without it.
sed 's/libdovetail\.so/libabsent.so/g' "$build/library/cmake_install.cmake" > "$folder/install.cmake"
cmake -DCMAKE_INSTALL_PREFIX="$folder/prefix" -P "$folder/install.cmake" > "$folder/said.txt" ||
  { cat "$folder/said.txt" >&2; fail 'the program alone cannot be installed'; }
grep -q 'Without the library, which was not built .*--target dovetail_shared' "$folder/said.txt" ||
  { cat "$folder/said.txt" >&2; fail 'nothing says that the library is missing'; }
[ ! -e "$folder/prefix" ] || fail "installed without the library: $(find "$folder/prefix" -type f)"
