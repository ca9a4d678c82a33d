// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/round_record.h"

#include <fmt/core.h>

#include "core/record/line/log_line.h"

namespace dovetail {
namespace {

// Required, and between two bounds that JSON's numbers know nothing of.
double between(JsonFields& fields, std::string_view name, double least, double most) {
  const double value = fields.real(name);
  if (!(value >= least && value <= most)) {
    fields.mistake(name,
                   fmt::format("found {}, expected a number from {} to {}", value, least, most));
  }
  return value;
}

double whole_duration(JsonFields& fields, std::string_view name) {
  return between(fields, name, 0, 1e18);
}

}  // namespace

std::string print(const RoundRecord& round) {
  JsonWriter writer;
  writer.text("kind", kRoundKind);
  writer.integer("round", round.round);
  writer.integer("campaign", round.campaign);
  writer.text("task", round.task);
  writer.text("target", round.target);
  writer.text("cost_model", round.cost_model);
  writer.integer("first_trial", round.first_trial);
  writer.integer("candidates", round.candidates);
  writer.integer("valid", round.valid);
  writer.real("top_1_recall", round.top_1_recall);
  writer.real("top_5_recall", round.top_5_recall);
  writer.real("kendall_tau", round.kendall_tau);
  writer.real("top_1_speed", round.top_1_speed);
  if (round.fresh_kendall_tau) writer.real("fresh_kendall_tau", *round.fresh_kendall_tau);
  writer.real("training_seconds", round.training_seconds);
  writer.real("elapsed", round.elapsed_seconds);
  writer.unknown(round.unknown);
  return seal_line(std::move(writer).finish());
}

Result<RoundRecord> parse_round(std::string_view object, int schema) {
  auto fields = TRY(JsonFields::parse(TRY(migrate(std::string(object), schema))));
  RoundRecord round;
  if (fields.text("kind") != kRoundKind) fields.mistake("kind", "expected round");
  round.round = fields.integer("round", 1);
  round.campaign = fields.integer("campaign", 1);
  round.task = fields.text("task");
  round.target = fields.text("target");
  round.cost_model = fields.text("cost_model");
  round.first_trial = fields.integer("first_trial", 1);
  round.candidates = fields.integer("candidates", 0);
  round.valid = fields.integer("valid", 0);
  round.top_1_recall = between(fields, "top_1_recall", 0, 1);
  round.top_5_recall = between(fields, "top_5_recall", 0, 1);
  round.kendall_tau = between(fields, "kendall_tau", -1, 1);
  round.top_1_speed = between(fields, "top_1_speed", 0, 1);
  if (fields.has("fresh_kendall_tau")) {
    round.fresh_kendall_tau = between(fields, "fresh_kendall_tau", -1, 1);
  }
  round.training_seconds = whole_duration(fields, "training_seconds");
  round.elapsed_seconds = whole_duration(fields, "elapsed");
  round.unknown = fields.rest();
  TRY(fields.check());
  return round;
}

}  // namespace dovetail
