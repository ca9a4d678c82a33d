// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/partition/elementwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/base/check.h"
#include "core/frontend/computations/node_region.h"
#include "core/frontend/graph_edit.h"
#include "core/ir/lexer.h"
#include "core/ir/region/normal_region.h"
#include "core/ir/region/region_text.h"
#include "core/ir/value/walk.h"

namespace dovetail {
namespace {

// Kernels that read more streams than this exceed what hardware prefetchers can follow.
constexpr size_t kMostReads = 12;  // named A to L

// The nesting of a region's text is limited (core/ir/lexer.h), and so are compilers: a longer chain
// is split into several kernels.
constexpr int kMostHeight = kMaxNesting / 2;
constexpr size_t kMostNodes = 1000;

struct Size {
  int height = 0;
  size_t nodes = 1;
};

Size size_of(const Value& value) {
  Size size;
  for_each_operand(value, [&](const Value& operand) {
    const Size inner = size_of(operand);
    size.height = std::max(size.height, inner.height + 1);
    size.nodes += inner.nodes;
  });
  return size;
}

// A node's computation, whose tensors are named by letters, and the graph's tensors that it reads.
struct Elementwise {
  Computation computation;
  std::vector<TensorId> reads;  // the graph's tensor of each read
  Size size = {};
};

bool is_real(const Computation& c) {
  return std::ranges::all_of(c.tensors,
                             [](const Tensor& tensor) { return tensor.type == ElementType::f32; });
}

class ElementwiseNodes {
 public:
  ElementwiseNodes(Graph& graph, JoinedNodes& joined)
      : graph_(graph), joined_(joined), uses_(count_uses(graph)) {}

  Result<void> join() {
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      std::optional<Elementwise> own = TRY(read(graph_.nodes[n]));
      if (!own) continue;
      const std::string name = graph_.nodes[n].name;
      while (const std::optional<size_t> before = node_before(*own)) take_in(*before, n, *own);
      if (graph_.nodes[n].name != name) write_down(graph_.nodes[n], *own);
      made_by_[graph_.nodes[n].outputs[0]] = n;
      known_.emplace(n, *std::move(own));
    }
    std::erase_if(graph_.nodes, [](const GraphNode& node) { return node.outputs.empty(); });
    return {};
  }

 private:
  Result<std::optional<Elementwise>> read(const GraphNode& node) const {
    std::optional<Elementwise> none;
    if (node.operator_class != OperatorClass::elementwise || node.outputs.size() != 1) return none;
    const NodeRegion region = TRY(node_region(graph_, node));
    if (!region.reason.empty() || is_view(region) || region.made.size() != 1) return none;
    const Result<Region>& parsed = region.spec.value();
    if (!parsed || parsed->computations.size() != 1) return none;
    Elementwise found{.computation = parsed->computations[0].computation, .reads = {}, .size = {}};
    const Computation& c = found.computation;
    if (c.reducer != Reducer::none || !c.gathers.empty() || !c.tables.empty() || !is_real(c))
      return none;
    const std::map<std::string, TensorId> ids(region.given.begin(), region.given.end());
    for (const auto& [name, id] : ids)
      if (!is_same_tensor(tensor_named(c, name), tensor_of(graph_, id))) return none;
    for (const Access& access : c.reads) found.reads.push_back(ids.at(access.tensor));
    found.size = size_of(finished(c, c.element));
    return found;
  }

  // The producer of a tensor that only this node reads, once and element for element.
  std::optional<size_t> node_before(const Elementwise& own) const {
    for (const TensorId id : own.reads) {
      const auto maker = made_by_.find(id);
      if (maker == made_by_.end() || uses_[static_cast<size_t>(id)] != 1) continue;
      if (std::ranges::count(own.reads, id) != 1 || !is_in_order(own, id)) continue;
      const Elementwise& first = known_.at(maker->second);
      if (first.computation.axes != own.computation.axes) continue;
      const bool fits = first.reads.size() + own.reads.size() - 1 <= kMostReads &&
                        first.size.height + own.size.height <= kMostHeight &&
                        first.size.nodes + own.size.nodes <= kMostNodes;
      if (fits) return maker->second;
    }
    return std::nullopt;
  }

  static bool is_in_order(const Elementwise& own, TensorId id) {
    const size_t position =
        static_cast<size_t>(std::ranges::find(own.reads, id) - own.reads.begin());
    const Computation& c = own.computation;
    const Access& read = c.reads[position];
    size_t times = 0;
    for_each_node(finished(c, c.element), [&](const Value& value) {
      const auto* leaf = value.as<ReadOf>();
      if (leaf != nullptr && static_cast<size_t>(leaf->position) == position) ++times;
    });
    if (times != 1 || !read.conditions.empty()) return false;
    const std::vector<int64_t> extents = shape_of(tensor_named(c, read.tensor));
    if (extents != shape_of(tensor_named(c, c.output.tensor))) return false;
    for (size_t d = 0; d < extents.size(); ++d)
      if (extents[d] != 1 && read.indices[d] != c.output.indices[d]) return false;
    return true;
  }

  // Makes the node at `place` compute the node `before`, too, which is cleared.
  void take_in(size_t before, size_t place, Elementwise& own) {
    own = composed(known_.at(before), own, graph_.nodes[before].outputs[0]);
    GraphNode& node = graph_.nodes[place];
    GraphNode& gone = graph_.nodes[before];
    std::vector<std::string> names = std::exchange(joined_[gone.name], {});
    names.push_back(node.name);
    const auto also = joined_.find(node.name);
    if (also != joined_.end()) {
      names.insert(names.end(), also->second.begin(), also->second.end());
      joined_.erase(also);
    }
    node.name = gone.name;
    joined_[node.name] = std::move(names);
    gone = {};
  }

  // Substitutes the first one into the second; reads of the first, then the second's other ones.
  static Elementwise composed(const Elementwise& first, const Elementwise& second, TensorId inner) {
    Elementwise both = first;
    std::vector<Value> positions;
    for (size_t r = 0; r < second.reads.size(); ++r) {
      const Access& read = second.computation.reads[r];
      if (second.reads[r] == inner) {
        positions.push_back(finished(first.computation, first.computation.element));
        continue;
      }
      positions.push_back(read_of(position_of_read(both, second.reads[r], second, read)));
    }
    const Value whole = finished(second.computation, second.computation.element);
    both.computation.element =
        with_reads(whole, [&](int position) { return positions[static_cast<size_t>(position)]; });
    both.computation.result = Reduced{};
    // An upper bound, because the second one reads the first one once.
    both.size = {first.size.height + second.size.height, first.size.nodes + second.size.nodes};
    return renamed(std::move(both), second.computation);
  }

  static size_t position_of_read(Elementwise& both, TensorId id, const Elementwise& second,
                                 const Access& read) {
    for (size_t known = 0; known < both.reads.size(); ++known) {
      Access own = both.computation.reads[known];
      own.tensor = read.tensor;
      if (both.reads[known] == id && own == read) return known;
    }
    both.computation.tensors.push_back(tensor_named(second.computation, read.tensor));
    both.computation.tensors.back().name = fmt::format("+{}", both.reads.size());
    both.computation.reads.push_back(read);
    both.computation.reads.back().tensor = both.computation.tensors.back().name;
    both.reads.push_back(id);
    return both.reads.size() - 1;
  }

  // Renames tensors to A, B, … in the order of their first read, and the output to Y.
  static Elementwise renamed(Elementwise both, const Computation& last) {
    Computation& c = both.computation;
    const Tensor made = tensor_named(last, last.output.tensor);
    std::vector<Tensor> tensors;
    std::map<TensorId, std::string> names;
    for (size_t r = 0; r < c.reads.size(); ++r) {
      const auto [found, is_new] =
          names.emplace(both.reads[r], std::string(1, static_cast<char>('A' + names.size())));
      if (is_new) {
        tensors.push_back(tensor_named(c, c.reads[r].tensor));
        tensors.back().name = found->second;
      }
      c.reads[r].tensor = found->second;
    }
    tensors.push_back(made);
    tensors.back().name = "Y";
    c.tensors = std::move(tensors);
    c.output.tensor = "Y";
    return both;
  }

  static void write_down(GraphNode& node, const Elementwise& own) {
    Region region;
    region.computations.push_back({"Y", own.computation});
    region.outputs = {"Y"};
    const Result<Region> written = normalised(region);
    CHECK(written.has_value(), written ? "" : written.error().message);
    const std::string text = print(*written);
    node.type = kWrittenNode;
    node.attributes = {{std::string(kWrittenRegion), text}};
    node.inputs.clear();
    for (const Tensor& tensor : given_tensors(*written)) {
      const auto of_tensor = [&](const Access& access) { return access.tensor == tensor.name; };
      const auto found = std::ranges::find_if(own.computation.reads, of_tensor);
      CHECK(found != own.computation.reads.end(), "a region reads what was read: " + text);
      node.inputs.push_back(own.reads[static_cast<size_t>(found - own.computation.reads.begin())]);
    }
  }

  Graph& graph_;
  JoinedNodes& joined_;
  std::vector<int64_t> uses_;
  std::map<TensorId, size_t> made_by_;   // an elementwise node
  std::map<size_t, Elementwise> known_;  // by node
};

}  // namespace

Result<void> join_elementwise(Graph& graph, JoinedNodes& joined) {
  return ElementwiseNodes(graph, joined).join();
}

}  // namespace dovetail
