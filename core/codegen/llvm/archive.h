// SPDX-License-Identifier: Apache-2.0
//
// static_archive: a static library of objects, as `ar rcsD` writes it.
//
//   static_archive({{"kernels_0.o", object.bytes}, {"driver.o", driver}}, target)
//       "!<arch>\n…"    libNAME.a: a table of symbols, then the members in this order
//
// Why by LLVM and not by `ar`: a package is built where no toolchain is, for other systems, too,
// whose archives differ (GNU's for ELF, Darwin's for Mach-O, Microsoft's for COFF). No time, user
// or path goes into it: the same members give the same bytes.
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

// Fails for names that are no file names or there twice, and for members that are no object of the
// target's architecture and format.
Result<std::string> static_archive(const std::vector<ArchiveMember>& members, const Target& target);

}  // namespace dovetail
