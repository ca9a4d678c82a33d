// SPDX-License-Identifier: Apache-2.0
#include "campaign/option_values.h"

#include <functional>

#include "campaign/cache_choice.h"
#include "campaign/inspect.h"
#include "campaign/network/network_variants.h"
#include "campaign/workloads.h"
#include "core/backends/backends.h"
#include "core/base/text.h"
#include "core/memory/planner.h"
#include "costmodel/cost_models.h"
#include "measure/network_peers/engine_session.h"
#include "measure/peers/peer.h"
#include "primitives/space/layouts/fixed_layout.h"
#include "search/strategies/strategies.h"

namespace dovetail {
namespace {

template <typename List, typename NameOf = std::identity>
std::vector<std::string> names_of(const List& list, NameOf name_of = {}) {
  std::vector<std::string> names;
  for (const auto& item : list) names.emplace_back(std::invoke(name_of, item));
  return names;
}

}  // namespace

std::vector<std::string> target_forms() {
  std::vector<std::string> forms;
  for (const Backend* backend : backends())
    for (std::string_view form : split(backend->name_forms(), ',')) {
      form.remove_prefix(form.find_first_not_of(' '));
      forms.emplace_back(form);
    }
  return forms;
}

std::vector<std::string> cache_words() { return names_of(known_cache_words()); }
std::vector<std::string> recorded_cache_words() {
  constexpr Caches kAll[] = {Caches::hot, Caches::cold, Caches::network_l3, Caches::network_memory};
  return names_of(kAll, [](Caches caches) { return print(caches); });
}
std::vector<std::string> strategy_names() { return names_of(strategies(), &StrategyEntry::name); }
std::vector<std::string> cost_model_names() {
  return names_of(cost_models(), &CostModelEntry::name);
}
std::vector<std::string> search_variants() { return names_of(known_search_variants()); }
std::vector<std::string> network_variants() { return names_of(known_network_variants()); }
std::vector<std::string> fixed_layouts() {
  constexpr FixedLayout kAll[] = {FixedLayout::nohw, FixedLayout::nhwo, FixedLayout::hwon,
                                  FixedLayout::nohw16o};
  return names_of(kAll, [](FixedLayout layout) { return print(layout); });
}
std::vector<std::string> planner_names() { return builtin_planners().names(); }
std::vector<std::string> shown_texts() { return names_of(inspected_texts()); }
std::vector<std::string> library_words() {
  std::vector<std::string> words = known_peers();
  words.emplace_back("none");
  return words;
}
std::vector<std::string> engine_words() { return engine_names(); }

}  // namespace dovetail
