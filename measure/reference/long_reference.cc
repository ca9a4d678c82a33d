// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/long_reference.h"

#include <fmt/format.h>

#include "core/base/cores.h"
#include "core/ir/region/region_text.h"
#include "core/ir/region/work.h"
#include "measure/reference/product_sums.h"

namespace dovetail {
namespace {

// On one core, by measurement.
constexpr double kProductsPerSecond = 4e9;
constexpr double kValuesPerSecond = 5e6;
constexpr double kLongSeconds = 3;

// Sums and their bounds; the other values with theirs.
double seconds_of(const Computation& c) {
  double elements = 1, products = 1;
  for (const Axis& axis : c.axes) {
    products *= static_cast<double>(axis.extent);
    if (!axis.reduction) elements *= static_cast<double>(axis.extent);
  }
  if (!contraction_of(c)) return products / kValuesPerSecond;
  return 2 * products / kProductsPerSecond + elements / kValuesPerSecond;
}

double seconds_on_a_core(const Region& region) {
  if (region.op) return nominal_flops(region) / kProductsPerSecond;
  double seconds = 0;
  for (const NamedComputation& named : region.computations)
    seconds += seconds_of(named.computation);
  return seconds;
}

}  // namespace

double reference_seconds(const Region& region, size_t cores) {
  return seconds_on_a_core(region) / static_cast<double>(cores);
}

std::optional<std::string> long_reference_note(const Region& region) {
  if (reference_seconds(region, allowed_cores().size()) < kLongSeconds) return {};
  return fmt::format("computing the reference of {} ({:.0f} GFLOP)", print(region),
                     nominal_flops(region) * 1e-9);
}

}  // namespace dovetail
