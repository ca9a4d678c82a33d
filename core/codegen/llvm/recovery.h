// SPDX-License-Identifier: Apache-2.0
#pragma once

// survive_llvm: calls LLVM, and comes back where LLVM gives up.
//
//   TRY(survive_llvm([&] { passes->run(module); }));
//   "LLVM: Cannot select: v4i64 = zero_extend_vector_inreg …"    the process would have ended
//
// Why: where its instruction selection has no pattern, LLVM ends the process; a program that was
// drawn at random, or a network that nobody ran before, finds such places. LLVM's own
// CrashRecoveryContext leaves the call by longjmp, from fatal errors and from signals of its crash:
// what the call holds then is not destroyed, so the caller leaks what it gave to it.

#include <functional>
#include <string>

#include "core/base/result.h"

namespace llvm {
class Error;
}

namespace dovetail {

Result<void> survive_llvm(const std::function<void()>& call);

// The text of an error that LLVM gives as a value, on one line.
std::string one_line(llvm::Error error);

}  // namespace dovetail
