// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/loader.h"

#include <llvm/ExecutionEngine/JITSymbol.h>
#include <llvm/ExecutionEngine/RuntimeDyld.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/fail.h"
#include "core/codegen/llvm/recovery.h"

namespace dovetail {
namespace {

uintptr_t rounded_up(uintptr_t size, uintptr_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

// One mapping: code, then read-only data, each on its own pages, so that relative addresses are
// always in range and code is never writable and executable at once.
class OneBlock final : public llvm::RuntimeDyld::MemoryManager {
 public:
  OneBlock() = default;
  OneBlock(const OneBlock&) = delete;
  OneBlock& operator=(const OneBlock&) = delete;
  ~OneBlock() override {
    if (block_ != nullptr) munmap(block_, block_bytes_);
  }

  bool needsToReserveAllocationSpace() override { return true; }
  void reserveAllocationSpace(uintptr_t code_bytes, llvm::Align, uintptr_t read_only_bytes,
                              llvm::Align, uintptr_t writable_bytes, llvm::Align) override {
    const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    code_end_ = rounded_up(code_bytes, page);
    has_writable_data_ = writable_bytes > 0;
    block_bytes_ = code_end_ + rounded_up(read_only_bytes + writable_bytes + 1, page);
    void* block =
        mmap(nullptr, block_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return;  // the allocations below then fail
    block_ = static_cast<uint8_t*>(block);
    next_data_ = code_end_;
  }
  uint8_t* allocateCodeSection(uintptr_t size, unsigned alignment, unsigned,
                               llvm::StringRef) override {
    return take(next_code_, size, alignment, code_end_);
  }
  uint8_t* allocateDataSection(uintptr_t size, unsigned alignment, unsigned, llvm::StringRef,
                               bool) override {
    return take(next_data_, size, alignment, block_bytes_);
  }
  void registerEHFrames(uint8_t*, uint64_t, size_t) override {}  // kernels never unwind
  void deregisterEHFrames() override {}
  bool finalizeMemory(std::string* message) override {
    if (block_ == nullptr || has_writable_data_) {
      if (message != nullptr)
        *message = block_ == nullptr ? "no memory" : "the object has writable data";
      return true;
    }
    const bool bad = mprotect(block_, code_end_, PROT_READ | PROT_EXEC) != 0 ||
                     mprotect(block_ + code_end_, block_bytes_ - code_end_, PROT_READ) != 0;
    if (bad && message != nullptr) *message = "the memory cannot be made executable";
    __builtin___clear_cache(reinterpret_cast<char*>(block_),
                            reinterpret_cast<char*>(block_ + code_end_));
    return bad;
  }

 private:
  uint8_t* take(uintptr_t& next, uintptr_t size, unsigned alignment, uintptr_t end) {
    const uintptr_t start = rounded_up(next, alignment == 0 ? 16 : alignment);
    if (block_ == nullptr || start + size > end) return nullptr;
    next = start + size;
    return block_ + start;
  }

  uint8_t* block_ = nullptr;
  uintptr_t block_bytes_ = 0, code_end_ = 0, next_code_ = 0, next_data_ = 0;
  bool has_writable_data_ = false;
};

// Kernels have no external references: every lookup fails, and the name is kept for the message.
class NoSymbols final : public llvm::JITSymbolResolver {
 public:
  void lookup(const LookupSet& symbols, OnResolvedFunction on_resolved) override {
    for (const llvm::StringRef symbol : symbols) missing_ = symbol.str();
    if (symbols.empty()) {
      on_resolved(LookupResult{});
    } else {
      on_resolved(llvm::make_error<llvm::StringError>("undefined symbol " + missing_,
                                                      llvm::inconvertibleErrorCode()));
    }
  }
  llvm::Expected<LookupSet> getResponsibilitySet(const LookupSet&) override { return LookupSet{}; }
  const std::string& missing() const { return missing_; }

 private:
  std::string missing_;
};

}  // namespace

struct LoadedObject::Impl {
  OneBlock memory;
  NoSymbols symbols;
  llvm::RuntimeDyld linker{memory, symbols};
};

LoadedObject::LoadedObject(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LoadedObject::LoadedObject(LoadedObject&&) noexcept = default;
LoadedObject& LoadedObject::operator=(LoadedObject&&) noexcept = default;
LoadedObject::~LoadedObject() = default;

Result<LoadedObject> LoadedObject::load(std::string_view bytes) {
  const llvm::MemoryBufferRef buffer(llvm::StringRef(bytes.data(), bytes.size()), "kernel");
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> object =
      llvm::object::ObjectFile::createELFObjectFile(buffer);
  if (!object) {
    return fail("{} bytes are no object of kernels: {}", bytes.size(),
                one_line(object.takeError()));
  }
  const llvm::Triple host(llvm::sys::getProcessTriple());
  if ((*object)->getArch() != host.getArch()) {
    return fail("object of kernels is for {}, this host is {}",
                llvm::Triple::getArchTypeName((*object)->getArch()).str(),
                host.getArchName().str());
  }
  auto impl = std::make_unique<Impl>();
  impl->linker.loadObject(**object);
  if (!impl->linker.hasError()) impl->linker.resolveRelocations();
  if (!impl->symbols.missing().empty()) {
    return fail("object of kernels needs symbol {}, which it does not define",
                impl->symbols.missing());
  }
  std::string message;
  if (impl->linker.hasError())
    return fail("cannot link the object of kernels: {}", impl->linker.getErrorString().str());
  if (impl->memory.finalizeMemory(&message))
    return fail("cannot load the object of kernels: {}", message);
  return LoadedObject(std::move(impl));
}

Result<LoadedObject::KernelFunction> LoadedObject::find(const std::string& symbol) const {
  const llvm::JITEvaluatedSymbol found = impl_->linker.getSymbol(symbol);
  if (found.getAddress() == 0) return fail("object of kernels has no symbol {}", symbol);
  return reinterpret_cast<KernelFunction>(found.getAddress());
}

}  // namespace dovetail
