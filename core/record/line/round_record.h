// SPDX-License-Identifier: Apache-2.0
#pragma once

// RoundRecord: how well the cost model ranked one round of a campaign's task, as a line of a log.
//
//   {"kind":"round","round":3,"campaign":1,"task":"gmm:m=512,n=512,k=512","target":"cpu",
//    "cost_model":"xgboost","first_trial":33,"candidates":16,"valid":15,"top_1_recall":1.0,
//    "top_5_recall":0.6,"kendall_tau":0.41,"top_1_speed":1.0,"training_seconds":0.031,
//    "elapsed":12.5,"crc":"..."}
//
// The scores are the predictions made before the round was measured; the default trace and repeated
// measurements have none and do not count. costmodel/rank_quality.h defines the four figures. A
// line of its own rather than fields of trials: the figures describe a round, and readers that
// count trials never see them. There is no such line without a cost model, nor for a round with
// fewer than two valid candidates, which have no order to judge.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/record/line/json_fields.h"
#include "core/record/line/log_line.h"

namespace dovetail {

inline constexpr std::string_view kRoundKind = "round";

struct RoundRecord {
  int64_t round = 1;     // from 1, per task and campaign; numbers may be skipped
  int64_t campaign = 1;  // the number in the header of its campaign
  std::string task;      // the operator's spec
  std::string target;    // resolved
  std::string cost_model;
  int64_t first_trial = 1;
  int64_t candidates = 0;  // scored
  int64_t valid = 0;       // candidates that were measured successfully
  double top_1_recall = 0, top_5_recall = 0, kendall_tau = 0, top_1_speed = 0;
  // First rounds after a warm start only: the tau of a model without it, on the same candidates.
  std::optional<double> fresh_kendall_tau;
  double training_seconds = 0;  // training on the round
  double elapsed_seconds = 0;   // since the campaign's start
  UnknownFields unknown;
  friend bool operator==(const RoundRecord&, const RoundRecord&) = default;
};

std::string print(const RoundRecord& round);  // one line with its checksum, no newline

// Parses the output of open_line (core/record/line/log_line.h), written under `schema`.
Result<RoundRecord> parse_round(std::string_view object, int schema = kSchema);

}  // namespace dovetail
