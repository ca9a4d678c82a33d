// SPDX-License-Identifier: Apache-2.0
#include "tests/measure/candidates.h"

#include "core/base/check.h"
#if DOVETAIL_HAVE_LLVM
#include "core/codegen/llvm/cpu_target.h"
#endif
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"

namespace dovetail::testing {
namespace {

// A test's own input is right, or the test is wrong.
template <typename T>
T value_of(Result<T> result) {
  CHECK(result.has_value(), result.has_value() ? "" : result.error().message);
  return *std::move(result);
}

}  // namespace

const char* const kSmallTrace =
    "layout X: pad(axis=h, before=1, after=1) pad(axis=w, before=1, after=1) "
    "split(axis=i, factor=16) reorder(i.0, n, h, w, i.1)\n"
    "layout W: split(axis=o, factor=16) reorder(o.0, i, kh, kw, o.1)\n"
    "layout Y: split(axis=o, factor=16) reorder(o.0, n, h, w, o.1)\n"
    "loops: split(loop=w, factor=7) ; reorder(o.0, n, h, w.0, i, kh, kw, w.1, o.1) ; unroll(w.1) ; "
    "vectorize(o.1) ; cache_write(tensor=Y, at=w.0) ; parallel(o.0)\n";

Operator operator_of(const std::string& spec) { return value_of(parse_operator(spec)); }

#if DOVETAIL_HAVE_LLVM
Target host_target(const std::string& name) {
  return value_of(cpu_target(value_of(parse_target_name(name))));
}
#else
// Good for lowering and interpreting; nothing is compiled for it.
Target host_target(const std::string& name) {
  Target target;
  target.name = value_of(parse_target_name(name));
  return target;
}
#endif

Program program_of(const Operator& op, const std::string& trace, const Target& target) {
  return value_of(lower(value_of(apply(value_of(parse_trace(trace)), op, target)), target));
}

MeasureInput candidate(int64_t trial, const std::string& spec, const std::string& trace,
                       const Target& target) {
  MeasureInput input;
  input.trial = trial;
  const Operator op = operator_of(spec);
  input.spec = op;
  input.target = print(target.name);
  input.trace = value_of(parse_trace(trace));
  input.program = program_of(op, trace, target);
  return input;
}

MeasureInput small_candidate(int64_t trial, const Target& target) {
  return candidate(trial, kSmallSpec, kSmallTrace, target);
}

MeasureInput with_a_wrong_program(MeasureInput candidate) {
  std::string text = print(candidate.program);
  text.replace(text.rfind("kw in 0..3"), 10, "kw in 0..2");
  candidate.program = value_of(parse_program(text));
  return candidate;
}

}  // namespace dovetail::testing
