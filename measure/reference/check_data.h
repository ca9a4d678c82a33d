// SPDX-License-Identifier: Apache-2.0
#pragma once

// CheckData: what a region's candidates compute on, and what must come out.
//
//   const auto data = CheckData::make(region, DataKind::small_integers, seed);   // once a task
//   data->inputs.at("X")       in logical order, of X's type
//   data->expected.at("Y")     the very numbers, or numbers with what they may be off
//
// An operator is computed by plain loops over its fields (measure/reference/reference.h), a written
// region by evaluating it as it stands (measure/reference/region_reference.h): neither knows
// anything of how programs are made. Small integers make an operator's sums exact; where something
// rounds all the same (f16, exp, tanh), and for written regions, numbers are real.

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "core/ir/region/region.h"
#include "measure/reference/operands.h"
#include "measure/reference/reference.h"
#include "measure/reference/region_numbers.h"
#include "measure/reference/region_reference.h"

namespace dovetail {

// The elements of one tensor, in logical order: exact, or with a tolerance.
using Expected = std::variant<Array, Reference>;
const Array& values_of(const Expected& expected);
using ExpectedOutputs = std::map<std::string, Expected, std::less<>>;

// One seed gives the same inputs on every machine. Real operands of an operator keep its sums
// around 1.
RegionInputs make_inputs(const Region& region, DataKind kind, uint64_t seed);

// It computes what any inputs give, with a tolerance.
ExpectedOutputs expected_outputs(const Region& region, const RegionViews& inputs,
                                 const SumBound& sums = {});

// Their numbers alone, by tensor.
std::map<std::string, Array, std::less<>> expected_numbers(const Region& region,
                                                           const RegionViews& inputs);

// The inputs of an operator as its reference and its peers take them; they stay where they are.
OperandViews operands_of(const RegionViews& inputs);

// Operands of a task's own, where they are known: a network's constants and activations, by the
// region's names.
using OwnInputs = std::function<std::optional<RegionInputs>(const Region&)>;

// The data that a region is checked on where `wanted` is asked for: small integers where they give
// exact results, else real numbers.
DataKind data_kind_of(const Region& region, DataKind wanted);

struct CheckData {
  Region region;
  RegionInputs inputs;
  ExpectedOutputs expected;
  // Of real numbers: what an algorithm that rounds otherwise may be off by.
  std::optional<RegionNumbers> numbers = {};

  // The inputs are those of data_kind_of(region, kind), or a task's own where they are to be real.
  static std::shared_ptr<const CheckData> make(const Region& region, DataKind kind, uint64_t seed,
                                               const OwnInputs& own = {});
};

// CheckDataCache: operands and references of the regions that were measured last, each computed
// once.
//
//   MeasureOptions options;
//   options.check_data = std::make_shared<CheckDataCache>();   // runners made with it share it
//
// References cost a second for a large region, and a campaign whose tasks take turns (`tune
// --schedule gradient`) comes back to every one of them: those of a whole network are some hundred
// megabytes. So what is kept is bounded by its bytes: what was not asked for for the longest time
// goes first, and what was asked for last stays, whatever its size. May be asked from any thread:
// one that wants what another one computes waits for it.

// The bytes of operands and of what is expected.
uint64_t bytes_of(const CheckData& data);

class CheckDataCache {
 public:
  // 1 GiB, or an eighth of the machine's memory where that is less.
  static uint64_t default_bytes();

  explicit CheckDataCache(uint64_t most_bytes = default_bytes(), OwnInputs own = {})
      : own_(std::move(own)), most_bytes_(most_bytes) {}

  std::shared_ptr<const CheckData> get(const Region& region, DataKind kind, uint64_t seed);
  uint64_t bytes() const;  // of what is kept

 private:
  using Key = std::tuple<std::string, DataKind, uint64_t>;
  struct Entry {
    Key key;
    std::shared_ptr<const CheckData> data;
  };

  const OwnInputs own_;
  const uint64_t most_bytes_;
  mutable std::mutex mutex_;  // of what follows
  std::list<Entry> entries_;  // asked for last at the end
  uint64_t bytes_ = 0;
};

}  // namespace dovetail
