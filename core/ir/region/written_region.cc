// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/written_region.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/fail.h"
#include "core/ir/region/region_text.h"
#include "core/ir/region/written_operands.h"
#include "core/ir/value/walk.h"

namespace dovetail {
namespace {

using Shapes = std::map<std::string, std::vector<int64_t>, std::less<>>;

// StatementBuilder turns a written statement into a computation, by resolving axes and reads.
class StatementBuilder {
 public:
  StatementBuilder(WrittenStatement written, const RegionKeys& keys, const TypesOfTensors& types,
                   const Shapes& shapes)
      : written_(std::move(written)), keys_(keys), types_(types), shapes_(shapes) {}

  Result<Computation> build() {
    c_.reducer = written_.reducer;
    c_.gathers = written_.gathers;
    order_reads();
    TRY(add_axes());
    TRY(check_result());
    for (Access& access : c_.reads) TRY(add_tensor(access));
    TRY(check_outside());
    add_output();
    return std::move(c_);
  }

 private:
  // Orders the element's (and the gather indices') reads first. A read shared by element and result
  // is duplicated if it may be outside its tensor and the value outside differs between the two.
  void order_reads() {
    const size_t written = written_.reads.size();
    std::vector<int> in_element(written, -1), elsewhere(written, -1);
    const auto take = [&](const Value& value, bool is_element) {
      for_each_node(value, [&](const Value& node) {
        const auto* read = node.as<ReadOf>();
        if (read == nullptr) return;
        const auto at = static_cast<size_t>(read->position);
        const WrittenRead& own = written_.reads[at];
        const double otherwise = own.outside.value_or(usual_outside(c_.reducer, is_element));
        int& place = is_element ? in_element[at] : elsewhere[at];
        if (place >= 0) return;
        if (const int other = in_element[at]; other >= 0) place = other;
        if (place >= 0 &&
            (c_.reads[static_cast<size_t>(place)].outside == otherwise || !may_be_beyond(own)))
          return;
        place = static_cast<int>(c_.reads.size());
        c_.reads.push_back({own.tensor, own.indices, {}, otherwise});
      });
    };
    take(written_.element, true);
    for (const GatherIndex& index : written_.gathers) take(index.value, false);
    take(written_.result, false);
    const auto moved = [](const Value& value, const std::vector<int>& places) {
      return with_reads(value, [&](int p) { return ReadOf{places[static_cast<size_t>(p)]}; });
    };
    c_.element = moved(written_.element, in_element);
    c_.result = moved(written_.result, elsewhere);
    for (GatherIndex& index : c_.gathers) index.value = moved(index.value, elsewhere);
  }

  bool may_be_beyond(const WrittenRead& read) const {
    const std::vector<int64_t>& shape = shapes_.at(read.tensor);
    Ranges ranges = keys_.axes;
    for (const GatherIndex& index : written_.gathers) ranges[index.name] = {0, index.extent - 1};
    for (size_t j = 0; j < std::min(shape.size(), read.indices.size()); ++j) {
      const Range range = range_of(read.indices[j], ranges);
      if (range.min < 0 || range.max >= shape[j]) return true;
    }
    return false;
  }

  // Adds the axes that the value depends on.
  void collect(const Value& value, std::vector<std::string>& axes) const {
    for_each_index(value, c_.reads, [&](const IndexExpr& e) {
      for (const std::string& name : e.variables()) {
        const bool is_chosen =
            std::ranges::find(c_.gathers, name, &GatherIndex::name) != c_.gathers.end();
        if (!is_chosen && std::ranges::find(axes, name) == axes.end()) axes.push_back(name);
      }
    });
  }

  Result<void> add_axes() {
    for (const std::string& name : written_.axes) add_axis(name, false);
    std::vector<std::string> used;
    collect(c_.element, used);
    for (const GatherIndex& index : c_.gathers) collect(index.value, used);
    bool reduces = reduce_alike(used);
    for (const std::string& name : used) {
      if (is_output_axis(name)) continue;
      if (c_.reducer == Reducer::none)
        return fail(
            "{}: axis {} is no axis of it; expected it in {}[…], or one of "
            "sum, max, min and prod over it",
            written_.tensor, name, written_.tensor);
      add_axis(name, true);
      reduces = true;
    }
    if (c_.reducer != Reducer::none && !reduces)
      return fail("{}: nothing is reduced; expected an axis that {}[…] lacks", written_.tensor,
                  written_.tensor);
    if (c_.reducer != Reducer::none && c_.axes.size() == written_.axes.size()) finish_element();
    return {};
  }

  bool is_output_axis(const std::string& name) const {
    return std::ranges::find(written_.axes, name) != written_.axes.end();
  }

  // Along a reduced axis on which no index depends, k/9 for k < 9, all elements are equal: their
  // sum is one of them times their number. Returns true if there is such an axis.
  bool reduce_alike(const std::vector<std::string>& used) {
    std::set<std::string> alike(written_.mentioned.begin(), written_.mentioned.end());
    std::erase_if(alike, [&](const std::string& name) {
      return is_output_axis(name) || std::ranges::find(used, name) != used.end();
    });
    if (alike.empty() || c_.reducer == Reducer::none) return false;
    double count = 1;
    for (const std::string& name : alike) count *= static_cast<double>(keys_.axes.at(name).max + 1);
    const OperandTypes types(types_, written_.reads, written_.element);
    const ComputedType type = types.type_of(written_.element);
    const bool stays = type == ComputedType::integer && c_.reducer != Reducer::prod;
    if (type != ComputedType::real && !stays) c_.element = cast(ComputedType::real, c_.element);
    if (c_.reducer == Reducer::sum) c_.element = types.joined(BinaryOp::mul, c_.element, count);
    if (c_.reducer == Reducer::prod) c_.element = binary(BinaryOp::pow, c_.element, count);
    return true;
  }

  // No axis is left to reduce, so the result is computed from a single element.
  void finish_element() {
    c_.reducer = Reducer::none;
    c_.element = with_reads(c_.result, [](int position) { return ReadOf{position}; }, c_.element);
    c_.result = Reduced{};
  }

  void add_axis(const std::string& name, bool reduction) {
    c_.axes.push_back({name, keys_.axes.at(name).max + 1, reduction});
  }

  // Includes the axes of gather indices, whose data must be available when the sum is finished.
  void collect_with_chosen(const Value& value, std::vector<std::string>& axes) const {
    collect(value, axes);
    for_each_index(value, c_.reads, [&](const IndexExpr& e) {
      for (const GatherIndex& index : c_.gathers)
        if (e.mentions(index.name)) collect_with_chosen(index.value, axes);
    });
  }

  Result<void> check_result() const {
    std::vector<std::string> used;
    collect_with_chosen(c_.result, used);
    for (const std::string& name : used) {
      const auto axis = std::ranges::find(c_.axes, name, &Axis::name);
      if (axis != c_.axes.end() && !axis->reduction) continue;
      return fail("{}: axis {} is used where it is reduced already", written_.tensor, name);
    }
    return {};
  }

  Result<void> add_tensor(const Access& access) {
    if (access.tensor == written_.tensor)
      return fail("{} is computed from itself", written_.tensor);
    const std::vector<int64_t>& shape = shapes_.at(access.tensor);
    if (shape.size() != access.indices.size())
      return fail("{} has {} dimensions; found {} indices in {}", access.tensor, shape.size(),
                  access.indices.size(), written_.tensor);
    const auto known = std::ranges::find(c_.tensors, access.tensor, &Tensor::name);
    if (known != c_.tensors.end()) return {};
    Tensor tensor{access.tensor, {}, TensorRole::activation, ElementType::f32};
    if (keys_.constants.contains(access.tensor)) tensor.role = TensorRole::constant;
    if (const auto type = types_.find(access.tensor); type != types_.end())
      tensor.type = type->second;
    for (size_t j = 0; j < shape.size(); ++j)
      tensor.dims.push_back({dim_name(access.indices[j], j, tensor), shape[j]});
    c_.tensors.push_back(std::move(tensor));
    return {};
  }

  Result<void> check_outside() const {
    for (const Access& access : c_.reads) {
      const ElementType type = tensor_named(c_, access.tensor).type;
      const bool is_whole = access.outside == std::floor(access.outside);
      if (!is_whole && computed_type(type) != ComputedType::real)
        return fail("{} beyond {}, which is {}; expected a whole number", access.outside,
                    access.tensor, name_of(type));
    }
    return {};
  }

  std::string dim_name(const IndexExpr& index, size_t position, const Tensor& tensor) const {
    std::string name = dimension_name(index, position, c_.axes);
    const bool taken = std::ranges::find(tensor.dims, name, &LogicalDim::name) != tensor.dims.end();
    return taken ? fmt::format("_{}", position) : name;
  }

  void add_output() {
    Tensor tensor{written_.tensor, {}, TensorRole::output, ElementType::f32};
    c_.output.tensor = written_.tensor;
    for (const std::string& name : written_.axes) {
      tensor.dims.push_back({name, keys_.axes.at(name).max + 1});
      c_.output.indices.push_back(IndexExpr::variable(name));
    }
    tensor.type = types_.at(written_.tensor);
    c_.tensors.push_back(std::move(tensor));
  }

  WrittenStatement written_;
  const RegionKeys& keys_;
  const TypesOfTensors& types_;
  const Shapes& shapes_;
  Computation c_;
};

// A sum of products of two tensors is an operator in any spelling: T[…]=sum(A[…]*B[…]) is
// T[…]+=A[…]*B[…], whose second factor is a constant only if that is stated.
std::optional<Operator> as_operator(const Region& region) {
  if (region.computations.size() != 1) return std::nullopt;
  const Computation& c = region.computations.front().computation;
  if (c.reads.size() != 2 || c.reads[0].tensor == c.reads[1].tensor) return std::nullopt;
  std::string text = print(region);
  if (!looks_written(text)) return std::nullopt;
  const std::string constant = ",const=" + c.reads.back().tensor;
  if (text.ends_with(constant))
    text.resize(text.size() - constant.size());
  else
    text += ",b_const=0";
  Result<Operator> op = parse_operator(text);
  return op ? std::optional(*std::move(op)) : std::nullopt;
}

}  // namespace

WrittenRegion::WrittenRegion(RegionKeys keys) : keys_(std::move(keys)) {
  for (const auto& [name, key] : keys_.tensors)
    if (key.type) types_[name] = *key.type;
}

Result<void> WrittenRegion::add(WrittenStatement written) {
  for (const WrittenStatement& other : statements_) {
    if (other.tensor == written.tensor)
      return fail("{} is made twice; expected one statement", written.tensor);
    const bool read_before = std::ranges::any_of(
        other.reads, [&](const WrittenRead& r) { return r.tensor == written.tensor; });
    if (read_before)
      return fail("{} is read before it is made; expected its statement first", written.tensor);
  }
  const Value& value = written.reducer == Reducer::none ? written.element : written.result;
  const ComputedType type = OperandTypes(types_, written.reads, written.element).type_of(value);
  const auto stated = types_.find(written.tensor);
  if (stated == types_.end()) {
    types_[written.tensor] = widest_type(type);
  } else if (computed_type(stated->second) != type) {
    return fail("{} is {}, found a value of another kind; expected a cast", written.tensor,
                name_of(stated->second));
  }
  statements_.push_back(std::move(written));
  return {};
}

// A tensor that a statement produces has the shape of its axes; an input has the stated shape, or
// ends with the last element read.
Result<void> WrittenRegion::find_shapes() {
  for (const WrittenStatement& s : statements_) {
    std::vector<int64_t>& shape = shapes_[s.tensor];
    for (const std::string& axis : s.axes) shape.push_back(keys_.axes[axis].max + 1);
    if (const auto key = keys_.tensors.find(s.tensor);
        key != keys_.tensors.end() && key->second.shape)
      return fail("the shape of {} is that of its axes; expected none", s.tensor);
  }
  for (const auto& [name, key] : keys_.tensors)
    if (key.shape) shapes_[name] = *key.shape;
  for (const WrittenStatement& s : statements_) {
    Ranges ranges = keys_.axes;
    for (const GatherIndex& index : s.gathers) ranges[index.name] = {0, index.extent - 1};
    for (const WrittenRead& read : s.reads) TRY(widen(read, ranges));
  }
  for (const auto& [name, key] : keys_.tensors)
    if (!read_.contains(name) && !is_made(name))
      return fail("key {} names no axis and no tensor of the region", name);
  for (const std::string& name : keys_.constants)
    if (!read_.contains(name) || is_made(name))
      return fail("const={}: no tensor that the region is given", name);
  return {};
}

bool WrittenRegion::is_made(const std::string& name) const {
  return std::ranges::find(statements_, name, &WrittenStatement::tensor) != statements_.end();
}

Result<void> WrittenRegion::widen(const WrittenRead& read, const Ranges& ranges) {
  read_.insert(read.tensor);
  const auto key = keys_.tensors.find(read.tensor);
  const bool stated =
      is_made(read.tensor) || (key != keys_.tensors.end() && key->second.shape.has_value());
  std::vector<int64_t>& shape = shapes_[read.tensor];
  if (!stated && shape.empty()) shape.assign(read.indices.size(), 1);
  if (shape.size() != read.indices.size())
    return fail("{} has {} dimensions; found {} indices", read.tensor, shape.size(),
                read.indices.size());
  for (size_t j = 0; j < shape.size(); ++j) {
    const auto range = known_range(read.indices[j], ranges);
    if (!range || range->max > kMaxSpecNumber || range->min < -kMaxSpecNumber)
      return fail("index {} of {} exceeds {}", dovetail::print(read.indices[j]), read.tensor,
                  kMaxSpecNumber);
    if (!stated) shape[j] = std::max(shape[j], range->max + 1);
  }
  if (num_elements(shape) > kMaxTensorElements || num_elements(shape) < 1)
    return fail("{} has more than {} elements", read.tensor, kMaxTensorElements);
  return {};
}

Result<Region> WrittenRegion::region() && {
  TRY(find_shapes());
  Region region;
  double most = 0;
  for (const WrittenStatement& written : statements_) {
    Computation c = TRY(StatementBuilder(written, keys_, types_, shapes_).build());
    double points = 1;
    for (const Axis& axis : c.axes) points *= static_cast<double>(axis.extent);
    if (is_product_sum(c) && element_reads(c).size() == 2 && points > most) {
      most = points;
      region.anchor = written.tensor;
    }
    region.computations.push_back({written.tensor, std::move(c)});
    if (!read_.contains(written.tensor)) region.outputs.push_back(written.tensor);
  }
  const std::optional<Operator> op = as_operator(region);
  return op ? region_of(*op) : std::move(region);
}

}  // namespace dovetail
