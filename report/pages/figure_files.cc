// SPDX-License-Identifier: Apache-2.0
#include "report/pages/figure_files.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/base/files.h"
#include "report/pages/pdf.h"

namespace dovetail {
namespace {

Result<void> make_folder(const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (!failed && std::filesystem::is_directory(folder, failed)) return {};
  return fail(fmt::format("--figures {}: cannot make the folder: {}", folder,
                          failed ? failed.message() : "a file has that name"));
}

class FolderWriter {
 public:
  explicit FolderWriter(std::string folder) : folder_(std::move(folder)) {}
  Result<void> write(const std::string& name, const std::string& text) {
    TRY(replace_file(path(name), text));
    names_.push_back(name);
    return {};
  }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  void add(const std::string& name) { names_.push_back(name); }
  std::vector<std::string> finish() && { return std::move(names_); }

 private:
  std::string folder_;
  std::vector<std::string> names_;
};

}  // namespace

Result<std::vector<std::string>> write_figures(const Report& report, const std::string& folder,
                                               std::vector<std::string>& notes) {
  TRY(make_folder(folder));
  FolderWriter files(folder);
  const Result<void> pdf = pdf_available();
  if (!pdf) notes.push_back("no PDF files: " + pdf.error().message);
  for (const Figure& figure : report.figures) {
    const std::string svg = svg_file(draw(figure.chart), figure.title);
    TRY(files.write(figure.name + ".svg", svg));
    TRY(files.write(figure.name + ".csv", csv(figure.chart)));
    if (!pdf) continue;
    TRY(write_pdf(svg, files.path(figure.name + ".pdf")));
    files.add(figure.name + ".pdf");
  }
  for (const DataTable& table : report.tables) {
    TRY(files.write(table.name + ".tex", to_latex(table)));
    TRY(files.write(table.name + ".csv", to_csv(table)));
  }
  TRY(files.write("redraw.py", redraw_script(report.figures)));
  return std::move(files).finish();
}

}  // namespace dovetail
