// SPDX-License-Identifier: Apache-2.0
#include "search/compare/arms.h"

#include <algorithm>

#include "core/base/fail.h"
#include "costmodel/cost_models.h"

namespace dovetail {
namespace {

bool is_variant(std::string_view word) {
  return word == "joint" || word == "no_texture" || word == "unfused" ||
         word.starts_with("no_layouts=") || word.starts_with("loop_only=");
}

bool is_word(std::string_view word) {
  return word == "warm" || is_variant(word) || find_cost_model(word) != nullptr;
}

bool begins_with_a_strategy(std::string_view piece) {
  const std::string_view name = piece.substr(0, piece.find_first_of(":@"));
  return std::ranges::count(strategies(), name, &StrategyEntry::name) > 0;
}

// Length of a name such as "ga=" that precedes a strategy; 0: there is none.
size_t name_size(std::string_view piece) {
  const size_t equals = piece.find('=');
  if (equals == 0 || equals == piece.npos || piece.find_first_of(":@ ") < equals) return 0;
  return begins_with_a_strategy(piece.substr(equals + 1)) ? equals + 1 : 0;
}

bool begins_an_arm(std::string_view piece) {
  return begins_with_a_strategy(piece) || name_size(piece) > 0;
}

std::vector<std::string> split_arms(std::string_view text) {
  std::vector<std::string> arms;
  while (true) {
    const size_t comma = text.find(',');
    const std::string piece(text.substr(0, comma));
    const bool of_program =
        !arms.empty() && arms.back().compare(name_size(arms.back()), 5, "exec:") == 0;
    const bool is_option = piece.find('=') != std::string::npos && !begins_an_arm(piece);
    if (!arms.empty() && !begins_an_arm(piece) && (of_program || is_option))
      arms.back() += "," + piece;
    else
      arms.push_back(piece);
    if (comma == std::string_view::npos) return arms;
    text.remove_prefix(comma + 1);
  }
}

void apply(std::string_view word, Arm& arm) {
  if (word == "warm") {
    arm.warm = true;
  } else if (is_variant(word)) {
    const size_t equals = word.find('=');
    arm.variant = word.substr(0, equals);
    if (equals != word.npos) arm.layout = word.substr(equals + 1);
  } else {
    arm.cost_model = word;
  }
}

Result<Arm> parse_arm(const std::string& text, const std::string& cost_model) {
  const size_t name = name_size(text);
  Arm arm{
      .name = name > 0 ? text.substr(0, name - 1) : text, .strategy = {}, .cost_model = cost_model};
  std::string_view rest = std::string_view(text).substr(name);
  std::vector<std::string_view> words;
  for (size_t at = rest.rfind('@'); at != std::string_view::npos; at = rest.rfind('@')) {
    const std::string_view word = rest.substr(at + 1);
    if (!is_word(word) && rest.starts_with("exec:")) break;  // part of the command
    if (!is_word(word)) {
      return fail(
          "strategy {}: unknown '@{}'; expected a cost model, joint, no_texture, unfused, "
          "no_layouts=LAYOUT, loop_only=LAYOUT or warm",
          text, word);
    }
    words.push_back(word);
    rest = rest.substr(0, at);
  }
  for (const std::string_view word : words) apply(word, arm);
  arm.strategy = TRY(parse_strategy(rest));
  if (arm.warm && !has_agent(arm.strategy) && !find_cost_model(arm.cost_model)->learns) {
    return fail("strategy {}: cost model {} learns nothing, so it has no warm start", text,
                arm.cost_model);
  }
  return arm;
}

}  // namespace

Result<std::vector<Arm>> parse_arms(std::string_view text, const std::string& cost_model) {
  // Reports an unknown name. A known model is not made here: only arms with it need its library.
  if (find_cost_model(cost_model) == nullptr) TRY(make_cost_model(cost_model, {}));
  std::vector<Arm> arms;
  for (const std::string& piece : split_arms(text)) {
    Arm arm = TRY(parse_arm(piece, cost_model));
    TRY(make_cost_model(arm.cost_model, {}));
    if (std::ranges::count(arms, arm.name, &Arm::name) > 0)
      return fail("strategy {} is given twice", arm.name);
    arms.push_back(std::move(arm));
  }
  return arms;
}

}  // namespace dovetail
