// SPDX-License-Identifier: Apache-2.0
//
// Space: the candidate traces of a task, as a list of parameters with finite ordered domains; a
// domain may depend on earlier choices.
//
//     register_tile.o   elements     16 32 48 64
//     register_tile.w   elements     1 2 4 7 8 14   (fewer when register_tile.o is larger)
//     …
//     point {register_tile.o=32, register_tile.w=7, …}  --decode-->  trace of primitives
//
// Why conditional domains: a walk that draws each parameter from its domain never has to be
// rejected, so sampling is cheap and a strategy's action a in (0, 1) always means a legal choice
// (the nearest index of the domain). Counting uses the declared dependencies, so 10^13 points are
// counted in milliseconds.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/region/task_spec.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "primitives/space/parameter_names.h"

namespace dovetail {

// Values chosen so far, by parameter position; with a value for every parameter it is a point of
// the space.
using Point = std::vector<int64_t>;

struct Condition {
  size_t parameter = 0;  // position in the space
  int64_t value = 0;
};

struct Parameter {
  ParameterKind kind = ParameterKind::algorithm;
  std::string tensor, axis;           // subject of the parameter; empty: none
  Decides decides = Decides::layout;  // decides(kind)
  // Position of the tensor among the sum's inputs; nullopt for the output and for tensors outside
  // the sum.
  std::optional<size_t> input = {};
  std::string algorithm = {};      // alternative that has the parameter; empty: the first, or all
  std::string name;                // register_tile.o, storage.X.h, scope.W, … (parameter_names.h)
  std::string meaning;             // one sentence with the unit
  std::vector<size_t> depends_on;  // earlier parameters that the domain reads
  std::function<std::vector<int64_t>(const Point& earlier)> domain;  // ordered, never empty
  std::vector<std::string> labels;  // names of values 0, 1, … of an enumeration, else empty
  // Active only where earlier parameters (the algorithm, the levels of a layout) have these values;
  // elsewhere the domain has one value.
  std::vector<Condition> only_with = {};
  // Percentage of samples that take the first value, "off", where there are others; 0: samples are
  // uniform.
  int off_percent = 0;
};
bool is_choice(const Parameter& parameter, const Point& point);
inline ParameterId id_of(const Parameter& p) { return {p.kind, p.tensor, p.axis}; }
// Whether `name` is the parameter's name or its older short name (parameter_names.h).
bool is_called(const Parameter& parameter, std::string_view name);

struct SpaceSize {
  double points = 0;
  bool exact = true;  // up to the rounding of a double
};

class Space {
 public:
  // `parts`: parameters of the spaces that were joined into this one; counting adds up their sizes.
  Space(TaskSpec spec, Target target, std::vector<Parameter> parameters,
        std::function<Trace(const Point&)> decode, Point default_point,
        std::vector<std::vector<Parameter>> parts = {});

  const TaskSpec& spec() const { return spec_; }
  const Target& target() const { return target_; }
  const std::vector<Parameter>& parameters() const { return parameters_; }
  // Number of points: exact where parameters fall into small independent groups (CPU), else Knuth's
  // estimate, the mean product of the domain sizes over 2,000 seeded walks.
  SpaceSize size() const;
  double count() const { return size().points; }
  // Draws each parameter from its domain, in order: uniformly, or mostly off (off_percent).
  Point sample(std::mt19937_64& rng) const;
  bool contains(const Point& point) const;
  Trace decode(const Point& point) const;  // CHECKs contains()
  // The default point follows a hand-written rule over the shape and the target. It is trial 1, the
  // sentinel, and the fallback of a replay without a record.
  const Point& default_point() const { return default_point_; }
  Trace default_trace() const { return decode(default_point_); }

 private:
  TaskSpec spec_;
  Target target_;
  std::vector<Parameter> parameters_;
  std::function<Trace(const Point&)> decode_;
  Point default_point_;
  std::vector<std::vector<Parameter>> parts_;
};

enum class FixedLayout : uint8_t;  // primitives/space/layouts/fixed_layout.h

// merged: adjacent row axes are one axis, and other rows of products and windows have cut tails;
// apart: every row axis is padded to whole tiles, as in spaces that were measured earlier
// (docs/decisions/0033).
enum class RowAxes : uint8_t { merged, apart };

// Algorithms of a space whose layout is fixed: the direct sum, or all that can keep the layout.
enum class InLayout : uint8_t { direct, any_algorithm };

// With a `layout` the space has loops only, or loops and algorithms. A region without a product has
// the space of memory_bound/memory_bound_space.h.
Result<Space> build_space(const TaskSpec& spec, const Target& target,
                          const std::optional<FixedLayout>& layout = std::nullopt,
                          RowAxes rows = RowAxes::merged, InLayout algorithms = InLayout::direct);

// One line per parameter: name, value and domain at the default point, meaning. The value is a dash
// where the parameter is inactive at the default point:
//
//   layout_levels.Y   1  of {1 2}  # levels of tiles in Y's layout
//   layout_block.Y.h  -  of {1 56} with layout_levels.Y=2  # tiles of h in a block of …
std::string print(const Space& space);
// Active parameters only: register_tile.o=32 register_tile.w=7 …
std::string print(const Space& space, const Point& point);

}  // namespace dovetail
