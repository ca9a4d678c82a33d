// SPDX-License-Identifier: Apache-2.0
//
// Space: all traces of a task, as a list of parameters with finite ordered domains; a domain may
// depend on earlier choices.
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

// A Point has the values chosen so far, by parameter position; with all values it is a point of the
// space.
using Point = std::vector<int64_t>;

struct Condition {
  size_t parameter = 0;  // its position
  int64_t value = 0;
};

struct Parameter {
  ParameterKind kind = ParameterKind::algorithm;
  std::string tensor, axis;           // that it is about; empty: none
  Decides decides = Decides::layout;  // as its kind does
  // The tensor has this position among the sum's inputs; nothing: it is the output, or no tensor of
  // the sum.
  std::optional<size_t> input = {};
  std::string algorithm = {};      // of which it is a parameter; empty: of the direct sum, of all
  std::string name;                // register_tile.o, storage.X.h, scope.W, … (parameter_names.h)
  std::string meaning;             // one sentence with the unit
  std::vector<size_t> depends_on;  // earlier parameters that the domain reads
  std::function<std::vector<int64_t>(const Point& earlier)> domain;  // ordered, never empty
  std::vector<std::string> labels;  // names of values 0, 1, … where they are choices, else empty
  // It is a choice only where earlier parameters (the algorithm, the levels of a layout) have these
  // values; elsewhere its domain has one value.
  std::vector<Condition> only_with = {};
  // So many of 100 samples take the first value, "off", where there are others; 0: all values are
  // alike.
  int off_percent = 0;
};
bool is_choice(const Parameter& parameter, const Point& point);
inline ParameterId id_of(const Parameter& p) { return {p.kind, p.tensor, p.axis}; }
// A parameter is called by its name, or by the short one of before (parameter_names.h).
bool is_called(const Parameter& parameter, std::string_view name);

struct SpaceSize {
  double points = 0;
  bool exact = true;  // up to the rounding of a double
};

class Space {
 public:
  // `parts`: the parameters of spaces that were joined into this one, for counting.
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
  // It draws each parameter from its domain, in order: uniformly, or mostly off (off_percent).
  Point sample(std::mt19937_64& rng) const;
  bool contains(const Point& point) const;
  Trace decode(const Point& point) const;  // CHECKs contains()
  // The default follows a stated hand rule (from facts of the shape and the target only): it is
  // trial 1, the sentinel, and what a replay miss gets.
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

// Rows that lie together are one axis, and those of products and of windows end where they end; or
// each is its own, padded to whole tiles, as in spaces that were measured before
// (docs/decisions/0033).
enum class RowAxes : uint8_t { merged, apart };

// With a `layout` the space has loops only. A written region that is no sum of products has the one
// point of plain loops.
Result<Space> build_space(const TaskSpec& spec, const Target& target,
                          const std::optional<FixedLayout>& layout = std::nullopt,
                          RowAxes rows = RowAxes::merged);

// Each parameter has a line: name, value and domain at the default point, meaning. Where it is a
// choice only with values of others that the default lacks, its value is a dash:
//
//   layout_levels.Y   1  of {1 2}  # levels of tiles in Y's layout
//   layout_block.Y.h  -  of {1 56} with layout_levels.Y=2  # tiles of h in a block of …
std::string print(const Space& space);
// The text has choices only: register_tile.o=32 register_tile.w=7 …
std::string print(const Space& space, const Point& point);
// The text may have long or short names.
Result<Point> parse_point(const Space& space, std::string_view text);

}  // namespace dovetail
