// SPDX-License-Identifier: Apache-2.0
#include "report/pages/write_report.h"

#include <dlfcn.h>
#include <fmt/chrono.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <span>
#include <thread>

#include "core/base/beside_program.h"
#include "core/base/fail.h"
#include "core/base/files.h"
#include "report/data/campaign_data.h"
#include "report/data/log_tail.h"
#include "report/data/machine_facts.h"
#include "report/data/task_facts.h"
#include "report/pages/report.h"
#include "report/pages/texts.h"
#include "search/compare/comparison.h"

namespace dovetail {
namespace {

std::string now_text() {
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(std::time(nullptr)));
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

Result<void> check_files(const ReportOptions& options) {
  std::error_code ignored;
  for (size_t i = 0; i < options.inputs.size(); ++i) {
    const std::string& input = options.inputs[i];
    if (std::ranges::count(std::span(options.inputs).first(i), input) > 0)
      return fail("report: {} is given twice", input);
    if (std::filesystem::equivalent(input, options.output, ignored))
      return fail("report: -o {} is the log itself", options.output);
  }
  const std::optional<double> width = options.figure_width_inches;
  if (width && !(*width >= 2 && *width <= 20))
    return fail("report: --figure-width {} inches, expected 2 to 20", *width);
  if (width && options.figures.empty())
    return fail("report: --figure-width is of the files of --figures DIR, which is missing");
  if (is_folder(options.output))
    return fail("report: -o {} is a folder, expected a file", options.output);
  return {};
}

Result<MachineFacts> read_facts(const ReportOptions& options) {
  MachineFacts facts;
  for (const std::string& path : options.results)
    TRY(add_machine_facts(TRY(read_file(path)), path, facts));
  return facts;
}

// Writes the page of what the logs hold by now.
class CampaignPages {
 public:
  CampaignPages(const ReportOptions& options, MachineFacts facts)
      : options_(options), facts_(std::move(facts)) {
    for (const std::string& log : options.inputs) tails_.emplace_back(log);
  }

  // Returns whether the logs hold anything new.
  Result<bool> read() {
    bool added = false;
    for (LogTail& tail : tails_) added = TRY(tail.read_more()) || added;
    return added;
  }

  bool running() const { return std::ranges::any_of(options_.inputs, is_being_written); }

  Result<Report> write(bool will_follow) const {
    PageState state;
    if (will_follow) state.reload_seconds = static_cast<int>(options_.every_seconds);
    if (options_.follow) state.written = now_text();  // else the same log gives the same bytes
    const CampaignData data = TRY(campaign_data(tails_));
    MachineFacts facts = facts_;
    add_names(data, facts);
    Report report = campaign_report(data, facts, state);
    TRY(replace_file(options_.output, print(report.page)));
    return report;
  }

 private:
  const ReportOptions& options_;
  MachineFacts facts_;
  std::vector<LogTail> tails_;
};

void wait(int64_t seconds, const ReportListener& listener) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::seconds(seconds);
  while (Clock::now() < end && !listener.interrupted())
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

// The page may be asked for before the campaign has begun its log. Fails if interrupted.
Result<void> wait_for_logs(const ReportOptions& options, const ReportListener& listener) {
  const auto is_there = [](const std::string& log) {
    std::error_code ignored;
    const auto size_bytes = std::filesystem::file_size(log, ignored);
    return !ignored && size_bytes > 0;
  };
  for (const std::string& log : options.inputs) {
    if (is_there(log) || is_folder(log)) continue;
    listener.note(fmt::format("waiting for {}", log));
    while (!is_there(log) && !listener.interrupted()) wait(1, listener);
    if (!is_there(log)) return fail("report: interrupted before {} was there", log);
  }
  return {};
}

// Rewrites the page until no writer has a log, or an interrupt; the last page does not reload.
Result<Report> follow(const ReportOptions& options, const ReportListener& listener,
                      CampaignPages& pages) {
  bool running = pages.running();
  if (!running) listener.note("no campaign is writing here: the page is written once");
  Report report = TRY(pages.write(running));
  while (running && !listener.interrupted()) {
    wait(options.every_seconds, listener);
    running = pages.running();  // asked before reading, so that the last lines are read
    if (TRY(pages.read()) || !running) report = TRY(pages.write(running));
  }
  if (running) report = TRY(pages.write(false));
  return report;
}

Result<Report> write_comparison(const ReportOptions& options) {
  const std::string& folder = *std::ranges::find_if(options.inputs, is_folder);
  if (options.inputs.size() > 1)
    return fail("report: {} is a folder, expected it alone, or logs", folder);
  if (options.follow) return fail("report: --follow is of logs, not of a comparison");
  const std::string path = folder + "/comparison.json";
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    return fail("report: {} has no comparison.json, expected a folder that compare made", folder);
  const auto comparison = parse_comparison(TRY(read_file(path)));
  if (!comparison) return fail("{}: {}", path, comparison.error().message);
  Report report = comparison_report(*comparison);
  TRY(replace_file(options.output, print(report.page)));
  return report;
}

Result<Report> write_campaign(const ReportOptions& options, const ReportListener& listener) {
  CampaignPages pages(options, TRY(read_facts(options)));
  if (options.follow) TRY(wait_for_logs(options, listener));
  TRY(pages.read());
  return options.follow ? follow(options, listener, pages) : pages.write(false);
}

// report/pages/pdf/svg_to_pdf.cc: one page of the drawing's size, deterministic. Returns null, or
// the error.
using WritePdf = const char* (*)(const char* svg, size_t bytes, const char* path);

// The error says what is missing, in one line.
Result<WritePdf> pdf_writer() {
  constexpr const char* kLibrary = "libdovetail-pdf.so";
  const auto path = find_beside_program(kLibrary);
  if (!path) {
    return fail(
        "{} is not beside the program; run scripts/install-dependencies for "
        "librsvg, configure and build again",
        kLibrary);
  }
  void* library = ::dlopen(path->c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return fail("cannot load {}", ::dlerror());
  void* symbol = ::dlsym(library, "dovetail_svg_to_pdf");
  if (symbol == nullptr) return fail("{} writes no PDF", path->string());
  return reinterpret_cast<WritePdf>(symbol);
}

Result<void> make_folder(const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (!failed && std::filesystem::is_directory(folder, failed)) return {};
  return fail("--figures {}: cannot make the folder: {}", folder,
              failed ? failed.message() : "a file has that name");
}

// A pixel of a drawing is a 96th of an inch.
Chart chart_of_file(const Figure& figure, const ReportOptions& options) {
  constexpr double kPixelsPerInch = 96;
  return options.figure_width_inches
             ? with_width(figure.chart, kPixelsPerInch * *options.figure_width_inches)
             : figure.chart;
}

// Creates the folder, and returns the names of the files written. Without librsvg, PDF is left out,
// which one note says.
Result<std::vector<std::string>> write_figures(const Report& report, const ReportOptions& options,
                                               const ReportListener& listener) {
  const std::string& folder = options.figures;
  TRY(make_folder(folder));
  std::vector<std::string> names;
  // Adds a file, and returns its path.
  const auto path = [&](const std::string& name) {
    return folder + "/" + names.emplace_back(name);
  };
  const Result<WritePdf> write_pdf = pdf_writer();
  for (const Figure& figure : report.figures) {
    const std::string svg = svg_file(draw(chart_of_file(figure, options)), figure.title);
    TRY(replace_file(path(figure.name + ".svg"), svg));
    TRY(replace_file(path(figure.name + ".csv"), csv(figure.chart)));
    if (!write_pdf) continue;
    const std::string pdf = path(figure.name + ".pdf");
    const char* problem = (*write_pdf)(svg.data(), svg.size(), pdf.c_str());
    if (problem != nullptr) return fail("cannot write {}: {}", pdf, problem);
  }
  for (const DataTable& table : report.tables) {
    TRY(replace_file(path(table.name + ".tex"), to_latex(table)));
    TRY(replace_file(path(table.name + ".csv"), to_csv(table)));
  }
  if (!write_pdf) listener.note("no PDF files: " + write_pdf.error().message);
  return names;
}

}  // namespace

Result<std::vector<std::string>> write_report(const ReportOptions& options,
                                              const ReportListener& listener) {
  TRY(check_files(options));
  const bool comparison = std::ranges::any_of(options.inputs, is_folder);
  const Report report =
      TRY(comparison ? write_comparison(options) : write_campaign(options, listener));
  if (options.figures.empty()) return std::vector<std::string>();
  return write_figures(report, options, listener);
}

}  // namespace dovetail
