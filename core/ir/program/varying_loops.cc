// SPDX-License-Identifier: Apache-2.0
#include "core/ir/program/varying_loops.h"

#include <algorithm>
#include <optional>

#include "core/ir/program/walk.h"

namespace dovetail {
namespace {

constexpr size_t kMostCompared = 256;  // stores to one target; more are assumed to differ

// The only dimension in which the indices of two stores of different values differ, if there is
// one. Equal values do not count: the pieces of a cut loop store the same value.
std::optional<size_t> only_difference(const Store& a, const Store& b) {
  if (a.reducer != b.reducer || a.indices.size() != b.indices.size()) return std::nullopt;
  if (a.value.as<Constant>() != nullptr || b.value.as<Constant>() != nullptr) return std::nullopt;
  std::optional<size_t> found;
  for (size_t d = 0; d < a.indices.size(); ++d) {
    if (a.indices[d] == b.indices[d]) continue;
    if (found) return std::nullopt;
    found = d;
  }
  return a.value == b.value ? std::nullopt : found;
}

}  // namespace

// Iterates to a fixed point, because a store may be visited before the loops are known with which
// the tiles that it reads change.
VaryingLoops::VaryingLoops(const Program& program) : program_(program) {
  compare_stores();
  std::map<Place, Contents> known;
  do {
    known = stored_;
    for (const Kernel& kernel : program.kernels) {
      std::vector<const Loop*> around;
      add_stores(kernel.body, kernel, around);
    }
  } while (known != stored_);
}

LoopSet VaryingLoops::of(const Value& value, const Kernel& kernel,
                         std::span<const Loop* const> around) const {
  LoopSet loops;
  for_each_node(value, [&](const Value& node) {
    if (const auto* load = node.as<Load>()) add_load(*load, kernel, around, loops);
    if (const auto* index = node.as<IndexValue>())
      add_variables(index->index, kernel, around, loops);
    if (const auto* s = node.as<Select>())
      for (const Bound& bound : s->bounds) add_variables(bound.expr, kernel, around, loops);
  });
  return loops;
}

VaryingLoops::Place VaryingLoops::place_of(const Kernel& kernel, const std::string& name) const {
  return {find_buffer(program_, name) != nullptr ? nullptr : &kernel, name};
}

void VaryingLoops::compare_stores() {
  std::map<Place, std::vector<const Store*>> stores;
  for (const Kernel& kernel : program_.kernels)
    for_each_store(kernel.body, [&](const Store& store) {
      stores[place_of(kernel, store.target)].push_back(&store);
    });
  for (const auto& [place, all] : stores) {
    std::vector<bool>& along = stored_[place].along;
    size_t dims = 0;
    for (const Store* store : all) dims = std::max(dims, store->indices.size());
    along.assign(dims, all.size() > kMostCompared);
    if (all.size() > kMostCompared) continue;
    for (size_t a = 0; a < all.size(); ++a)
      for (size_t b = a + 1; b < all.size(); ++b)
        if (const auto dim = only_difference(*all[a], *all[b])) along[*dim] = true;
  }
}

void VaryingLoops::add_stores(const Block& block, const Kernel& kernel,
                              std::vector<const Loop*>& around) {
  for (const Statement& statement : block) {
    if (const auto* loop = std::get_if<Loop>(&statement.node)) {
      around.push_back(loop);
      add_stores(loop->body, kernel, around);
      around.pop_back();
    }
    const auto* store = std::get_if<Store>(&statement.node);
    if (store == nullptr) continue;
    const LoopSet varying = of(store->value, kernel, around);
    Contents& contents = stored_[place_of(kernel, store->target)];
    for (size_t d = 0; d < store->indices.size(); ++d) {
      LoopSet own;
      add_variables(store->indices[d], kernel, around, own);
      if (std::ranges::any_of(own, [&](const Loop* loop) { return varying.contains(loop); }))
        contents.along[d] = true;
    }
    contents.loops.insert(varying.begin(), varying.end());
  }
}

// An index over a gather loop also changes with the loops with which the choosing value changes.
void VaryingLoops::add_variables(const IndexExpr& index, const Kernel& kernel,
                                 std::span<const Loop* const> around, LoopSet& loops) const {
  for (const std::string& name : index.variables()) {
    const auto found = std::ranges::find_if(around.rbegin(), around.rend(),
                                            [&](const Loop* l) { return l->variable == name; });
    if (found == around.rend()) continue;
    loops.insert(*found);
    if ((*found)->at) {
      const auto outside = static_cast<size_t>(around.rend() - found) - 1;
      loops.merge(of(*(*found)->at, kernel, around.first(outside)));
    }
  }
}

// A load changes with its indices in dimensions along which the contents differ, and with the loops
// around it with which the contents change; contents stored before a loop do not change with it.
void VaryingLoops::add_load(const Load& load, const Kernel& kernel,
                            std::span<const Loop* const> around, LoopSet& loops) const {
  const auto stored = stored_.find(place_of(kernel, load.buffer));
  for (size_t d = 0; d < load.indices.size(); ++d)
    if (stored == stored_.end() || stored->second.along[d])
      add_variables(load.indices[d], kernel, around, loops);
  if (stored == stored_.end()) return;
  for (const Loop* loop : around)
    if (stored->second.loops.contains(loop)) loops.insert(loop);
}

}  // namespace dovetail
