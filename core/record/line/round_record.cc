// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/round_record.h"

#include "core/record/line/fields.h"
#include "core/record/line/log_line.h"

namespace dovetail {
namespace {

constexpr Within kShare{.least = 0, .most = 1};
constexpr Within kTau{.least = -1, .most = 1};
constexpr Within kDuration{.least = 0, .most = 1e18};  // JSON's numbers have no bounds of their own

auto fields_of(Of<RoundRecord> auto& round) {
  return std::tuple(
      Field{"round", round.round, AtLeast{1}}, Field{"campaign", round.campaign, AtLeast{1}},
      Field{"task", round.task}, Field{"target", round.target},
      Field{"cost_model", round.cost_model}, Field{"first_trial", round.first_trial, AtLeast{1}},
      Field{"candidates", round.candidates, AtLeast{0}}, Field{"valid", round.valid, AtLeast{0}},
      Field{"top_1_recall", round.top_1_recall, kShare},
      Field{"top_5_recall", round.top_5_recall, kShare},
      Field{"kendall_tau", round.kendall_tau, kTau},
      Field{"top_1_speed", round.top_1_speed, kShare},
      Field{"fresh_kendall_tau", round.fresh_kendall_tau, kTau, Presence::unless_empty},
      Field{"training_seconds", round.training_seconds, kDuration},
      Field{"elapsed", round.elapsed_seconds, kDuration});
}

}  // namespace

std::string print(const RoundRecord& round) {
  JsonWriter writer;
  writer.text("kind", kRoundKind);
  write_fields(writer, fields_of(round));
  writer.unknown(round.unknown);
  return seal_line(std::move(writer).finish());
}

Result<RoundRecord> parse_round(std::string_view object, int schema) {
  auto json = TRY(JsonFields::parse(TRY(migrate(std::string(object), schema))));
  RoundRecord round;
  if (json.text("kind") != kRoundKind) json.mistake("kind", "expected round");
  read_fields(json, fields_of(round));
  round.unknown = json.rest();
  TRY(json.check());
  return round;
}

}  // namespace dovetail
