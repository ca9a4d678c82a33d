// SPDX-License-Identifier: Apache-2.0
//
// object_symbols: what a relocatable object (ELF, Mach-O, COFF) defines for others and needs from
// them, as `nm -g` shows it.
//
//   object_symbols(object.bytes)    {{"dovetail_kernel_0_c2d", defined, not hidden}}
//
// Why by LLVM and not by `nm`: that program is not everywhere, and not for every format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

struct ObjectSymbol {
  std::string name;  // as the file has it: Mach-O begins each with an underscore
  bool defined = true;
  bool hidden = false;  // no shared library exports it; ELF and Mach-O alone know this
  friend bool operator==(const ObjectSymbol&, const ObjectSymbol&) = default;
};

// Global symbols, in the file's order. Fails for bytes that are no object.
Result<std::vector<ObjectSymbol>> object_symbols(std::string_view bytes);

// Names of those that are not defined.
Result<std::vector<std::string>> undefined_symbols(std::string_view bytes);

}  // namespace dovetail
