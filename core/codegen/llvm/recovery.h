// SPDX-License-Identifier: Apache-2.0
#pragma once

// survive_llvm: calls LLVM, and returns an error where LLVM would end the process.
//
//   TRY(survive_llvm([&] { passes->run(module); }));
//   "LLVM: Cannot select: v4i64 = zero_extend_vector_inreg …"    the process would have ended
//
// Why: where its instruction selection has no pattern, LLVM ends the process; random programs and
// new networks reach such cases. LLVM's CrashRecoveryContext leaves the call by longjmp, on fatal
// errors and on signals of a crash: no destructors run, so the caller leaks what it passed to the
// call.

#include <functional>
#include <string>

#include "core/base/result.h"

namespace llvm {
class Error;
}

namespace dovetail {

Result<void> survive_llvm(const std::function<void()>& call);

// The text of an llvm::Error, on one line.
std::string one_line(llvm::Error error);

}  // namespace dovetail
