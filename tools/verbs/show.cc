// SPDX-License-Identifier: Apache-2.0
// The verb `show`: what is inside an operator, a record or a model.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "campaign/inspect.h"
#include "core/base/text.h"
#include "costmodel/features/features.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

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

}  // namespace

Result<ExitCode> run_show(const InspectOptions& options, bool json) {
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
  if (json) {
    Json object{{"what", options.what}, {"text", text}};
    if (options.what == "features") {
      object["feature_version"] = kFeatureVersion;
      object["features"] = std::move(features);
    }
    text = object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  std::fputs(text.c_str(), stdout);
  return ExitCode::done;
}

}  // namespace dovetail
