// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/archive.h"

#include <llvm/Object/ArchiveWriter.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <set>

#include "core/base/fail.h"
#include "core/base/printable.h"
#include "core/codegen/llvm/recovery.h"

namespace dovetail {
namespace {

using llvm::Triple;
using ArchiveKind = llvm::object::Archive::Kind;

Result<ArchiveKind> kind_of(const Triple& triple) {
  if (triple.isOSBinFormatELF()) return ArchiveKind::K_GNU;
  if (triple.isOSBinFormatMachO()) return ArchiveKind::K_DARWIN;
  if (triple.isOSBinFormatCOFF()) return ArchiveKind::K_COFF;
  return fail("no static library for triple \"{}\"; expected one of ELF, Mach-O or COFF",
              triple.str());
}

bool is_file_name(const std::string& name) {
  return !name.empty() && std::ranges::none_of(name, [](char c) {
    return c == '/' || c == '\\' || static_cast<unsigned char>(c) < ' ';
  });
}

Triple::ObjectFormatType format_of(const llvm::object::ObjectFile& object) {
  return object.isELF()     ? Triple::ELF
         : object.isMachO() ? Triple::MachO
         : object.isCOFF()  ? Triple::COFF
                            : Triple::UnknownObjectFormat;
}

Result<void> check_member(const ArchiveMember& member, const Triple& triple) {
  if (!is_file_name(member.name))
    return fail("member \"{}\" of a static library: expected a file name", printable(member.name));
  const llvm::MemoryBufferRef buffer(member.bytes, member.name);
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> object =
      llvm::object::ObjectFile::createObjectFile(buffer);
  if (!object)
    return fail("member {} of a static library is no object: {}", member.name,
                one_line(object.takeError()));
  const Triple::ObjectFormatType format = format_of(**object);
  if ((*object)->getArch() != triple.getArch() || format != triple.getObjectFormat())
    return fail("member {} of a static library is an object for {} ({}); expected {} ({})",
                member.name, Triple::getArchTypeName((*object)->getArch()).str(),
                Triple::getObjectFormatTypeName(format).str(), triple.getArchName().str(),
                Triple::getObjectFormatTypeName(triple.getObjectFormat()).str());
  return {};
}

}  // namespace

Result<std::string> static_archive(const std::vector<ArchiveMember>& members,
                                   const Target& target) {
  const llvm::Triple triple(target.llvm_triple);
  const ArchiveKind kind = TRY(kind_of(triple));
  std::set<std::string> names;
  std::vector<llvm::NewArchiveMember> written;
  for (const ArchiveMember& member : members) {
    TRY(check_member(member, triple));
    if (!names.insert(member.name).second)
      return fail("member {} of a static library is there twice", member.name);
    written.emplace_back(llvm::MemoryBufferRef(member.bytes, member.name));
  }
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  const auto warn = [](llvm::Error warning) { llvm::consumeError(std::move(warning)); };
  llvm::Error error = llvm::writeArchiveToStream(
      stream, written, llvm::SymtabWritingMode::NormalSymtab, kind, /*Deterministic=*/true,
      /*Thin=*/false, /*IsEC=*/std::nullopt, warn);
  if (error) return fail("cannot write a static library: {}", one_line(std::move(error)));
  return bytes;
}

}  // namespace dovetail
