// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/assemble.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstring>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/base/printable.h"
#include "core/codegen/llvm/emit/analyses.h"
#include "core/codegen/llvm/machine_code.h"

namespace dovetail {
namespace {

// The target's data layout is used while parsing: it supplies the alignments that the text omits.
Result<void> parse_into(std::unique_ptr<MachineModule>& made, const std::string& ir) {
  const std::string triple = made->module->getTargetTriple();
  const std::string layout = made->module->getDataLayoutStr();
  llvm::SMDiagnostic problem;
  TRY(attempt(made, [&] {
    made->module = llvm::parseAssembly(
        llvm::MemoryBufferRef(ir, "dovetail"), problem, *made->context, /*Slots=*/nullptr,
        [&](llvm::StringRef, llvm::StringRef) { return std::optional(layout); });
  }));
  if (made->module == nullptr)
    return fail("IR, line {}: {}", problem.getLineNo(), printable(problem.getMessage().str()));
  const std::string& own = made->module->getTargetTriple();
  if (!own.empty() && own != triple)
    return fail("IR for triple \"{}\"; expected \"{}\" or none", printable(own), triple);
  made->module->setTargetTriple(triple);
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (llvm::verifyModule(*made->module, &stream))
    return fail("IR: {}", printable(message.substr(0, message.find('\n'))));
  return {};
}

void optimize(MachineModule& made) {
  codegen::Analyses analyses(*made.machine);
  analyses.builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
      .run(*made.module, analyses.modules);
}

bool is_identifier(std::string_view symbol) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !symbol.empty() && is_letter(symbol[0]) && std::ranges::all_of(symbol, [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9');
  });
}

void add_zeros(llvm::Module& module, std::string_view symbol, size_t size) {
  llvm::Type* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), size);
  auto* data = new llvm::GlobalVariable(
      module, type, /*isConstant=*/true, llvm::GlobalValue::ExternalLinkage,
      llvm::ConstantAggregateZero::get(type), llvm::StringRef(symbol.data(), symbol.size()));
  data->setAlignment(llvm::Align(kDataAlignment));
}

// The file offset of the data of an object's only defined global symbol.
size_t offset_of_data(const std::string& object, size_t size) {
  const auto file = llvm::cantFail(
      llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(object, "data")));
  for (const llvm::object::SymbolRef& symbol : file->symbols()) {
    const uint32_t flags = llvm::cantFail(symbol.getFlags());
    if ((flags & llvm::object::BasicSymbolRef::SF_Global) == 0) continue;
    const llvm::object::section_iterator section = llvm::cantFail(symbol.getSection());
    if (section == file->section_end()) continue;
    const llvm::StringRef contents = llvm::cantFail(section->getContents());
    const uint64_t begin = llvm::cantFail(symbol.getAddress()) - section->getAddress();
    CHECK(begin + size <= contents.size(), "a section shorter than its data");
    return static_cast<size_t>(contents.data() - object.data()) + begin;
  }
  CHECK(false, "an object of data without its symbol");
}

}  // namespace

Result<std::string> assemble_ir(const std::string& ir, const Target& target) {
  std::unique_ptr<MachineModule> made = TRY(empty_module(target));
  TRY(parse_into(made, ir));
  TRY(attempt(made, [&] { optimize(*made); }));
  return machine_code(std::move(made), MachineCodeKind::object);
}

// rule: LLVM writes an object of zeros of that size, for which it needs no memory of its own, and
// the bytes are copied over them. As an LLVM constant they would be in memory four times.
Result<std::string> data_object(std::string_view symbol, std::span<const std::byte> bytes,
                                const Target& target) {
  if (!is_identifier(symbol))
    return fail("symbol \"{}\" of data: expected an identifier of C", printable(symbol));
  if (bytes.empty() || bytes.size() > kMostDataBytes)
    return fail("data {} of {} bytes cannot be linked into a program; expected 1 to {}", symbol,
                bytes.size(), kMostDataBytes);
  constexpr size_t kMostHeaders = 3 * kDataAlignment;
  std::unique_ptr<MachineModule> made = TRY(empty_module(target));
  add_zeros(*made->module, symbol, bytes.size());
  std::string object =
      TRY(machine_code(std::move(made), MachineCodeKind::object, bytes.size() + kMostHeaders));
  std::memcpy(object.data() + offset_of_data(object, bytes.size()), bytes.data(), bytes.size());
  return object;
}

}  // namespace dovetail
