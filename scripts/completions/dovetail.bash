# SPDX-License-Identifier: Apache-2.0
# Completion of dovetail for bash: `source` this file, or put it where bash-completion looks
# (`cmake --install` does). Verbs, actions and options are those that the program's own --help lists, and what
# an option takes is what it prints for --completion-values.

_dovetail_words() { # PATTERN ARGUMENT...: what the pattern finds in the help of these arguments
  local pattern=$1
  shift
  "${COMP_WORDS[0]/#\~/$HOME}" "$@" --help 2> /dev/null | sed -nE "$pattern"
}

_dovetail() {
  local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]-} before=${COMP_WORDS[COMP_CWORD - 1]-} found=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    found="$(_dovetail_words 's/^  ([a-z]+)( .*)?$/\1/p') --help --version"
  elif [[ $before == -* && $word != -* ]]; then
    found=$("${COMP_WORDS[0]/#\~/$HOME}" "$verb" --completion-values "$before" 2> /dev/null)
  elif [[ $word == -* ]]; then
    found=$(_dovetail_words 's/^  (-[^ ,]+)(,(-[^ ]+))?.*/\1 \3/p' "$verb")
  elif [ "$verb" = log ] && [ "$COMP_CWORD" -eq 2 ]; then
    found=$(_dovetail_words '/^actions:/,$ s/^  ([a-z]+) .*/\1/p' log)
  fi
  if [ -n "$found" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$found" -- "$word")
    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *[=:] ]] || compopt -o nospace 2> /dev/null || true
  elif [[ $word == @* ]]; then # a suite: @FILE
    mapfile -t COMPREPLY < <(compgen -P @ -f -- "${word#@}")
  fi
}

# With no word of ours, files.
complete -o default -F _dovetail dovetail
