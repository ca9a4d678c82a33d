#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` brings is a library: installed twice into a path with a space, and moved, it compiles each header
# alone, builds the example with CMake and with pkg-config, and tunes and runs a model with the worker beside it.
#   tests/dovetail/install_test.sh SOURCE_FOLDER BUILD_FOLDER COMPILER
set -euo pipefail
source_folder=$1 build=$2 compiler=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "install_test: $*" >&2; exit 1; }

for _ in 1 2; do
  cmake --install "$build" --prefix "$folder/first place" > "$folder/installed.txt"
done
mv "$folder/first place" "$folder/a place"
prefix="$folder/a place"

example="$source_folder/examples/tune_and_run"
[ "$(wc -l < "$example/main.cc")" -lt 60 ] || fail 'the example has 60 lines or more'

# Headers: each alone, of what is installed, the standard library's and the system's C alone.
include="$prefix/include/dovetail"
while IFS= read -r header; do
  echo "#include \"$header\"" > "$folder/alone.cc"
  "$compiler" -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I "$include" -MMD -MF "$folder/alone.d" "$folder/alone.cc" ||
    fail "$header does not compile alone"
  if tr ' ' '\n' < "$folder/alone.d" | grep -E '/(fmt|nlohmann|llvm|onnx|google|boost|CL|dlpack)/'; then
    fail "$header needs a third-party header"
  fi
done < <(cd "$include" && find . -name '*.h' -printf '%P\n' | sort)
printf '#define CHECK mine\n#define TRY mine\n#include "dovetail/dovetail.h"\n' > "$folder/words.cc"
"$compiler" -std=c++20 -Werror -fsyntax-only -I "$include" "$folder/words.cc" || fail "headers redefine their user's words"

# No path of the build, nor of where it was installed first.
if grep -rIlE "$build|first place" "$prefix/lib/cmake" "$prefix/lib/pkgconfig" "$include"; then
  fail 'the package names a path of the machine that made it'
fi

cmake -S "$example" -B "$folder/with cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$compiler" \
  > "$folder/configured.txt" || { cat "$folder/configured.txt" >&2; fail 'find_package(Dovetail) failed'; }
cmake --build "$folder/with cmake" > "$folder/built.txt" || { cat "$folder/built.txt" >&2; fail 'the example does not build'; }

# Functions that the headers declare are there, though the library itself does not call each.
cat > "$folder/linked.cc" << 'END'
#include "dovetail/dovetail.h"
int main() {
  const auto array = dovetail::api::from_dlpack(*dovetail::api::to_dlpack(dovetail::NDArray::zeros({}, {2})));
  return dovetail::parse_status("ok") && dovetail::parse_target("") && dovetail::parse_memory_scope("texture") && array;
}
END
"$compiler" -std=c++20 -I "$include" "$folder/linked.cc" -o "$folder/linked" -L "$prefix/lib" -ldovetail ||
  fail 'a public function is missing'

export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
# pkg-config escapes the spaces of a path for a shell.
eval "$compiler -std=c++20 -O1 '$example/main.cc' -o '$folder/with_pkg_config' $(pkg-config --cflags --libs dovetail)"

"$build/dovetail-make-models" "$folder" resnet18-small > /dev/null
cd "$folder"
mkdir temporary
export TMPDIR="$folder/temporary"
"$folder/with cmake/tune_and_run" resnet18-small.onnx 30 | tee out.txt
grep -Eq '^[0-9.]+ ms before, [0-9.]+ ms after$' out.txt || fail 'the example, built with CMake, printed no times'
LD_LIBRARY_PATH="$prefix/lib" ./with_pkg_config resnet18-small.onnx 20 > out.txt
grep -q 'ms after$' out.txt || fail 'the example, built with pkg-config, printed no times'
[ -z "$(ls temporary)" ] || fail "left behind: $(ls temporary)"
