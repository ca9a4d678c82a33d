// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/optimize.h"

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "core/codegen/llvm/emit/analyses.h"

namespace dovetail {

// SROA promotes tiles to SSA values, CSE merges what unrolled points share, LICM hoists invariants.
// Addresses are already emitted at their loops; the rest of O1 finds nothing here.
void optimize_kernels(MachineModule& made) {
  codegen::Analyses analyses(*made.machine);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/false));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()),
                                                       /*UseMemorySSA=*/true));
  passes.addPass(llvm::SimplifyCFGPass());
  for (llvm::Function& function : *made.module)
    if (!function.isDeclaration()) passes.run(function, analyses.functions);
}

std::string print_ir(const MachineModule& made) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  made.module->print(stream, nullptr);
  return text;
}

}  // namespace dovetail
