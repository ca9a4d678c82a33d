// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/object_symbols.h"

#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>

#include "core/base/fail.h"
#include "core/codegen/llvm/recovery.h"

namespace dovetail {

Result<std::vector<ObjectSymbol>> object_symbols(std::string_view bytes) {
  using llvm::object::BasicSymbolRef;
  const llvm::MemoryBufferRef buffer(llvm::StringRef(bytes.data(), bytes.size()), "object");
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> object =
      llvm::object::ObjectFile::createObjectFile(buffer);
  if (!object)
    return fail("{} bytes are no object: {}", bytes.size(), one_line(object.takeError()));
  std::vector<ObjectSymbol> symbols;
  for (const llvm::object::SymbolRef& symbol : (*object)->symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!flags) return fail("object with a bad symbol: {}", one_line(flags.takeError()));
    if ((*flags & BasicSymbolRef::SF_Global) == 0) continue;
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (!name) return fail("object with a bad name: {}", one_line(name.takeError()));
    symbols.push_back({.name = name->str(),
                       .defined = (*flags & BasicSymbolRef::SF_Undefined) == 0,
                       .hidden = (*flags & BasicSymbolRef::SF_Hidden) != 0});
  }
  return symbols;
}

Result<std::vector<std::string>> undefined_symbols(std::string_view bytes) {
  const std::vector<ObjectSymbol> symbols = TRY(object_symbols(bytes));
  std::vector<std::string> names;
  for (const ObjectSymbol& symbol : symbols)
    if (!symbol.defined) names.push_back(symbol.name);
  return names;
}

}  // namespace dovetail
