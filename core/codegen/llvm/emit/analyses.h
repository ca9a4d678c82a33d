// SPDX-License-Identifier: Apache-2.0
//
// Analyses: the analysis managers of one pass pipeline.
//
//   Analyses analyses(machine);
//   analyses.builder.buildPerModuleDefaultPipeline(level).run(module, analyses.modules);
//
// All library functions are disabled, so that no pass turns a loop into a call of memcpy.
#pragma once

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>

namespace dovetail::codegen {

struct Analyses {
  explicit Analyses(llvm::TargetMachine& machine) : builder(&machine) {
    llvm::TargetLibraryInfoImpl library(machine.getTargetTriple());
    library.disableAllFunctions();
    functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
};

}  // namespace dovetail::codegen
