// SPDX-License-Identifier: Apache-2.0
#include "report/pages/figure_files.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "core/base/beside_program.h"
#include "core/base/files.h"
#include "report/pages/texts.h"

namespace dovetail {
namespace {

// report/pages/pdf/svg_to_pdf.cc: one page of the drawing's size; the same SVG gives the same
// bytes. Gives null, or what went wrong.
using WritePdf = const char* (*)(const char* svg, size_t bytes, const char* path);

// The error says what is missing, in one line.
Result<WritePdf> pdf_writer() {
  constexpr const char* kLibrary = "libdovetail-pdf.so";
  const auto path = find_beside_program(kLibrary);
  if (!path) {
    return fail(
        fmt::format("{} is not beside the program; run scripts/install-dependencies for "
                    "librsvg, configure and build again",
                    kLibrary));
  }
  void* library = ::dlopen(path->c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return fail(fmt::format("cannot load {}", ::dlerror()));
  void* symbol = ::dlsym(library, "dovetail_svg_to_pdf");
  if (symbol == nullptr) return fail(fmt::format("{} writes no PDF", path->string()));
  return reinterpret_cast<WritePdf>(symbol);
}

Result<void> make_folder(const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (!failed && std::filesystem::is_directory(folder, failed)) return {};
  return fail(fmt::format("--figures {}: cannot make the folder: {}", folder,
                          failed ? failed.message() : "a file has that name"));
}

std::string redraw_script(const std::vector<Figure>& figures) {
  // JSON within Python: read as text, so that no name in it is ever code.
  std::string plots = "PLOTS = [json.loads(line) for line in r\"\"\"\n";
  for (const Figure& figure : figures) {
    std::string plot = plot_of(figure);
    // Three quotes would end the text; JSON may write a quote as an escape.
    for (size_t at = 0; (at = plot.find("\\\"", at)) != std::string::npos;) {
      plot.replace(at, 2, "\\u0022");
    }
    plots += plot + "\n";
  }
  plots += "\"\"\".strip().splitlines()]";
  constexpr std::string_view kPlace = "PLOTS = []";
  std::string script(kRedrawScript);
  return script.replace(script.find(kPlace), kPlace.size(), plots);
}

}  // namespace

Result<std::vector<std::string>> write_figures(const Report& report, const std::string& folder,
                                               std::vector<std::string>& notes) {
  TRY(make_folder(folder));
  std::vector<std::string> names;
  // The path of the next file.
  const auto path = [&](const std::string& name) {
    return folder + "/" + names.emplace_back(name);
  };
  const Result<WritePdf> write_pdf = pdf_writer();
  if (!write_pdf) notes.push_back("no PDF files: " + write_pdf.error().message);
  for (const Figure& figure : report.figures) {
    const std::string svg = svg_file(draw(figure.chart), figure.title);
    TRY(replace_file(path(figure.name + ".svg"), svg));
    TRY(replace_file(path(figure.name + ".csv"), csv(figure.chart)));
    if (!write_pdf) continue;
    const std::string pdf = path(figure.name + ".pdf");
    const char* problem = (*write_pdf)(svg.data(), svg.size(), pdf.c_str());
    if (problem != nullptr) return fail(fmt::format("cannot write {}: {}", pdf, problem));
  }
  for (const DataTable& table : report.tables) {
    TRY(replace_file(path(table.name + ".tex"), to_latex(table)));
    TRY(replace_file(path(table.name + ".csv"), to_csv(table)));
  }
  TRY(replace_file(path("redraw.py"), redraw_script(report.figures)));
  return names;
}

}  // namespace dovetail
