// SPDX-License-Identifier: Apache-2.0
#include "tests/primitives/lowered.h"

#include <cmath>
#include <limits>

#include "core/ir/layout/pack.h"
#include "core/ir/program/buffer_values.h"
#include "measure/check/output_check.h"
#include "measure/reference/check_data.h"
#include "measure/reference/reference.h"
#include "primitives/apply.h"
#include "primitives/layout/apply_layout.h"
#include "primitives/loop/apply_loop.h"
#include "primitives/lowering/lower.h"
#include "tests/support/interpreter.h"
#include "tests/support/right.h"
#include "tests/support/schedule_text.h"

namespace dovetail::testing {
namespace {

Trace trace_of(const std::string& text) { return right(parse_trace(text), text); }

}  // namespace

Target cpu(int lanes, int registers) {
  Target target;
  target.vector_bytes = 4 * lanes;
  target.vector_registers = registers;
  return target;
}

Operator operator_of(std::string_view spec) { return right(parse_operator(spec), spec); }

Layout layout_of(std::string_view shape) {
  std::vector<LogicalDim> dims;
  size_t at = shape.find('[') + 1;
  while (at < shape.size()) {
    const size_t equals = shape.find('=', at), end = shape.find_first_of(",]", at);
    dims.push_back({std::string(shape.substr(at, equals - at)),
                    std::stoll(std::string(shape.substr(equals + 1, end - equals - 1)))});
    at = end + (shape[end] == ',' ? 2 : 1);
  }
  return identity_layout(std::move(dims));
}

std::vector<LayoutPrimitive> layout_primitives(const std::string& text) {
  return trace_of("layout X: " + text + "\n").layouts[0].primitives;
}

std::vector<LoopPrimitive> loop_primitives(const std::string& text) {
  return trace_of("loops: " + text + "\n").loops[0].primitives;
}

Stage stage_of(std::string_view spec, std::string_view layouts) {
  const Schedule schedule =
      right(apply(trace_of(std::string(layouts)), operator_of(spec), cpu()), layouts);
  return schedule.stages.back();
}

Space space_of(std::string_view spec, const Target& target) {
  return right(build_space(operator_of(spec), target), spec);
}

Result<Layout> applied(const std::string& primitives, const Layout& layout) {
  const Trace trace = trace_of("layout X: " + primitives + "\n");
  EXPECT_TRUE(survives_printing(trace));
  return apply_all(trace.layouts[0], layout);
}

Result<Stage> applied_loops(const std::string& primitives, const Stage& stage) {
  const Trace trace = trace_of("loops: " + primitives + "\n");
  EXPECT_TRUE(survives_printing(trace));
  return apply_all(trace.loops[0], stage);
}

std::string print_loops(const Stage& stage) {
  std::string text;
  for (const StageLoop& loop : stage.loops) {
    text += (text.empty() ? "" : " ") + loop.name + ":" + std::to_string(loop.extent);
    if (loop.reduction) text += " sum";
    if (loop.kind == LoopKind::vectorized) text += " vectorized";
    if (loop.kind == LoopKind::unrolled) text += " unrolled";
    if (loop.kind == LoopKind::parallel) text += " parallel";
    if (loop.kind == LoopKind::bound) text += " bind " + print(loop.thread);
  }
  return text;
}

std::string print_values(const Stage& stage) {
  std::string text;
  for (const auto& [axis, value] : stage.axis_values)
    text += (text.empty() ? "" : ", ") + axis + " = " + print(value);
  return text;
}

std::string print_stage(const Stage& stage) { return print(Schedule{{}, {stage}, {}}); }

Result<Program> lowered(const Operator& op, const Trace& trace, const Target& target) {
  return lower(TRY(apply(trace, op, target)), target);
}

Result<Program> lowered(std::string_view spec, std::string_view trace, const Target& target) {
  const Trace parsed = trace_of(std::string(trace));
  EXPECT_TRUE(survives_printing(parsed));
  return lowered(operator_of(spec), parsed, target);
}

namespace {

// The output of the program, in logical order.
Result<std::vector<float>> output_of(const Program& program, const NamedArrays& inputs) {
  if (const Result<void> verdict = verify(program); !verdict)
    return fail("not verified: " + verdict.error().message);
  Storage storage;
  const Buffer* output = nullptr;
  for (const Buffer& buffer : program.buffers) {
    if (!is_input(buffer.role) && buffer.role != BufferRole::output) continue;
    std::vector<float>& physical = storage[buffer.name];
    physical.assign(static_cast<size_t>(storage_elements(buffer.layout)),
                    std::numeric_limits<float>::quiet_NaN());
    if (buffer.role == BufferRole::output) {
      output = &buffer;
    } else {
      const auto given = [&](const std::string& tensor) -> Result<NDArray> {
        return inputs.at(tensor);
      };
      pack(buffer.layout, floats_of(right(logical_values(buffer, given))), physical);
    }
  }
  if (const Result<void> ran = interpret(program, storage); !ran)
    return fail("interpreted: " + ran.error().message);
  std::vector<float> found(static_cast<size_t>(logical_elements(output->layout)));
  unpack(output->layout, storage.find(output->name)->second, found);
  return found;
}

::testing::AssertionResult differs(size_t element, size_t count, double found, double expected) {
  return ::testing::AssertionFailure() << "element " << element << " of " << count << " is "
                                       << found << ", expected " << expected;
}

// On the data that a tuner checks with, to within the bounds that it has.
::testing::AssertionResult computes_with_tail(const Operator& op, const Program& program,
                                              const std::optional<Algorithm>& algorithm) {
  const Region region = region_of(op);
  const NamedArrays inputs = make_inputs(region, DataKind::real, 1);
  const Result<std::vector<float>> found = output_of(program, inputs);
  if (!found) return ::testing::AssertionFailure() << found.error().message;
  const ExpectedOutputs expected = expected_outputs(region, inputs);
  const OutputCheck check = compare_output("Y", logical_shape(op, Operand::output), *found,
                                           expected.at("Y"), tolerance_of(region, algorithm));
  if (check.status == Status::ok) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << check.reason;
}

}  // namespace

::testing::AssertionResult computes(const Operator& op, const Program& program) {
  if (op.tail) return computes_with_tail(op, program, std::nullopt);
  const NamedArrays inputs = make_inputs(region_of(op), DataKind::small_integers, 1);
  const Result<std::vector<float>> found = output_of(program, inputs);
  if (!found) return ::testing::AssertionFailure() << found.error().message;
  const std::vector<float> expected = floats_of(exact_reference(op, operands_of(inputs)));
  if (found->size() != expected.size()) return differs(found->size(), expected.size(), 0, 0);
  for (size_t k = 0; k < expected.size(); ++k) {
    if ((*found)[k] != expected[k]) return differs(k, expected.size(), (*found)[k], expected[k]);
  }
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult computes_closely(const Operator& op, const Program& program,
                                            double tolerance) {
  const NamedArrays inputs = make_inputs(region_of(op), DataKind::real, 1);
  const Result<std::vector<float>> found = output_of(program, inputs);
  if (!found) return ::testing::AssertionFailure() << found.error().message;
  const Reference expected = compute_reference(op, operands_of(inputs));
  if (found->size() != expected.values.size())
    return differs(found->size(), expected.values.size(), 0, 0);
  for (size_t k = 0; k < found->size(); ++k) {
    const double epilogue = expected.epilogue_scale.empty() ? 0 : 4e-6 * expected.epilogue_scale[k];
    const double error = std::abs((*found)[k] - expected.values.real(k));
    if (!(error <= tolerance * expected.scale[k] + epilogue))
      return differs(k, found->size(), (*found)[k], expected.values.real(k));
  }
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult computes(const Operator& op, const Trace& trace,
                                    const Program& program) {
  if (op.tail) return computes_with_tail(op, program, trace.algorithm);
  if (is_exact_on_integers(trace.algorithm)) return computes(op, program);
  return computes_closely(op, program, tolerance_of(region_of(op), trace.algorithm).sums);
}

::testing::AssertionResult survives_printing(const Trace& trace) {
  const std::string text = print(trace);
  const Result<Trace> parsed = parse_trace(text);
  if (!parsed) return ::testing::AssertionFailure() << parsed.error().message << "\n" << text;
  if (*parsed == trace) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "parses as\n" << print(*parsed) << "instead of\n" << text;
}

}  // namespace dovetail::testing
