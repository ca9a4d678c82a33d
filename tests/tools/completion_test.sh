#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What bash's completion offers, and that an installed program finds what it needs.
#   tests/tools/completion_test.sh SOURCE_FOLDER BUILD_FOLDER
set -euo pipefail
source_folder=$1 build=$2
source "$source_folder/scripts/completions/dovetail.bash"

expect() { # WORDS OFFERED: of the last word, which Tab is pressed behind
  local offered
  read -ra COMP_WORDS <<< "$build/dovetail $1"
  [[ $1 == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _dovetail
  offered="${COMPREPLY[*]}"
  [ "$offered" = "$2" ] || { echo "dovetail $1<Tab>: expected '$2', found '$offered'"; exit 1; }
}
expect 'tu' 'tune'
expect 're' 'replay report'
expect 'tune --total' '--total-trials --total-seconds'
expect 'log m' 'merge migrate'
expect 'log -' '-h --help -o --format --task --cache --json'
expect 'replay gmm:m' ''
expect 'tune --strategy ev' 'evolutionary'
expect 'tune --cache network' 'network network:l3 network:memory'
expect 'run --variant for' 'forward_only'
expect 'show --what as' 'asm'
expect 'tune --cost-model ' 'none random roofline xgboost'
expect 'bench --against ' 'onednn libtorch openblas none'
expect 'build --weights ' 'file embed'
expect 'log export --format ' 't4 csv'
expect 'tune --log ' ''
[[ " $("$build/dovetail" run --completion-values --target | tr '\n' ' ')" == *' cpu cpu:threads= '* ]]

prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$build" --prefix "$prefix" > "$prefix/installed.txt"
cd "$prefix"
bin/dovetail doctor > doctor.txt
for section in EXAMPLES OPTIONS 'EXIT STATUS' FILES; do grep -q "^.SH $section" share/man/man1/dovetail-tune.1; done
grep -q '^.TH "DOVETAIL-TUNE" 1 "20[0-9-]*" "dovetail [0-9]' share/man/man1/dovetail-tune.1
[ -f share/bash-completion/completions/dovetail ]
if bin/dovetail show gmm:m=8,n=8,k=8 --what ir > ir.txt 2>&1; then # this build has CPU kernels
  bin/dovetail show gmm:m=8,n=8,k=8 --what trace > trace.txt
  bin/dovetail replay gmm:m=8,n=8,k=8 --trace trace.txt --check > replay.txt # by the worker beside it
else
  grep -q 'needs LLVM' ir.txt
fi
