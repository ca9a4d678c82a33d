// SPDX-License-Identifier: Apache-2.0
#pragma once

// CheckData: the inputs of a region's candidates, and the expected outputs.
//
//   const auto data = CheckData::make(region, DataKind::small_integers, seed);   // once a task
//   data->inputs.at("X")       in logical order, of X's type
//   data->expected.at("Y")     the very numbers, or numbers with what they may be off
//
// An operator is computed by plain loops over its fields (measure/reference/reference.h), a written
// region by evaluating its text (measure/reference/region_reference.h): neither depends on how
// programs are made. Small integers make an operator's sums exact; where something rounds all the
// same (f16, exp, tanh), and for written regions, numbers are real.

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
#include "core/ir/value/named_arrays.h"
#include "measure/reference/operands.h"
#include "measure/reference/reference.h"
#include "measure/reference/region_numbers.h"
#include "measure/reference/region_reference.h"

namespace dovetail {

// The elements of one tensor, in logical order: exact, or with a tolerance.
using Expected = std::variant<NDArray, Reference>;
const NDArray& values_of(const Expected& expected);
using ExpectedOutputs = std::map<std::string, Expected, std::less<>>;

// Deterministic: one seed gives the same inputs on every machine. Real operands of an operator keep
// its sums around 1.
NamedArrays make_inputs(const Region& region, DataKind kind, uint64_t seed);

// The outputs for any inputs, with tolerances.
ExpectedOutputs expected_outputs(const Region& region, const NamedArrays& inputs,
                                 const SumBound& sums = {});

// The same without tolerances.
NamedArrays expected_numbers(const Region& region, const NamedArrays& inputs);

// An operator's inputs as its reference and peers take them.
Operands operands_of(const NamedArrays& inputs);

// A task's actual operands, if known: a network's constants and activations, by the region's names.
using OwnInputs = std::function<std::optional<NamedArrays>(const Region&)>;

// The data to check a region on if `wanted` is requested: small integers only where they give exact
// results, otherwise real numbers.
DataKind data_kind_of(const Region& region, DataKind wanted);

struct CheckData {
  Region region;
  NamedArrays inputs;
  ExpectedOutputs expected;
  // With real numbers: sizes for the error bound of algorithms with other rounding.
  std::optional<RegionNumbers> numbers = {};

  // Inputs are of data_kind_of(region, kind); real ones are the task's `own`, if known.
  static std::shared_ptr<const CheckData> make(const Region& region, DataKind kind, uint64_t seed,
                                               const NamedArrays* own = nullptr);
};

// CheckDataCache: operands and references of the regions that were measured last, each computed
// once.
//
//   CheckDataCache cache;
//   cache.get(region, DataKind::real, seed)->inputs
//
// References cost a second for a large region, and a campaign with interleaved tasks (`tune
// --schedule gradient`) returns to all of them: those of a whole network are some hundred
// megabytes. So the cache is bounded in bytes: the least recently used entry goes first, and the
// last one stays, whatever its size. Thread-safe: a thread that needs data which another one
// computes waits for it.

// Bytes of operands and expected outputs.
uint64_t bytes_of(const CheckData& data);

class CheckDataCache {
 public:
  // 1 GiB, or an eighth of the machine's memory where that is less.
  static uint64_t default_bytes();

  explicit CheckDataCache(uint64_t most_bytes = default_bytes()) : most_bytes_(most_bytes) {}

  // `own`: as for make(); always the same for one region.
  std::shared_ptr<const CheckData> get(const Region& region, DataKind kind, uint64_t seed,
                                       const NamedArrays* own = nullptr);
  uint64_t bytes() const;  // total of all entries

 private:
  using Key = std::tuple<std::string, DataKind, uint64_t>;
  struct Entry {
    Key key;
    std::shared_ptr<const CheckData> data;
  };

  const uint64_t most_bytes_;
  mutable std::mutex mutex_;  // guards all below
  std::list<Entry> entries_;  // most recently used at the end
  uint64_t bytes_ = 0;
};

}  // namespace dovetail
