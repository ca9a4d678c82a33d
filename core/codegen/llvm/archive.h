// SPDX-License-Identifier: Apache-2.0
//
// static_archive: a static library of objects, as `ar rcsD` writes it.
//
//   static_archive({{"kernels_0.o", object.bytes}, {"driver.o", driver}}, target)
//       "!<arch>\n…"    libNAME.a: a table of symbols, then the members in this order
//
// Why LLVM's writer and not `ar`: packages are built on machines without a toolchain, and for other
// systems, whose archive formats differ (GNU's for ELF, Darwin's for Mach-O, Microsoft's for COFF).
// Deterministic: no time, user or path is stored.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/target.h"

namespace dovetail {

struct ArchiveMember {
  std::string name;   // a file name
  std::string bytes;  // an object for the target
};

// Fails for invalid or duplicate file names, and for members that are not objects of the target's
// architecture and format.
Result<std::string> static_archive(const std::vector<ArchiveMember>& members, const Target& target);

}  // namespace dovetail
