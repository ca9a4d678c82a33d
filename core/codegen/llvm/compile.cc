// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/compile.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/IR/Verifier.h>
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
#include "core/base/fail.h"
#include "core/codegen/llvm/emit/kernel_emitter.h"
#include "core/codegen/llvm/recovery.h"

namespace dovetail {
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
  if (known == nullptr) return fail("LLVM has no target for triple \"{}\"", target.llvm_triple);
  std::unique_ptr<llvm::TargetMachine> machine(known->createTargetMachine(
      target.llvm_triple, target.llvm_cpu, target.llvm_features, llvm::TargetOptions(),
      llvm::Reloc::PIC_, llvm::CodeModel::Small, llvm::CodeGenOptLevel::Less));
  if (machine == nullptr)
    return fail("LLVM cannot generate code for triple \"{}\"", target.llvm_triple);
  return machine;
}

// One per thread and (triple, cpu, features), made once: it costs as much as a small kernel.
Result<llvm::TargetMachine*> machine_for(const Target& target) {
  using Key = std::tuple<std::string, std::string, std::string>;
  thread_local std::map<Key, std::unique_ptr<llvm::TargetMachine>> machines;
  std::unique_ptr<llvm::TargetMachine>& machine =
      machines[Key(target.llvm_triple, target.llvm_cpu, target.llvm_features)];
  if (machine == nullptr) machine = TRY(create_machine(target));
  return machine.get();
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
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) passes.run(function, functions);
}

// The module that all kernels of a program go to.
struct ProgramModule {
  llvm::LLVMContext context;
  llvm::Module module{"dovetail", context};
  llvm::TargetMachine* machine = nullptr;
};

// A module that LLVM gave up on cannot be destroyed, and leaks.
Result<std::string> generate_code(std::unique_ptr<ProgramModule> made, llvm::CodeGenFileType type) {
  llvm::TargetMachine& machine = *made->machine;
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  auto passes = std::make_unique<llvm::legacy::PassManager>();
  llvm::TargetLibraryInfoImpl library(machine.getTargetTriple());
  library.disableAllFunctions();
  passes->add(new llvm::TargetLibraryInfoWrapperPass(library));
  if (machine.addPassesToEmitFile(*passes, stream, nullptr, type, /*DisableVerify=*/true))
    return fail("LLVM cannot write code for triple \"{}\"", machine.getTargetTriple().str());
  const Result<void> ran = survive_llvm([&] { passes->run(made->module); });
  if (ran) return std::string(bytes.data(), bytes.size());
  static_cast<void>(passes.release());
  static_cast<void>(made.release());
  return fail("{}", ran.error().message);
}

std::string symbol_of(const Kernel& kernel, size_t number, std::string_view prefix) {
  std::string symbol = fmt::format("{}{}_{}", prefix, number, kernel.name);
  for (char& c : symbol) {
    const bool is_word =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!is_word) c = '_';
  }
  return symbol;
}

bool is_chosen(const Kernel& kernel, KernelsToCompile kernels) {
  return kernels == KernelsToCompile::all || kernel.once == (kernels == KernelsToCompile::once);
}

Result<std::unique_ptr<ProgramModule>> emit_module(const Program& program, const Target& target,
                                                   bool keep_names,
                                                   const CpuCodeOptions& options = {}) {
  if (target.name.kind != TargetKind::cpu)
    return fail("cannot compile for a CPU: the target is an OpenCL device");
  TRY(cpu::check_for_cpu(program));
  auto made = std::make_unique<ProgramModule>();
  made->context.setDiscardValueNames(!keep_names);
  made->machine = TRY(machine_for(target));
  made->module.setTargetTriple(made->machine->getTargetTriple().str());
  made->module.setDataLayout(made->machine->createDataLayout());
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    const Kernel& kernel = program.kernels[i];
    if (!is_chosen(kernel, options.kernels)) continue;
    cpu::KernelEmitter emitter(program, kernel, target, made->module);
    const Result<void> emitted = emitter.emit(symbol_of(kernel, i, options.prefix), options.hidden);
    if (!emitted) return fail("kernel {}: {}", kernel.name, emitted.error().message);
  }
#if DOVETAIL_VERIFY
  std::string message;
  llvm::raw_string_ostream stream(message);
  CHECK(!llvm::verifyModule(made->module, &stream), message);
#endif
  return made;
}

}  // namespace

Result<CpuObject> compile_cpu(const Program& program, const Target& target,
                              const CpuCodeOptions& options) {
  std::unique_ptr<ProgramModule> made =
      TRY(emit_module(program, target, /*keep_names=*/false, options));
  optimize(made->module, *made->machine);
  CpuObject object;
  object.bytes = TRY(generate_code(std::move(made), llvm::CodeGenFileType::ObjectFile));
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    object.kernels.push_back(symbol_of(program.kernels[i], i, options.prefix));
    object.parallel_extents.push_back(parallel_extent(program.kernels[i]));
  }
  return object;
}

Result<std::string> emit_llvm_ir(const Program& program, const Target& target, bool optimized) {
  const std::unique_ptr<ProgramModule> made =
      TRY(emit_module(program, target, /*keep_names=*/true));
  if (optimized) optimize(made->module, *made->machine);
  std::string text;
  llvm::raw_string_ostream stream(text);
  made->module.print(stream, nullptr);
  return text;
}

Result<std::string> emit_assembly(const Program& program, const Target& target) {
  std::unique_ptr<ProgramModule> made = TRY(emit_module(program, target, /*keep_names=*/false));
  optimize(made->module, *made->machine);
  return generate_code(std::move(made), llvm::CodeGenFileType::AssemblyFile);
}

}  // namespace dovetail
