// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/ir/index/bounded_range.h"
#include "core/ir/interpreter/interpreter_code.h"
#include "core/ir/value/walk.h"

namespace dovetail::interpreter {
namespace {

constexpr int64_t kMaxRegisterElements = int64_t{1} << 28;

class Compiler {
 public:
  Compiler(const Program& program, const Kernel& kernel, BufferNumbers& numbers)
      : program_(program), numbers_(numbers) {
    code_.kernel = kernel.name;
  }

  Result<Code> compile(const Block& body) {
    code_.steps = TRY(block(body));
    return std::move(code_);
  }

 private:
  struct Tile {
    const ScopedTile* source;
    Registers* registers;
  };

  Unexpected failed(const std::string& message) const {
    return fail(fmt::format("kernel {}: {}", code_.kernel, message));
  }

  Result<std::vector<Step>> block(const Block& block) {
    std::vector<Step> steps;
    const size_t visible = tiles_.size();
    for (const Statement& statement : block) steps.push_back(TRY(this->statement(statement)));
    tiles_.resize(visible);
    return steps;
  }

  Result<Step> statement(const Statement& statement) {
    if (const auto* loop = std::get_if<Loop>(&statement.node)) return this->loop(*loop);
    if (const auto* tile = std::get_if<ScopedTile>(&statement.node)) return registers(*tile);
    if (std::holds_alternative<Barrier>(statement.node)) return barrier();
    return store(std::get<Store>(statement.node));
  }

  Result<Step> loop(const Loop& loop) {
    if (ranges_.contains(loop.variable))
      return failed(fmt::format("loop {} is inside another loop {}", loop.variable, loop.variable));
    if (loop.extent < 1)
      return failed(
          fmt::format("loop {} has extent {}, expected at least 1", loop.variable, loop.extent));
    if (loop.at && !loop.bounds.empty())
      return failed(
          fmt::format("loop {} is clipped, but a value names its only iteration", loop.variable));
    Step step;
    step.kind = StepKind::loop;
    step.gathers = loop.at.has_value();
    if (loop.at) step.value = TRY(value(*loop.at));
    step.slot = static_cast<int>(code_.variables.size());
    step.extent = loop.extent;
    code_.variables.push_back(loop.variable);
    slots_[loop.variable] = step.slot;
    ranges_[loop.variable] = {0, loop.extent - 1};
    step.bounds = TRY(bounds(loop.bounds));
    const size_t outside = bounds_.size();
    bounds_.insert(bounds_.end(), loop.bounds.begin(), loop.bounds.end());
    step.body = TRY(block(loop.body));
    bounds_.resize(outside);
    ranges_.erase(loop.variable);
    return fused(std::move(step));
  }

  Result<Step> registers(const ScopedTile& tile) {
    int64_t elements = 1;
    for (const int64_t extent : tile.extents) {
      if (extent < 1 || extent > kMaxRegisterElements / elements)
        return failed(fmt::format("tile {} has a bad extent {}", tile.name, extent));
      elements *= extent;
    }
    Registers& registers = code_.registers.emplace_back();
    registers.elements.resize(static_cast<size_t>(elements));
    registers.defined.resize(static_cast<size_t>(elements));
    tiles_.push_back({&tile, &registers});
    Step step;
    step.kind = StepKind::registers;
    step.registers = &registers;
    return step;
  }

  static Step barrier() {
    Step step;
    step.kind = StepKind::barrier;
    return step;
  }

  Result<Step> store(const Store& store) {
    Step step;
    step.kind = StepKind::store;
    step.target = TRY(place(store.target, store.indices));
    step.value = TRY(value(store.value));
    step.reducer = store.reducer;
    return step;
  }

  Result<Index> index(const IndexExpr& e) const {
    if (!known_range(e, ranges_)) {
      for (const std::string& name : e.variables())
        if (!ranges_.contains(name))
          return failed(
              fmt::format("index {} mentions {}, which is no loop around it", print(e), name));
      return failed(fmt::format("index {} exceeds 63 bits", print(e)));
    }
    return flattened(e);
  }

  Index flattened(const IndexExpr& e) const {
    Index result;
    result.constant = e.constant();
    for (const IndexTerm& term : e.terms()) {
      if (term.atom.kind == IndexAtom::Kind::variable) {
        result.terms.push_back({slots_.find(term.atom.variable)->second, term.coefficient});
      } else {
        result.divisions.push_back({term.coefficient, term.atom.divisor,
                                    term.atom.kind == IndexAtom::Kind::div,
                                    std::make_shared<const Index>(flattened(*term.atom.inner))});
      }
    }
    return result;
  }

  Result<std::vector<BoundCode>> bounds(const std::vector<Bound>& source) const {
    std::vector<BoundCode> result;
    for (const Bound& bound : source)
      result.push_back({TRY(index(bound.expr)), bound.lower, bound.upper});
    return result;
  }

  // Elements and extents of a name: the innermost tile of that name, or a buffer.
  Result<Place> resolve(const std::string& name) {
    Place place;
    place.name = name;
    const auto tile = std::find_if(tiles_.rbegin(), tiles_.rend(),
                                   [&](const Tile& t) { return t.source->name == name; });
    if (tile != tiles_.rend()) {
      place.elements = tile->registers->elements.data();
      place.defined = tile->registers->defined.data();
      place.extents = tile->source->extents;
      place.type = tile->source->type;
      return place;
    }
    const Buffer* buffer = find_buffer(program_, name);
    if (buffer == nullptr) return failed(fmt::format("{} is neither a buffer nor a tile", name));
    place.elements = numbers_.find(name)->second.data();
    place.type = buffer->dtype;
    place.extents = physical_extents(buffer->layout);
    return place;
  }

  Result<Place> place(const std::string& name, const std::vector<IndexExpr>& indices) {
    Place place = TRY(resolve(name));
    if (indices.size() != place.extents.size())
      return failed(fmt::format("{} has {} axes, found {} indices", name, place.extents.size(),
                                indices.size()));
    IndexExpr flat;
    place.proven = true;
    for (size_t d = 0; d < indices.size(); ++d) {
      place.indices.push_back(TRY(index(indices[d])));
      const std::optional<Range> range = bounded_range(indices[d], ranges_, bounds_);
      if (!range || range->min < 0 || range->max >= place.extents[d])
        place.proven = false;
      else if (place.proven)
        flat = flat * place.extents[d] + indices[d];
    }
    place.source = indices;
    std::map<std::string, int> variables;
    for (const IndexExpr& e : indices)
      for (const std::string& name : e.variables()) variables[name] = slots_.find(name)->second;
    place.variables.assign(variables.begin(), variables.end());
    place.proven = place.proven && known_range(flat, ranges_);
    if (place.proven) place.flat = flattened(flat);
    return place;
  }

  int add(ValueCode code) {
    code_.values.push_back(std::move(code));
    return static_cast<int>(code_.values.size()) - 1;
  }

  ComputedType type_of(const Value& value) const {
    return dovetail::type_of(value, [&](const Value& leaf) {
      const auto* load = leaf.as<Load>();
      if (load == nullptr) return ComputedType::real;
      const auto tile = std::find_if(tiles_.rbegin(), tiles_.rend(),
                                     [&](const Tile& t) { return t.source->name == load->buffer; });
      if (tile != tiles_.rend()) return computed_type(tile->source->type);
      const Buffer* buffer = find_buffer(program_, load->buffer);
      return buffer == nullptr ? ComputedType::real : computed_type(buffer->dtype);
    });
  }

  Result<int> value(const Value& value) {
    ValueCode code;
    code.type = type_of(value);
    if (const auto* constant = value.as<Constant>()) {
      code.constant = rounded(code.type, constant->value);
    } else if (const auto* load = value.as<Load>()) {
      code.kind = ValueKind::load;
      code.place = TRY(place(load->buffer, load->indices));
    } else if (const auto* at = value.as<IndexValue>()) {
      code.kind = ValueKind::index;
      code.index = TRY(index(at->index));
    } else if (const auto* s = value.as<Select>()) {
      return selection(*s, std::move(code));
    } else if (value.as<ReadOf>() != nullptr || value.as<Reduced>() != nullptr) {
      return failed(fmt::format("{} stands in a program, expected a load", print(value)));
    } else {
      return operation(value, std::move(code));
    }
    return add(std::move(code));
  }

  Result<int> operation(const Value& value, ValueCode code) {
    if (const auto* b = value.as<Binary>()) {
      code.kind = ValueKind::binary;
      code.op = static_cast<uint8_t>(b->op);
    } else if (const auto* u = value.as<Unary>()) {
      code.kind = ValueKind::unary;
      code.op = static_cast<uint8_t>(u->op);
    } else if (const auto* c = value.as<Cast>()) {
      code.kind = ValueKind::cast;
      code.cast = c->type;
    } else {
      code.kind = ValueKind::choose;
    }
    Result<void> failure;
    int* const operands[] = {&code.first, &code.second, &code.third};
    size_t next = 0;
    for_each_operand(value, [&](const Value& operand) {
      Result<int> number = failure ? this->value(operand) : Result<int>(-1);
      if (!number) failure = Unexpected(number.error());
      if (number) *operands[next++] = *number;
    });
    TRY(failure);
    return add(std::move(code));
  }

  Result<int> selection(const Select& s, ValueCode code) {
    code.kind = ValueKind::select;
    code.bounds = TRY(bounds(s.bounds));
    const size_t outside = bounds_.size();
    bounds_.insert(bounds_.end(), s.bounds.begin(), s.bounds.end());
    code.first = TRY(value(s.then));
    bounds_.resize(outside);
    code.second = TRY(value(s.otherwise));
    return add(std::move(code));
  }

  // Coefficient of a loop's variable when the flat index is linear in it.
  static std::optional<int64_t> stride(const Place& place, int slot) {
    if (!place.proven || place.type != ElementType::f32 || !place.flat.divisions.empty())
      return std::nullopt;
    for (const Index::Term& term : place.flat.terms)
      if (term.slot == slot) return term.coefficient;
    return 0;
  }

  // for v: target += a * b   becomes one step when a and b are elements of buffers.
  Step fused(Step loop) const {
    if (loop.body.size() != 1 || loop.body[0].kind != StepKind::store || !loop.bounds.empty() ||
        loop.gathers)
      return loop;
    const Step& store = loop.body[0];
    const ValueCode& product = code_.values[static_cast<size_t>(store.value)];
    if (store.reducer != Reducer::sum || product.kind != ValueKind::binary ||
        product.op != static_cast<uint8_t>(BinaryOp::mul))
      return loop;
    const ValueCode& a = code_.values[static_cast<size_t>(product.first)];
    const ValueCode& b = code_.values[static_cast<size_t>(product.second)];
    if (a.kind != ValueKind::load || b.kind != ValueKind::load || a.place.defined != nullptr ||
        b.place.defined != nullptr)
      return loop;
    const auto target_stride = stride(store.target, loop.slot);
    const auto first_stride = stride(a.place, loop.slot);
    const auto second_stride = stride(b.place, loop.slot);
    if (!target_stride || !first_stride || !second_stride) return loop;
    Step step = loop.body[0];
    step.kind = StepKind::multiply_add_loop;
    step.slot = loop.slot;
    step.extent = loop.extent;
    step.target_stride = *target_stride;
    step.first_stride = *first_stride;
    step.second_stride = *second_stride;
    return step;
  }

  const Program& program_;
  BufferNumbers& numbers_;
  Code code_;
  std::vector<Tile> tiles_;
  Ranges ranges_;
  std::vector<Bound> bounds_;  // that hold for the value at hand
  std::map<std::string, int, std::less<>> slots_;
};

}  // namespace

Result<Code> compile(const Program& program, const Kernel& kernel, BufferNumbers& numbers) {
  return Compiler(program, kernel, numbers).compile(kernel.body);
}

}  // namespace dovetail::interpreter
