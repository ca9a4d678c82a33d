// SPDX-License-Identifier: Apache-2.0
#include "report/pages/pdf.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstddef>
#include <filesystem>

#include "core/base/beside_program.h"

namespace dovetail {
namespace {

constexpr const char* kLibrary = "libdovetail-pdf.so";
// report/pages/pdf/svg_to_pdf.cc
using WritePdf = const char* (*)(const char* svg, size_t bytes, const char* path);

Result<std::filesystem::path> find_library() {
  if (const auto library = find_beside_program(kLibrary)) return *library;
  return fail(
      fmt::format("{} is not beside the program; run scripts/install-dependencies for "
                  "librsvg, configure and build again",
                  kLibrary));
}

Result<WritePdf> writer() {
  static Result<WritePdf> loaded = []() -> Result<WritePdf> {
    const std::filesystem::path path = TRY(find_library());
    void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return fail(fmt::format("cannot load {}", ::dlerror()));
    void* symbol = ::dlsym(library, "dovetail_svg_to_pdf");
    if (symbol == nullptr) return fail(fmt::format("{} writes no PDF", path.string()));
    return reinterpret_cast<WritePdf>(symbol);
  }();
  return loaded;
}

}  // namespace

Result<void> pdf_available() {
  TRY(writer());
  return {};
}

Result<void> write_pdf(std::string_view svg, const std::string& path) {
  const char* problem = TRY(writer())(svg.data(), svg.size(), path.c_str());
  if (problem != nullptr) return fail(fmt::format("cannot write {}: {}", path, problem));
  return {};
}

}  // namespace dovetail
