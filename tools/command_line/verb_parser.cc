// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/verb_parser.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace dovetail {
namespace {

constexpr const char* kTargetHelp =
    "cpu, cpu:threads=2, cpu:arch=NAME, opencl, opencl:PLATFORM, opencl:profile=FILE";

template <typename Number>
std::string check_whole(const std::string& text, Number least) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least) {
    return fmt::format("found '{}', expected a whole number of at least {}", text, least);
  }
  return {};
}

std::string check_positive(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) ||
      value <= 0) {
    return fmt::format("found '{}', expected a positive number", text);
  }
  return {};
}

CLI::Validator count_validator() {
  return {[](std::string& text) { return check_whole<int64_t>(text, 1); }, "N"};
}
CLI::Validator seed_validator() {
  return {[](std::string& text) { return check_whole<uint64_t>(text, 0); }, ""};
}
CLI::Validator positive_validator() {
  return {[](std::string& text) { return check_positive(text); }, ""};
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

VerbParser::VerbParser(const std::string& verb, const std::string& about)
    : verb_(verb), app_(std::make_unique<CLI::App>(about, "dovetail " + verb)) {
  app_->allow_extras();
  app_->option_defaults()->always_capture_default();
  app_->set_help_flag("--help,-h", "print this text");
}

VerbParser::~VerbParser() = default;

void VerbParser::positional(const std::string& name, std::vector<std::string>& values,
                            const std::string& help) {
  app_->add_option(name, values, help)->default_str("");
}

void VerbParser::flag(const std::string& option, bool& value, const std::string& help) {
  app_->add_flag(option, value, help);
}

void VerbParser::text(const std::string& option, std::string& value, const std::string& help) {
  app_->add_option(option, value, help)->default_str(value);
}

void VerbParser::text(const std::string& option, std::optional<std::string>& value,
                      const std::string& help) {
  app_->add_option(option, value, help);
}

void VerbParser::count(const std::string& option, int64_t& value, const std::string& help) {
  app_->add_option(option, value, help)->check(count_validator());
}

void VerbParser::count(const std::string& option, std::optional<int64_t>& value,
                       const std::string& help) {
  app_->add_option(option, value, help)->check(count_validator());
}

void VerbParser::seed(const std::string& option, uint64_t& value, const std::string& help) {
  app_->add_option(option, value, help)->check(seed_validator());
}

void VerbParser::positive(const std::string& option, std::optional<double>& value,
                          const std::string& help) {
  app_->add_option(option, value, help)->check(positive_validator());
}

void VerbParser::repeated(const std::string& option, std::vector<std::string>& values,
                          const std::string& help) {
  app_->add_option(option, values, help + "; may repeat")->default_str("")->allow_extra_args(false);
}

void VerbParser::listed(const std::string& option, std::vector<std::string>& values,
                        const std::string& help, const std::string& otherwise) {
  app_->add_option(option, values, help)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->default_str(otherwise);
}

void VerbParser::footer(const std::string& text) { app_->footer(text); }

void VerbParser::workloads(std::vector<std::string>& values) {
  positional("WORKLOAD", values, "spec, @FILE (suite), MODEL.onnx or MODEL.graph");
}

void VerbParser::target(std::string& value) { text("--target", value, kTargetHelp); }

void VerbParser::target(std::optional<std::string>& value) { text("--target", value, kTargetHelp); }

void VerbParser::shapes(std::vector<std::string>& values) {
  repeated("--shape", values, "NAME=1,3,224,224: shape of a model's dynamic input");
}

void VerbParser::json(bool& value) {
  flag("--json", value, "one JSON object on stdout instead of a table");
}

Result<bool> VerbParser::parse(Arguments arguments) {
  std::reverse(arguments.begin(), arguments.end());
  try {
    app_->parse(arguments);
  } catch (const CLI::CallForHelp&) {
    return true;
  } catch (const CLI::ParseError& error) {
    return fail(
        fmt::format("{}: {}; see dovetail {} --help", verb_, first_line(error.what()), verb_));
  }
  for (const std::string& extra : app_->remaining()) TRY(refuse(extra));
  return false;
}

Action VerbParser::help() const {
  return [text = app_->help()]() -> Result<ExitCode> {
    std::fputs(text.c_str(), stdout);
    return ExitCode::done;
  };
}

Result<void> VerbParser::refuse(const std::string& extra) const {
  const std::string option = extra.substr(0, extra.find('='));
  const char* what = extra.starts_with("-") ? "unknown option" : "unexpected argument";
  return fail(fmt::format("{}: {} {}; see dovetail {} --help", verb_, what, option, verb_));
}

}  // namespace dovetail
