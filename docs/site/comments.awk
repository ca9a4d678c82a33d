#!/usr/bin/awk -f
# SPDX-License-Identifier: Apache-2.0
# A header as Doxygen wants it. Comments before what they are about begin with ///, those behind it with ///<; an example,
# indented by two, is indented as Markdown's code. What a header declares is a group that is called as its path and has
# the header's first comment, because Breathe would take two headers of one name in different folders for one.
/SPDX-License-Identifier/ { print ""; next }
/^\/\/ / && !begun {
  path = substr(FILENAME, length(ENVIRON["PWD"]) + 2)  # a filter's file is absolute
  name = path
  gsub(/[\/.]/, "_", name)
  printf "/// \\defgroup %s %s\n", name, path
  begun = 1
}
/^namespace .*\{$/ { printf "%s\n/// \\addtogroup %s\n/// @{\n", $0, name; next }
/^}  \/\/ namespace/ { print "/// @}\n}"; next }
# A handle's members from here to the private ones are the library's own.
/^  struct Data;/ { print "/// \\cond"; hidden = 1; next }
/^( private:|};)/ && hidden { print "/// \\endcond"; hidden = 0 }
/^ *\/\/( |$)/ { sub(/\/\/   /, "//     "); sub(/\/\//, "///"); print; next }
/[^ ].*  \/\/ / && !/NOLINT/ { sub(/  \/\/ /, "  ///< ") }
{ print }
