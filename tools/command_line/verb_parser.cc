// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/verb_parser.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <limits>

#include "core/base/fail.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

template <typename Number>
std::string check_whole(const std::string& text, Number least) {
  const std::optional<Number> value = read_number<Number>(text);
  if (value && *value >= least) return {};
  constexpr Number kMost = std::numeric_limits<Number>::max();
  if (!text.empty() && text.find_first_not_of("0123456789") == text.npos && !value)
    return fmt::format("found '{}', expected a whole number of at most {}", text, kMost);
  return fmt::format("found '{}', expected a whole number of at least {}", text, least);
}

std::string check_positive(const std::string& text) {
  const std::optional<double> value = read_number<double>(text);
  if (value && std::isfinite(*value) && *value > 0) return {};
  return fmt::format("found '{}', expected a positive number", text);
}

// Adds an option to the parser, with a check of its value, by the type of its place.
struct OptionAdder {
  CLI::App& app;
  const std::string& name;
  const std::string& help;
  const std::string& otherwise;

  void operator()(bool* flag) const { app.add_flag(name, *flag, help); }
  void operator()(std::string* text) const {
    added(*text)->default_str(text->empty() ? otherwise : *text);
  }
  void operator()(std::optional<std::string>* text) const { added(*text); }
  void operator()(int64_t* count) const { added(*count)->check(count_validator()); }
  void operator()(std::optional<int64_t>* count) const {
    added(*count)->check(count_validator())->default_str(otherwise);
  }
  void operator()(uint64_t* seed) const {
    added(*seed)->check({[](std::string& text) { return check_whole<uint64_t>(text, 0); }, ""});
  }
  void operator()(std::optional<double>* number) const {
    added(*number)->check({[](std::string& text) { return check_positive(text); }, ""});
  }
  // Without a dash: positional arguments; else comma-separated values, or a repeated option.
  void operator()(std::vector<std::string>* values) const {
    const bool is_free = !name.starts_with("-"), has_commas = !otherwise.empty();
    const std::string repeats = is_free || has_commas ? "" : "; may repeat";
    CLI::Option* option = app.add_option(name, *values, help + repeats);
    option->default_str(otherwise);
    if (!is_free) option->allow_extra_args(false);
    if (has_commas) option->delimiter(',');
  }

  template <typename Value>
  CLI::Option* added(Value& value) const {
    return app.add_option(name, value, help);
  }
  static CLI::Validator count_validator() {
    return {[](std::string& text) { return check_whole<int64_t>(text, 1); }, "N"};
  }
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

VerbParser::VerbParser(const std::string& verb, const std::string& about)
    : verb_(verb), app_(std::make_unique<CLI::App>(about, "dovetail " + verb)) {
  app_->allow_extras();
  app_->option_defaults()->always_capture_default();
  app_->set_help_flag("--help,-h", "print this text");
}

VerbParser::~VerbParser() = default;

void VerbParser::add(const std::string& name, Place place, std::string help,
                     const std::string& otherwise) {
  std::visit(OptionAdder{*app_, name, help, otherwise}, place);
}

void VerbParser::add_json(std::string_view instead_of) {
  add("--json", &json_, fmt::format("one JSON object on stdout instead of {}", instead_of), "");
}

void VerbParser::footer(const std::string& text) { app_->footer(text); }

Result<bool> VerbParser::parse(Arguments arguments) {
  if (arguments.size() == 2 && arguments[0] == "--completion-values") {
    completed_ = arguments[1];
    return true;
  }
  std::reverse(arguments.begin(), arguments.end());
  try {
    app_->parse(arguments);
  } catch (const CLI::CallForHelp&) {
    return true;
  } catch (const CLI::ParseError& error) {
    return fail("{}: {}; see dovetail {} --help", verb_, first_line(error.what()), verb_);
  }
  for (const std::string& extra : app_->remaining()) TRY(refuse(extra));
  return false;
}

ExitCode VerbParser::print_help() const {
  std::fputs(completed_ ? words_to_complete().c_str() : app_->help().c_str(), stdout);
  return ExitCode::done;
}

// Up to the part that only the user knows: cpu:threads=N is completed to cpu:threads=.
std::string VerbParser::words_to_complete() const {
  std::string text;
  const auto found = values_.find(*completed_);
  if (found == values_.end()) return text;
  for (const std::string& word : found->second())
    text += word.substr(0, word.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ")) + "\n";
  return text;
}

Result<void> VerbParser::refuse(const std::string& extra) const {
  const std::string option = extra.substr(0, extra.find('='));
  if (!extra.starts_with("-"))
    return fail("{}: unexpected argument {}; see dovetail {} --help", verb_, option, verb_);
  std::vector<std::string> known;
  for (const CLI::Option* one : app_->get_options()) known.push_back(one->get_name());
  std::string meant = did_you_mean(option, known);
  if (option == "--threads" && std::ranges::find(known, "--target") != known.end())
    meant = "; did you mean --target cpu:threads=N?";
  if (meant.empty()) meant = fmt::format("; see dovetail {} --help", verb_);
  return fail("{}: unknown option {}{}", verb_, option, meant);
}

}  // namespace dovetail
