// SPDX-License-Identifier: Apache-2.0
//
// object_symbols: the global symbols that a relocatable object (ELF, Mach-O, COFF) defines or
// needs, as `nm -g` lists them.
//
//   object_symbols(object.bytes)    {{"dovetail_kernel_0_c2d", defined, not hidden}}
//
// Why LLVM and not `nm`: `nm` is not installed everywhere, and does not support every format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

struct ObjectSymbol {
  std::string name;  // as in the file: Mach-O prepends an underscore
  bool defined = true;
  bool hidden = false;  // not exported by shared libraries; ELF and Mach-O only
  friend bool operator==(const ObjectSymbol&, const ObjectSymbol&) = default;
};

// Global symbols, in the file's order. Fails for bytes that are not an object.
Result<std::vector<ObjectSymbol>> object_symbols(std::string_view bytes);

// Names of the undefined symbols.
Result<std::vector<std::string>> undefined_symbols(std::string_view bytes);

}  // namespace dovetail
