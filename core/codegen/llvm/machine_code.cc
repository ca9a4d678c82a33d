// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/machine_code.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <map>
#include <mutex>
#include <tuple>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/codegen/llvm/recovery.h"

namespace dovetail {
namespace {

// LLVM has no other switch for these.
void switch_on(llvm::StringRef name) {
  llvm::StringMap<llvm::cl::Option*>& options = llvm::cl::getRegisteredOptions();
  const auto option = options.find(name);
  CHECK(option != options.end(), "LLVM has no option " + name.str());
  CHECK(!option->second->addOccurrence(0, name, "true"), name.str() + " takes no value");
}

void initialize_targets() {
  // Loop strength reduction finds nothing where addresses were emitted at their loops, but took
  // 40 % of the compile time of unrolled kernels.
  switch_on("disable-lsr");
  // A group's memory on NVIDIA's processors has addresses of 32 bits.
  switch_on("nvptx-short-ptr");
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  llvm::InitializeAllAsmParsers();  // parse the empty inline assembly of laundered()
}

// LLVM itself would ignore a CPU of another architecture, with a line on standard error.
bool is_cpu_of(const llvm::Target& known, const Target& target) {
  const std::unique_ptr<llvm::MCSubtargetInfo> any(
      known.createMCSubtargetInfo(target.llvm_triple, "", ""));
  return target.llvm_cpu.empty() || any == nullptr || any->isCPUStringValid(target.llvm_cpu);
}

Result<std::unique_ptr<llvm::TargetMachine>> create_machine(const Target& target) {
  static std::once_flag once;
  std::call_once(once, initialize_targets);
  std::string message;
  const llvm::Target* known = llvm::TargetRegistry::lookupTarget(target.llvm_triple, message);
  if (known == nullptr) return fail("LLVM has no target for triple \"{}\"", target.llvm_triple);
  if (!is_cpu_of(*known, target))
    return fail("LLVM knows no cpu {} for triple \"{}\"", target.llvm_cpu, target.llvm_triple);
  std::unique_ptr<llvm::TargetMachine> machine;
  TRY(survive_llvm([&] {
    machine.reset(known->createTargetMachine(
        target.llvm_triple, target.llvm_cpu, target.llvm_features, llvm::TargetOptions(),
        llvm::Reloc::PIC_, llvm::CodeModel::Small, llvm::CodeGenOptLevel::Less));
  }));
  if (machine == nullptr)
    return fail("LLVM cannot generate code for triple \"{}\"", target.llvm_triple);
  return machine;
}

// Cached per thread and (triple, cpu, features): creating one costs as much as a small kernel.
Result<llvm::TargetMachine*> machine_for(const Target& target) {
  using Key = std::tuple<std::string, std::string, std::string>;
  thread_local std::map<Key, std::unique_ptr<llvm::TargetMachine>> machines;
  std::unique_ptr<llvm::TargetMachine>& machine =
      machines[Key(target.llvm_triple, target.llvm_cpu, target.llvm_features)];
  if (machine == nullptr) machine = TRY(create_machine(target));
  return machine.get();
}

// Keeps the first error; warnings and remarks are dropped.
class FirstError final : public llvm::DiagnosticHandler {
 public:
  explicit FirstError(std::string& error) : error_(error) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error || !error_.empty()) return true;
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    error_ = text.substr(0, text.find('\n'));
    return true;
  }

 private:
  std::string& error_;
};

void set_flag(llvm::Module& module, const char* flag) {
  if (module.getModuleFlag(flag) == nullptr) module.addModuleFlag(llvm::Module::Min, flag, 1);
}

// rule: a single ELF object that is not marked for branch protection disables it for the whole
// program. So each function starts with a valid indirect branch target (endbr64, bti c) and the
// object is marked; returns use the return address of the call, as a shadow stack requires.
void protect_branches(llvm::Module& module) {
  const llvm::Triple triple(module.getTargetTriple());
  if (!triple.isOSBinFormatELF()) return;
  if (triple.getArch() == llvm::Triple::x86_64) {
    set_flag(module, "cf-protection-branch");
    set_flag(module, "cf-protection-return");
  }
  if (!triple.isAArch64()) return;
  set_flag(module, "branch-target-enforcement");
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) function.addFnAttr("branch-target-enforcement", "true");
}

// Writes into the result directly: code of hundreds of megabytes is not copied from LLVM's buffer.
class StringStream final : public llvm::raw_pwrite_stream {
 public:
  explicit StringStream(std::string& bytes) : bytes_(bytes) {}
  ~StringStream() override { flush(); }

 private:
  void write_impl(const char* from, size_t size) override { bytes_.append(from, size); }
  void pwrite_impl(const char* from, size_t size, uint64_t offset) override {
    flush();
    bytes_.replace(offset, size, from, size);
  }
  uint64_t current_pos() const override { return bytes_.size(); }

  std::string& bytes_;
};

// False where the target cannot emit this kind of file.
bool write_code(MachineModule& made, MachineCodeKind kind, llvm::raw_pwrite_stream& stream) {
  protect_branches(*made.module);
  llvm::legacy::PassManager passes;
  llvm::TargetLibraryInfoImpl library(made.machine->getTargetTriple());
  library.disableAllFunctions();
  passes.add(new llvm::TargetLibraryInfoWrapperPass(library));
  const auto type = kind == MachineCodeKind::object ? llvm::CodeGenFileType::ObjectFile
                                                    : llvm::CodeGenFileType::AssemblyFile;
  if (made.machine->addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/true))
    return false;
  passes.run(*made.module);
  return true;
}

}  // namespace

MachineModule::MachineModule() : context(std::make_unique<llvm::LLVMContext>()) {
  context->setDiagnosticHandler(std::make_unique<FirstError>(error));
  module = std::make_unique<llvm::Module>("dovetail", *context);
}

MachineModule::~MachineModule() = default;

Result<std::unique_ptr<MachineModule>> empty_module(const Target& target) {
  auto made = std::make_unique<MachineModule>();
  made->machine = TRY(machine_for(target));
  made->module->setTargetTriple(made->machine->getTargetTriple().str());
  made->module->setDataLayout(made->machine->createDataLayout());
  return made;
}

Result<void> attempt(std::unique_ptr<MachineModule>& made, const std::function<void()>& call) {
  const Result<void> ran = survive_llvm(call);
  if (!ran) {
    static_cast<void>(made.release());
    return fail("{}", ran.error().message);
  }
  if (!made->error.empty()) return fail("LLVM: {}", made->error);
  return {};
}

Result<std::string> machine_code(std::unique_ptr<MachineModule> made, MachineCodeKind kind,
                                 size_t expected_bytes) {
  std::string bytes;
  bytes.reserve(expected_bytes);
  bool written = false;
  TRY(attempt(made, [&] {
    StringStream stream(bytes);
    written = write_code(*made, kind, stream);
  }));
  if (!written)
    return fail("LLVM cannot write code for triple \"{}\"", made->machine->getTargetTriple().str());
  return bytes;
}

}  // namespace dovetail
