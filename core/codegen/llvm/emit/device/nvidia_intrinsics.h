// SPDX-License-Identifier: Apache-2.0
//
// How intrinsics of a warp are spelled in LLVM's IR, by name.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <string>
#include <string_view>

#include "core/ir/intrinsic/intrinsic.h"
#include "core/ir/target.h"

namespace dovetail::codegen {

// A warpgroup's product of 64 rows, whose operands lie in the group's memory: the PTX word of their
// type, and the columns.
struct GroupSpelling {
  std::string name;
  std::string_view type;
  int columns = 0;
};
const GroupSpelling* group_product_of(const Intrinsic& intrinsic, const Target& target);

// Operands are fragments: what one work-item gives of each.
struct FragmentSpelling {
  std::string_view name;
  llvm::Intrinsic::ID instruction;
  // Two neighbours along k, as one operand.
  llvm::Type* (*pair)(llvm::IRBuilder<>& builder);
};

// Null where the target has no such instruction, or none that is known here.
const FragmentSpelling* fragments_of(const Intrinsic& intrinsic, const Target& target);

}  // namespace dovetail::codegen
