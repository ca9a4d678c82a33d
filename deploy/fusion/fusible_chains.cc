// SPDX-License-Identifier: Apache-2.0
#include "deploy/fusion/fusible_chains.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/ir/region/canonical.h"
#include "core/ir/region/normal_region.h"
#include "core/ir/value/walk.h"
#include "primitives/space/chains/chain.h"

namespace dovetail {
namespace {

// A product with at most this many multiplications per output element is memory-bound.
constexpr int64_t kThin = 64;

// One computation of a chain: its tensors are named after the graph's, and its axes are made unique
// by the computation's number.
class Member {
 public:
  Member(const NodeRegion& node, Computation computation, size_t number)
      : node_(node), renamed_(std::move(computation)) {
    std::map<std::string, IndexExpr, std::less<>> axes;
    for (Axis& axis : renamed_.axes) {
      std::string name = fmt::format("{}{}", axis.name, number);
      axes.emplace(axis.name, IndexExpr::variable(name));
      axis.name = std::move(name);
    }
    const Ranges ranges = axis_ranges(renamed_);
    for (Tensor& tensor : renamed_.tensors) tensor.name = name_of(tensor.name);
    rename(renamed_.output, axes, ranges);
    for (Access& read : renamed_.reads) rename(read, axes, ranges);
  }

  const Computation& renamed() const { return renamed_; }
  static std::string name_in_chain(TensorId id) { return fmt::format("T{}", id); }

 private:
  std::string name_of(const std::string& tensor) const {
    for (const auto* known : {&node_.given, &node_.made})
      for (const auto& [name, id] : *known)
        if (name == tensor) return name_in_chain(id);
    CHECK(false, "a region's tensor is one of the graph: " + tensor);
  }

  void rename(Access& access, const std::map<std::string, IndexExpr, std::less<>>& axes,
              const Ranges& ranges) const {
    access.tensor = name_of(access.tensor);
    for (IndexExpr& index : access.indices) index = substitute(index, axes, ranges);
    for (Bound& condition : access.conditions)
      condition.expr = substitute(condition.expr, axes, ranges);
  }

  const NodeRegion& node_;
  Computation renamed_;
};

// Values that depend on axis indices or on indices chosen by data are not supported in a chain.
bool is_plain_product(const Computation& c) {
  const auto speaks_of_axes = [](const Value& node) {
    return node.as<IndexValue>() != nullptr || node.as<Select>() != nullptr;
  };
  return is_product_sum(c) && element_reads(c).size() == 2 && c.gathers.empty() &&
         c.tables.empty() && !any_node(c.result, speaks_of_axes);
}

std::optional<Computation> product_of(const NodeRegion& node) {
  if (node.spec.empty() || !node.reason.empty() || node.made.size() != 1) return std::nullopt;
  const Result<Region>& region = node.spec.value();
  if (!region || region->computations.size() != 1) return std::nullopt;
  const Computation& c = region->computations[0].computation;
  return is_plain_product(c) ? std::optional(c) : std::nullopt;
}

NodeRegion region_of_chain(const Partition& parts, const NodeChain& chain) {
  Region region;
  NodeRegion node;
  std::set<TensorId> made, given;
  for (const size_t n : chain.nodes) made.insert(parts.regions[n].made[0].second);
  for (size_t k = 0; k < chain.nodes.size(); ++k) {
    const NodeRegion& own = parts.regions[chain.nodes[k]];
    std::optional<Computation> product = product_of(own);
    CHECK(product.has_value(), "a chain's nodes are products");
    const Member member(own, *std::move(product), k);
    region.computations.push_back({member.renamed().output.tensor, member.renamed()});
    for (const auto& [name, id] : own.given)
      if (!made.contains(id) && given.insert(id).second)
        node.given.emplace_back(Member::name_in_chain(id), id);
  }
  const TensorId last = parts.regions[chain.nodes.back()].made[0].second;
  region.outputs = {Member::name_in_chain(last)};
  node.made = {{region.outputs[0], last}};
  Result<Region> normal = normalised(region);
  CHECK(normal.has_value(), normal ? "" : normal.error().message);
  node.spec = *std::move(normal);
  return node;
}

int64_t multiplications(const Computation& c) {  // per output element
  int64_t product = 1;
  for (const Axis& axis : c.axes) product *= axis.reduction ? axis.extent : 1;
  return product;
}

// The products among a graph's regions, and the sole consumer of each where that is a product, too.
class Products {
 public:
  explicit Products(const Partition& parts) : parts_(parts) {
    for (const NodeRegion& node : parts.regions) products_.push_back(product_of(node));
    std::vector<std::vector<size_t>> readers(parts.graph.tensors.size());
    for (size_t n = 0; n < parts.regions.size(); ++n)
      for (const auto& [name, id] : parts.regions[n].given)
        readers[static_cast<size_t>(id)].push_back(n);
    for (size_t n = 0; n < parts.regions.size(); ++n)
      readers_.push_back(products_[n] ? reader_of(n, readers) : std::nullopt);
  }

  const Computation& at(size_t node) const { return *products_[node]; }
  std::optional<size_t> reader(size_t node) const { return readers_[node]; }

 private:
  // The sole consumer, if it is a product that reads this one in its sum and in the same shape.
  std::optional<size_t> reader_of(size_t node,
                                  const std::vector<std::vector<size_t>>& readers) const {
    const TensorId id = parts_.regions[node].made[0].second;
    const std::vector<size_t>& all = readers[static_cast<size_t>(id)];
    if (all.size() != 1 || !products_[all[0]]) return std::nullopt;
    if (std::ranges::find(parts_.graph.outputs, id) != parts_.graph.outputs.end())
      return std::nullopt;
    const NodeRegion& reader = parts_.regions[all[0]];
    const Computation& product = *products_[all[0]];
    for (const auto& [name, given] : reader.given)
      if (given == id && reads_tensor(element_reads(product), name) &&
          shape_of(tensor_named(product, name)) ==
              shape_of(tensor_named(*products_[node], products_[node]->output.tensor)))
        return all[0];
    return std::nullopt;
  }

  const Partition& parts_;
  std::vector<std::optional<Computation>> products_;
  std::vector<std::optional<size_t>> readers_;
};

class ChainSearch {
 public:
  ChainSearch(const Partition& parts, const Target& target)
      : parts_(parts), target_(target), products_(parts) {}

  // Where two chains share a node, the one with more bytes of intermediates is taken.
  std::vector<NodeChain> find() const {
    std::vector<std::pair<double, NodeChain>> found;
    for (size_t first = 0; first < parts_.regions.size(); ++first) {
      const std::optional<NodeChain> chain = chain_from(first);
      if (!chain) continue;
      const double bytes = bytes_between(*chain);
      if (bytes > static_cast<double>(target_.l2_bytes)) found.emplace_back(bytes, *chain);
    }
    std::ranges::stable_sort(found, std::greater(), [](const auto& entry) { return entry.first; });
    std::vector<NodeChain> chains;
    std::set<size_t> taken;
    for (const auto& [bytes, chain] : found) {
      const auto is_taken = [&](size_t node) { return taken.contains(node); };
      if (std::ranges::any_of(chain.nodes, is_taken)) continue;
      taken.insert(chain.nodes.begin(), chain.nodes.end());
      chains.push_back(chain);
    }
    std::ranges::sort(chains, {}, &NodeChain::nodes);
    return chains;
  }

 private:
  std::optional<NodeChain> chain_from(size_t first) const {
    const std::optional<size_t> middle = products_.reader(first);
    if (!middle || multiplications(products_.at(*middle)) > kThin) return std::nullopt;
    const std::optional<size_t> last = products_.reader(*middle);
    if (!last) return std::nullopt;
    NodeChain chain{.nodes = {first, *middle, *last}};
    const NodeRegion one = region_of_chain(parts_, chain);
    return derive_chain(one.spec.value().value(), target_) ? std::optional(chain) : std::nullopt;
  }

  double bytes_between(const NodeChain& chain) const {
    double bytes = 0;
    for (size_t k = 0; k + 1 < chain.nodes.size(); ++k) {
      const Computation& product = products_.at(chain.nodes[k]);
      bytes += static_cast<double>(tensor_bytes(tensor_named(product, product.output.tensor)));
    }
    return bytes;
  }

  const Partition& parts_;
  const Target& target_;
  Products products_;
};

}  // namespace

std::vector<NodeChain> fusible_chains(const Partition& parts, const Target& target) {
  if (!runs_threads(target)) return {};
  return ChainSearch(parts, target).find();
}

bool are_chains(const Partition& parts, const std::vector<NodeChain>& chains) {
  const Products products(parts);
  std::set<size_t> seen;
  for (const NodeChain& chain : chains) {
    if (chain.nodes.size() < 2) return false;
    for (size_t k = 0; k < chain.nodes.size(); ++k) {
      if (!seen.insert(chain.nodes[k]).second) return false;
      const bool is_last = k + 1 == chain.nodes.size();
      if (!is_last && products.reader(chain.nodes[k]) != chain.nodes[k + 1]) return false;
    }
  }
  return true;
}

KeyedTask task_of(const Partition& parts, const NodeChain& chain) {
  return canonical(region_of_chain(parts, chain).spec.value().value()).spec;
}

Partition fused(const Partition& parts, const std::vector<NodeChain>& chains) {
  std::map<size_t, const NodeChain*> last_of;
  std::set<size_t> gone;
  for (const NodeChain& chain : chains) {
    last_of[chain.nodes.back()] = &chain;
    gone.insert(chain.nodes.begin(), chain.nodes.end() - 1);
  }
  Partition result{.graph = parts.graph, .regions = {}, .joined = parts.joined};
  result.graph.nodes.clear();
  for (size_t n = 0; n < parts.regions.size(); ++n) {
    if (gone.contains(n)) continue;
    GraphNode node = parts.graph.nodes[n];
    const auto chain = last_of.find(n);
    if (chain == last_of.end()) {
      result.regions.push_back(parts.regions[n]);
    } else {
      result.regions.push_back(region_of_chain(parts, *chain->second));
      node = {.name = node.name,
              .operator_class = OperatorClass::complex,
              .type = "Chain",
              .op = std::nullopt,
              .attributes = {},
              .inputs = {},
              .outputs = node.outputs};
      for (const auto& [name, id] : result.regions.back().given) node.inputs.push_back(id);
      std::vector<std::string>& joined = result.joined[node.name];
      for (const size_t member : chain->second->nodes)
        if (member != n) joined.push_back(parts.graph.nodes[member].name);
    }
    result.graph.nodes.push_back(std::move(node));
  }
  return result;
}

}  // namespace dovetail
