// SPDX-License-Identifier: Apache-2.0
#include "report/pages/write_report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <span>
#include <thread>

#include "core/base/files.h"
#include "report/data/campaign_data.h"
#include "report/data/log_tail.h"
#include "report/data/machine_facts.h"
#include "report/pages/figure_files.h"
#include "report/pages/report.h"
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
    if (std::ranges::count(std::span(options.inputs).first(i), input) > 0) {
      return fail(fmt::format("report: {} is given twice", input));
    }
    if (std::filesystem::equivalent(input, options.output, ignored)) {
      return fail(fmt::format("report: -o {} is the log itself", options.output));
    }
  }
  if (is_folder(options.output)) {
    return fail(fmt::format("report: -o {} is a folder, expected a file", options.output));
  }
  return {};
}

Result<MachineFacts> read_facts(const ReportOptions& options) {
  if (options.results.empty()) return MachineFacts();
  return parse_machine_facts(TRY(read_file(options.results)), options.results);
}

// Writes the page of what the logs hold by now.
class CampaignPages {
 public:
  CampaignPages(const ReportOptions& options, MachineFacts facts)
      : options_(options), facts_(std::move(facts)) {
    for (const std::string& log : options.inputs) tails_.emplace_back(log);
  }

  // Whether the logs hold anything new.
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
    Report report = campaign_report(TRY(campaign_data(tails_)), facts_, state);
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
  while (Clock::now() < end && !listener.interrupted()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

// Until no writer has a log any more, or an interrupt; the last page stays as it is.
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
  if (options.inputs.size() > 1) {
    return fail(fmt::format("report: {} is a folder, expected it alone, or logs", folder));
  }
  if (options.follow) return fail("report: --follow is of logs, not of a comparison");
  const std::string path = folder + "/comparison.json";
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return fail(fmt::format(
        "report: {} has no comparison.json, expected a folder that compare made", folder));
  }
  const auto comparison = parse_comparison(TRY(read_file(path)));
  if (!comparison) return fail(fmt::format("{}: {}", path, comparison.error().message));
  Report report = comparison_report(*comparison);
  TRY(replace_file(options.output, print(report.page)));
  return report;
}

Result<Report> write_campaign(const ReportOptions& options, const ReportListener& listener) {
  CampaignPages pages(options, TRY(read_facts(options)));
  TRY(pages.read());
  return options.follow ? follow(options, listener, pages) : pages.write(false);
}

}  // namespace

Result<std::vector<std::string>> write_report(const ReportOptions& options,
                                              const ReportListener& listener) {
  TRY(check_files(options));
  const bool comparison = std::ranges::any_of(options.inputs, is_folder);
  const Report report =
      TRY(comparison ? write_comparison(options) : write_campaign(options, listener));
  if (options.figures.empty()) return std::vector<std::string>();
  std::vector<std::string> notes;
  std::vector<std::string> files = TRY(write_figures(report, options.figures, notes));
  for (const std::string& line : notes) listener.note(line);
  return files;
}

}  // namespace dovetail
