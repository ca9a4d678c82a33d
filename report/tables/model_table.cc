// SPDX-License-Identifier: Apache-2.0
#include "report/tables/model_table.h"

#include <fmt/format.h>

#include "core/record/line/json_fields.h"

namespace dovetail {

Table model_table() {
  return Table({{"operator", Align::left},
                {"model", Align::left},
                {"rounds"},
                {"top-1"},
                {"top-5"},
                {"tau"},
                {"last tau"},
                {"training (ms)"},
                {"warm start"}});
}

void add_model_row(const std::string& task, const RoundStats& model, Table& table) {
  table.add_row(
      {task, model.cost_model, fmt::format("{}", model.rounds),
       fmt::format("{:.2f}", model.top_1_recall), fmt::format("{:.2f}", model.top_5_recall),
       fmt::format("{:.2f}", model.kendall_tau), fmt::format("{:.2f}", model.last_kendall_tau),
       fmt::format("{:.1f}", 1e3 * model.training_seconds),
       model.warm_start_gain ? fmt::format("{:+.2f}", *model.warm_start_gain) : "-"});
}

std::string json_text(const RoundStats& model) {
  JsonWriter writer;
  writer.text("cost_model", model.cost_model);
  writer.integer("rounds", model.rounds);
  writer.real("top_1_recall", model.top_1_recall);
  writer.real("top_5_recall", model.top_5_recall);
  writer.real("kendall_tau", model.kendall_tau);
  writer.real("last_kendall_tau", model.last_kendall_tau);
  writer.real("top_1_speed", model.top_1_speed);
  writer.real("training_seconds", model.training_seconds);
  writer.real_or_null("warm_start_gain", model.warm_start_gain);
  return std::move(writer).finish();
}

}  // namespace dovetail
