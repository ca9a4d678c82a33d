# SPDX-License-Identifier: Apache-2.0
# Completion of dovetail for fish: in a folder of $fish_complete_path (`cmake --install` puts it into
# vendor_completions.d). Verbs, actions and options are those that the program's own --help lists, and what an option
# takes is what it prints for --completion-values.

function __dovetail_help
    set -l program (commandline -opc)[1]
    $program $argv --help 2>/dev/null
end

function __dovetail_verb
    set -l words (commandline -opc)
    test (count $words) -ge 2; and echo $words[2]
end

function __dovetail_options
    __dovetail_help (__dovetail_verb) | string replace -rf '^  (?:-\w,)?(--?[\w-]+)\S*( [A-Z]+\S*)?( \.\.\.)?\s*(.*)$' '$1\t$4'
end

function __dovetail_values
    set -l words (commandline -opc)
    test (count $words) -ge 3; or return
    string match -q -- '-*' $words[-1]; or return
    $words[1] $words[2] --completion-values $words[-1] 2>/dev/null
end

complete -c dovetail -n 'test -z "$(__dovetail_verb)"' -f -a "(__dovetail_help | string replace -rf '^  ([a-z]+)( .*?)?  +(\S.*)\$' '\$1\t\$3')"
complete -c dovetail -n '__dovetail_verb | string match -q log; and test (count (commandline -opc)) -eq 2' -f \
    -a "(__dovetail_help log | string match -rg '^  ([a-z]+ +.*)\$' | string replace -r ' +' '\t')"
complete -c dovetail -n 'string match -q -- "-*" (commandline -ct)' -f -a '(__dovetail_options)'
complete -c dovetail -n 'count (__dovetail_values) >/dev/null' -f -a '(__dovetail_values)'
