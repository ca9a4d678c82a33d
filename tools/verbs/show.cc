// SPDX-License-Identifier: Apache-2.0
// The verb `show`: what is inside an operator, a record or a model.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "campaign/indented_json.h"
#include "campaign/inspect.h"
#include "core/base/text.h"
#include "core/ir/region/region_text.h"
#include "costmodel/features/features.h"
#include "tools/command_line/verb_parser.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

struct ShowCommand : InspectOptions {
  std::vector<std::string> subjects;
};

constexpr Option<ShowCommand> kShowOptions[] = {
    {"SUBJECT", &ShowCommand::subjects,
     "spec, region, LOG#CAMPAIGN.TRIAL, MODEL.onnx or MODEL.graph"},
    {"--what", &ShowCommand::what, "space, trace, nest, source, ir, asm, features or layout"},
    {"--target", &ShowCommand::target, kTargetHelp},
    {"--trace", &ShowCommand::trace_file, "file with a trace instead of the default; -: stdin"},
    {"--shape", &ShowCommand::shapes, kShapeHelp},
};

// `name = value` lines as an object.
Json features_json(const std::string& text) {
  Json features = Json::object();
  for (const std::string_view line : split(text, '\n')) {
    const size_t equals = line.find(" = ");
    if (equals == std::string_view::npos) continue;
    features[std::string(line.substr(0, equals))] =
        read_number<double>(line.substr(equals + 3)).value_or(0);
  }
  return features;
}

std::string json_text(const std::string& what, const std::string& text, Json features) {
  Json object{{"what", what}, {"text", text}};
  if (what == "features") {
    object["feature_version"] = kFeatureVersion;
    object["features"] = std::move(features);
  }
  return indented_json(object);
}

Result<ExitCode> run_show(ShowCommand options, bool json) {
  if (options.subjects.size() != 1)
    return fail(fmt::format("show: {} subjects given, expected one spec, record or model",
                            options.subjects.size()));
  options.what_of = options.subjects.front();
  if (std::ranges::find(inspected_texts(), options.what) == inspected_texts().end())
    return fail(fmt::format("show: unknown --what '{}'; expected one of: {}", options.what,
                            fmt::join(inspected_texts(), ", ")));
  const Subjects subjects = TRY(find_subjects(options));
  std::string text;
  Json features = Json::object();  // by subject
  for (const Subject& subject : subjects.list) {
    if (subjects.list.size() > 1)
      text += fmt::format("# {} = {}\n", subject.name, print(subject.spec));
    const std::string own = TRY(text_of(subject, subjects.target, options.what));
    if (options.what == "features") features[subject.name] = features_json(own);
    text += own;
  }
  if (options.what == "trace" && text.empty())
    std::fputs("the default trace of a written region has no primitives\n", stderr);
  if (json) text = json_text(options.what, text, std::move(features));
  std::fputs(text.c_str(), stdout);
  return ExitCode::done;
}

}  // namespace

Result<ExitCode> show_verb(Arguments arguments) {
  return parse_and_run<ShowCommand>("show",
                                    "Looks inside an operator, a record of a log or a model.",
                                    kShowOptions, run_show, std::move(arguments), "the text");
}

}  // namespace dovetail
