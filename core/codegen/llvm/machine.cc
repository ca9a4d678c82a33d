// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/machine.h"

#include <fmt/format.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "core/base/check.h"

namespace dovetail::cpu {
namespace {

// Loop strength reduction finds nothing where addresses were emitted at their loops, and took 40 %
// of the compile time of unrolled kernels looking. LLVM has no other switch for it.
void disable_strength_reduction() {
  llvm::StringMap<llvm::cl::Option*>& options = llvm::cl::getRegisteredOptions();
  const auto option = options.find("disable-lsr");
  CHECK(option != options.end(), "LLVM has no option disable-lsr");
  CHECK(!option->second->addOccurrence(0, "disable-lsr", "true"), "disable-lsr takes no value");
}

void initialize_targets() {
  disable_strength_reduction();
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  llvm::InitializeAllAsmParsers();  // the launder's empty inline assembly is parsed
}

Result<std::unique_ptr<llvm::TargetMachine>> create_machine(const Target& target) {
  static std::once_flag once;
  std::call_once(once, initialize_targets);
  std::string message;
  const llvm::Target* known = llvm::TargetRegistry::lookupTarget(target.llvm_triple, message);
  if (known == nullptr)
    return fail(fmt::format("LLVM has no target for triple \"{}\"", target.llvm_triple));
  std::unique_ptr<llvm::TargetMachine> machine(known->createTargetMachine(
      target.llvm_triple, target.llvm_cpu, target.llvm_features, llvm::TargetOptions(),
      llvm::Reloc::PIC_, llvm::CodeModel::Small, llvm::CodeGenOptLevel::Less));
  if (machine == nullptr) {
    return fail(fmt::format("LLVM cannot generate code for triple \"{}\"", target.llvm_triple));
  }
  return machine;
}

}  // namespace

Result<llvm::TargetMachine*> machine_for(const Target& target) {
  using Key = std::tuple<std::string, std::string, std::string>;
  thread_local std::map<Key, std::unique_ptr<llvm::TargetMachine>> machines;
  std::unique_ptr<llvm::TargetMachine>& machine =
      machines[Key(target.llvm_triple, target.llvm_cpu, target.llvm_features)];
  if (machine == nullptr) machine = TRY(create_machine(target));
  return machine.get();
}

void prepare_module(llvm::Module& module, llvm::TargetMachine& machine) {
  module.setTargetTriple(machine.getTargetTriple().str());
  module.setDataLayout(machine.createDataLayout());
}

// Registers for the tiles (SROA), one copy of what the unrolled points share, and loop invariants
// outside. Addresses are emitted at their loops already; the rest of O1 finds nothing here.
void optimize(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/false));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()),
                                                       /*UseMemorySSA=*/true));
  passes.addPass(llvm::SimplifyCFGPass());
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) passes.run(function, functions);
  }
}

Result<std::string> generate_code(llvm::Module& module, llvm::TargetMachine& machine,
                                  MachineOutput output) {
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  llvm::TargetLibraryInfoImpl library(machine.getTargetTriple());
  library.disableAllFunctions();
  passes.add(new llvm::TargetLibraryInfoWrapperPass(library));
  const auto type = output == MachineOutput::object ? llvm::CodeGenFileType::ObjectFile
                                                    : llvm::CodeGenFileType::AssemblyFile;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/true)) {
    return fail(
        fmt::format("LLVM cannot write code for triple \"{}\"", machine.getTargetTriple().str()));
  }
  passes.run(module);
  return std::string(bytes.data(), bytes.size());
}

}  // namespace dovetail::cpu
