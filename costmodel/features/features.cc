// SPDX-License-Identifier: Apache-2.0
#include "costmodel/features/features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "costmodel/features/cost_estimate.h"

namespace dovetail {
namespace {

constexpr int kLevels = 6;

// Collects feature values and, if asked, their names in one walk, so that the two cannot differ.
class FeatureWriter {
 public:
  explicit FeatureWriter(std::vector<std::string>* names = nullptr) : names_(names) {}

  // The features that follow, until the next call, are named `group.…`.
  void begin(std::string_view group) { group_ = group; }
  void begin_level(int level) {
    level_name_ = "level" + std::to_string(level);
    group_ = level_name_;
  }
  void put(std::string_view name, double value) {
    if (names_ != nullptr) names_->push_back(std::string(group_) + "." + std::string(name));
    values_.push_back(std::isfinite(value) ? static_cast<float>(value) : 0);
  }
  void put_size(std::string_view name, double value) {
    put(name, std::copysign(std::log2(1 + std::abs(value)), value));
  }
  FeatureVector take() { return std::move(values_); }

 private:
  std::vector<std::string>* names_;
  std::string level_name_;
  std::string_view group_;
  FeatureVector values_;
};

// The program with its analyses, from which all groups of features are computed.
struct Subject {
  const Program& program;
  const Target& target;
  ProgramFacts facts;
  std::vector<BodyWork> bodies = {};
  CostEstimate cost = {};
  Spread spread = {};
  double multiply_adds = 0;  // whole program, at least 1
  int heaviest = -1;
  BodyWork body = {};  // heaviest statement
  // Loops around the heaviest statement's body, innermost first; loops of one iteration left out.
  std::vector<int> real_loops = {};
  double private_bytes = 0, local_bytes = 0, register_elements = 0;  // tiles: sums; the largest

  const StatementFacts* statement() const {
    return heaviest < 0 ? nullptr : &facts.statements[static_cast<size_t>(heaviest)];
  }
};

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

Subject subject_of(const Program& program, const Target& target) {
  Subject subject{.program = program, .target = target, .facts = facts_of(program)};
  subject.bodies = bodies_of(subject.facts, target);
  subject.cost = estimate_cost(subject.facts, subject.bodies, target);
  subject.spread = spread_of(subject.facts, target);
  for (const StatementFacts& statement : subject.facts.statements)
    subject.multiply_adds += statement.executions * statement.multiply_adds;
  subject.multiply_adds = std::max(1.0, subject.multiply_adds);
  for (const StorageFacts& storage : subject.facts.storages) {
    const double bytes = storage.elements * storage.element_bytes;
    if (storage.kind == StorageKind::private_) subject.private_bytes += bytes;
    if (storage.kind == StorageKind::local) subject.local_bytes += bytes;
    if (storage.kind == StorageKind::registers)
      subject.register_elements = std::max(subject.register_elements, storage.elements);
  }
  subject.heaviest = heaviest_statement(subject.facts);
  if (subject.heaviest < 0) return subject;
  subject.body = subject.bodies[static_cast<size_t>(subject.heaviest)];
  const StatementFacts& statement = *subject.statement();
  for (size_t i = body_begin(subject.facts, statement); i-- > 0;) {
    const int id = statement.loops[i];
    if (subject.facts.loop(id).loop->extent > 1) subject.real_loops.push_back(id);
  }
  return subject;
}

void put_program(const Subject& subject, FeatureWriter& out) {
  double operations = 0, temporary_bytes = 0, temporaries = 0, extra = 0;
  for (const StatementFacts& statement : subject.facts.statements) {
    operations += statement.executions * statement.operations;
    if (statement.multiply_adds == 0) extra += statement.executions;
  }
  for (const Buffer& buffer : subject.program.buffers) {
    if (buffer.role != BufferRole::temporary) continue;
    temporaries += 1;
    temporary_bytes += static_cast<double>(buffer_bytes(buffer));
  }
  out.begin("program");
  out.put_size("multiply_adds", subject.multiply_adds);
  out.put("operations_per_multiply_add", operations / subject.multiply_adds);
  out.put("copies_per_multiply_add", extra / subject.multiply_adds);
  out.put_size("touched_bytes", subject.facts.touched_bytes);
  out.put_size("multiply_adds_per_byte", ratio(subject.multiply_adds, subject.facts.touched_bytes));
  out.put("kernels", subject.facts.kernels);
  out.put("statements", static_cast<double>(subject.facts.statements.size()));
  out.put("temporaries", temporaries);
  out.put_size("temporary_bytes", temporary_bytes);
  out.put("temporary_share", ratio(temporary_bytes, subject.facts.touched_bytes));
  double code = 0;
  for (const BodyWork& body : subject.bodies) code += body.unrolled * body.vectors;
  out.put_size("code_vectors", code);
  out.put_size("barriers", subject.facts.barriers);
}

struct Expansion {
  double stored = 0, logical = 0, largest = 1;
  void add(const Buffer& buffer) {
    const auto own = static_cast<double>(storage_elements(buffer.layout));
    const auto needed = static_cast<double>(logical_elements(buffer.layout));
    stored += own;
    logical += needed;
    largest = std::max(largest, ratio(own, needed));
  }
  double mean() const { return logical > 0 ? stored / logical : 1; }
};

void put_layouts(const Subject& subject, FeatureWriter& out) {
  Expansion activations, constants;
  double textures = 0, arrays = 0;
  for (const Buffer& buffer : subject.program.buffers) {
    const bool constant =
        buffer.role == BufferRole::constant || buffer.role == BufferRole::prepared;
    (constant ? constants : activations).add(buffer);
    if (is_texture(buffer.layout.scope)) textures += 1;
    if (buffer.layout.scope >= MemoryScope::texture_array &&
        buffer.layout.scope <= MemoryScope::texture_nhwc_array)
      arrays += 1;
  }
  out.begin("layout");
  out.put("activation_expansion", activations.mean());
  out.put("largest_activation_expansion", activations.largest);
  out.put("constant_expansion", constants.mean());
  out.put("textures", textures);
  out.put("texture_arrays", arrays);
  out.put_size("private_bytes", subject.private_bytes);
  out.put_size("local_bytes", subject.local_bytes);
  out.put_size("register_tile_elements", subject.register_elements);
}

void put_body(const Subject& subject, FeatureWriter& out) {
  const BodyWork& body = subject.body;
  const double all = std::max(1.0, body.multiply_adds);
  out.begin("body");
  out.put("lanes", body.lanes);
  out.put("lane_fill", ratio(body.lanes, body.vectors * std::max(1, vector_lanes(subject.target))));
  out.put_size("unrolled", body.unrolled);
  out.put_size("multiply_adds", body.multiply_adds);
  out.put("steps", ratio(body.multiply_adds, body.accumulators));
  out.put("accumulators", body.accumulators);
  out.put("register_tile", body.register_tile);
  out.put("live_registers", body.live_registers);
  out.put("register_pressure",
          ratio(body.live_registers, std::max(1, subject.target.vector_registers)));
  out.put("spills", body.spills / all);
  out.put("broadcasts", body.broadcasts / all);
  out.put("vector_loads", body.vector_loads / all);
  out.put("gathers", body.gathers / all);
  out.put("hoisted", body.hoisted / all);
  out.put("stores", body.stores / all);
  out.put("scatters", body.scatters / all);
  out.put("guards", body.guards / all);
  out.put_size("inner_iterations", body.inner_iterations);
  out.put("share", ratio(body.executions * body.multiply_adds * body.lanes / body.vectors,
                         subject.multiply_adds));
}

double stride_of(const StatementFacts& statement, const AccessFacts& access, int loop) {
  const auto at = std::ranges::find(statement.loops, loop) - statement.loops.begin();
  return at < std::ssize(access.strides) ? access.strides[static_cast<size_t>(at)] : 0;
}

// The statement's outermost loop for which `is_such` holds; -1: none.
template <typename Predicate>
int loop_that(const Subject& subject, const StatementFacts& statement, const Predicate& is_such) {
  const auto at = std::ranges::find_if(
      statement.loops, [&](int id) { return is_such(*subject.facts.loop(id).loop); });
  return at == statement.loops.end() ? -1 : *at;
}

bool has_lanes(const Loop& loop) { return loop.kind == LoopKind::vectorized && loop.extent > 1; }

bool is_first_thread(const Loop& loop) {
  return loop.kind == LoopKind::bound && loop.thread == ThreadAxis::thread_0;
}

// Writes the features of one operand of the heaviest statement; null: there is no such operand.
void put_operand(const Subject& subject, const AccessFacts* access, std::string_view name,
                 FeatureWriter& out) {
  double lane = 0, thread = 0, inner = 0, second = 0, pages = 0;
  double reuse_distance = 0, reuse_count = 0, touched = 0, reuses = 0, kind = 0;
  if (access != nullptr) {
    const StatementFacts& statement = *subject.statement();
    const auto along = [&](int loop) { return stride_of(statement, *access, loop); };
    lane = along(loop_that(subject, statement, has_lanes));
    thread = along(loop_that(subject, statement, is_first_thread));
    if (!subject.real_loops.empty()) inner = along(subject.real_loops[0]);
    if (subject.real_loops.size() > 1) second = along(subject.real_loops[1]);
    const StorageFacts& storage = subject.facts.storage(access->storage);
    kind = static_cast<double>(storage.kind);
    touched = storage.touched_bytes;
    reuses = ratio(statement.executions * access->region.element_bytes, touched);
    for (const int id : subject.real_loops) {
      pages = std::max(pages, std::abs(along(id)) * access->region.element_bytes);
      if (reuse_count != 0 || along(id) != 0) continue;
      const LoopFacts& loop = subject.facts.loop(id);
      reuse_distance = loop.body_bytes;
      reuse_count = loop.iterations;
    }
  }
  out.begin(name);
  out.put("storage", kind);
  out.put_size("lane_stride", lane);
  out.put_size("thread_stride", thread);
  out.put_size("inner_stride", inner);
  out.put_size("second_stride", second);
  out.put_size("largest_stride_bytes", pages);
  out.put_size("reuse_distance_bytes", reuse_distance);
  out.put_size("reuse_count", reuse_count);
  out.put_size("touched_bytes", touched);
  out.put_size("reuses", reuses);
}

void put_operands(const Subject& subject, FeatureWriter& out) {
  const StatementFacts* statement = subject.statement();
  const AccessFacts* operands[] = {nullptr, nullptr, nullptr};
  if (statement != nullptr) {
    for (size_t i = 0; i < 2 && i < statement->loads.size(); ++i)
      operands[i] = &statement->loads[i];
    operands[2] = &statement->target;
  }
  put_operand(subject, operands[0], "a", out);
  put_operand(subject, operands[1], "b", out);
  put_operand(subject, operands[2], "out", out);
}

void put_levels(const Subject& subject, FeatureWriter& out) {
  const Target& target = subject.target;
  const LoopFacts whole{.body_bytes = subject.facts.touched_bytes,
                        .total_bytes = subject.facts.touched_bytes};
  for (int level = 0; level < kLevels; ++level) {
    const auto at = static_cast<size_t>(level);
    const LoopFacts& loop =
        at < subject.real_loops.size() ? subject.facts.loop(subject.real_loops[at]) : whole;
    out.begin_level(level + 1);
    out.put_size("iterations", loop.iterations);
    out.put_size("body_bytes", loop.body_bytes);
    out.put_size("body_over_l1", ratio(loop.body_bytes, static_cast<double>(target.l1_bytes)));
    out.put_size("body_over_l2", ratio(loop.body_bytes, static_cast<double>(target.l2_bytes)));
    out.put_size("total_bytes", loop.total_bytes);
  }
}

void put_traffic(const Subject& subject, FeatureWriter& out) {
  const CostEstimate& cost = subject.cost;
  out.begin("traffic");
  out.put("l1_bytes_per_multiply_add", cost.l1_bytes / subject.multiply_adds);
  out.put("l2_bytes_per_multiply_add", cost.l2_bytes / subject.multiply_adds);
  out.put("l3_bytes_per_multiply_add", cost.l3_bytes / subject.multiply_adds);
  out.put_size("l1_bytes", cost.l1_bytes);
  out.put_size("l2_bytes", cost.l2_bytes);
  out.put_size("l3_bytes", cost.l3_bytes);
}

void put_spread(const Subject& subject, FeatureWriter& out) {
  const Spread& spread = subject.spread;
  out.begin("spread");
  out.put_size("groups", spread.groups);
  out.put_size("threads", spread.threads);
  out.put("units", spread.units);
  out.put("groups_per_unit", ratio(spread.groups, spread.units));
  out.put("efficiency", spread.efficiency);
  out.put("local_share",
          ratio(subject.local_bytes, static_cast<double>(subject.target.local_memory_bytes)));
  out.put_size("group_registers", subject.register_elements * spread.threads);
  out.put("group_share",
          ratio(spread.threads, static_cast<double>(subject.target.max_work_group_size)));
}

void put_estimate(const Subject& subject, FeatureWriter& out) {
  const CostEstimate& cost = subject.cost;
  const double ideal =
      subject.multiply_adds / 2 / std::max(1, vector_lanes(subject.target));  // cycles
  const auto put = [&](std::string_view name, double cycles) { out.put(name, cycles / ideal); };
  out.begin("estimate");
  put("arithmetic", cost.arithmetic);
  put("loads", cost.loads);
  put("stores", cost.stores);
  put("chain", cost.chain);
  put("branches", cost.branches);
  put("compute", cost.compute);
  put("l1", cost.l1);
  put("l2", cost.l2);
  put("l3", cost.l3);
  const double largest = std::max({cost.compute, cost.l1, cost.l2, cost.l3});
  out.put("efficiency", ratio(ideal, largest));
  out.put_size("nanoseconds", cost.seconds * 1e9);
}

// Work estimate from tensor sizes: the same for all candidates of a task, and near its
// multiply-adds: for a matrix product, sqrt(m·k · k·n · m·n) is exactly m·n·k. Ratios to it show
// extra work of a candidate (partial tiles, borders) and saved work (Winograd).
double size_of_task(const Program& program) {
  double output = 1, inputs[2] = {1, 1};  // the two largest
  for (const Buffer& buffer : program.buffers) {
    const auto elements = static_cast<double>(logical_elements(buffer.layout));
    if (buffer.role == BufferRole::output) output = elements;
    if (!is_input(buffer.role)) continue;
    if (elements > inputs[0])
      inputs[1] = std::exchange(inputs[0], elements);
    else
      inputs[1] = std::max(inputs[1], elements);
  }
  return std::max(1.0, std::sqrt(output * inputs[0] * inputs[1]));
}

void put_waste(const Subject& subject, FeatureWriter& out) {
  const double size = size_of_task(subject.program);
  out.begin("task");
  out.put_size("multiply_adds_per_size", subject.multiply_adds / size);
  out.put_size("picoseconds_per_size", subject.cost.seconds * 1e12 / size);
}

FeatureVector extract(const Program& program, const Target& target,
                      std::vector<std::string>* names) {
  const Subject subject = subject_of(program, target);
  FeatureWriter out(names);
  put_program(subject, out);
  put_layouts(subject, out);
  put_body(subject, out);
  put_operands(subject, out);
  put_levels(subject, out);
  put_traffic(subject, out);
  put_spread(subject, out);
  put_estimate(subject, out);
  put_waste(subject, out);
  return out.take();
}

}  // namespace

FeatureVector extract_features(const Program& program, const Target& target) {
  return extract(program, target, nullptr);
}

std::span<const std::string> feature_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    extract(Program{}, Target{}, &names);
    return names;
  }();
  return kNames;
}

std::string print_features(const FeatureVector& features) {
  std::string text;
  const std::span<const std::string> names = feature_names();
  for (size_t i = 0; i < features.size(); ++i)
    text += fmt::format("{} = {:.6g}\n", names[i], features[i]);
  return text;
}

}  // namespace dovetail
