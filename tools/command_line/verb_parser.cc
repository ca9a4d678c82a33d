// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/verb_parser.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace dovetail {
namespace {

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

void VerbParser::add(const Text& option, bool& value) {
  app_->add_flag(std::string(option.name), value, std::string(option.help));
}

void VerbParser::add(const Text& option, std::string& value) {
  app_->add_option(std::string(option.name), value, std::string(option.help))->default_str(value);
}

void VerbParser::add(const Text& option, std::optional<std::string>& value) {
  app_->add_option(std::string(option.name), value, std::string(option.help));
}

void VerbParser::add(const Text& option, int64_t& value) {
  app_->add_option(std::string(option.name), value, std::string(option.help))
      ->check(count_validator());
}

void VerbParser::add(const Text& option, std::optional<int64_t>& value) {
  app_->add_option(std::string(option.name), value, std::string(option.help))
      ->check(count_validator());
}

void VerbParser::add(const Text& option, uint64_t& value) {
  app_->add_option(std::string(option.name), value, std::string(option.help))
      ->check(seed_validator());
}

void VerbParser::add(const Text& option, std::optional<double>& value) {
  app_->add_option(std::string(option.name), value, std::string(option.help))
      ->check(positive_validator());
}

// Without a dash they are what stands free; else several by commas, or the option several times.
void VerbParser::add(const Text& option, std::vector<std::string>& values) {
  const bool is_free = !option.name.starts_with("-"), has_commas = !option.otherwise.empty();
  std::string help(option.help);
  if (!is_free && !has_commas) help += "; may repeat";
  CLI::Option* added = app_->add_option(std::string(option.name), values, help);
  added->default_str(std::string(option.otherwise));
  if (!is_free) added->allow_extra_args(false);
  if (has_commas) added->delimiter(',');
}

void VerbParser::add_json(std::string_view instead_of) {
  const std::string help = fmt::format("one JSON object on stdout instead of {}", instead_of);
  add({.name = "--json", .help = help, .otherwise = {}}, json_);
}

void VerbParser::footer(const std::string& text) { app_->footer(text); }

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
