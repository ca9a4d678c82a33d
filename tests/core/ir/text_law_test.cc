// SPDX-License-Identifier: Apache-2.0
//
// For all that core/ir prints: parse(print(x)) == x, and no text, however wrong, crashes a parser.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/ir/program/program.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/target.h"
#include "tests/support/ir_generators.h"
#include "tests/support/schedule_text.h"

namespace dovetail {
namespace {

using testing::mutated;

RC_GTEST_PROP(TextLaw, IndexExpressionsParseAsTheyPrint, ()) {
  const IndexExpr e = *testing::index_expressions(testing::few_ranges(), 3);
  const auto parsed = parse_index_expression(print(e));
  RC_ASSERT(parsed.has_value());
  RC_LOG() << print(e) << " became " << print(*parsed) << "\n";
  RC_ASSERT(*parsed == e);
}

RC_GTEST_PROP(TextLaw, LayoutsParseAsTheyPrint, ()) {
  const Layout layout = *testing::layouts();
  RC_LOG() << print(layout, "X.pad") << "\n";
  const auto parsed = parse_layout(print(layout, "X.pad"));
  RC_ASSERT(parsed.has_value());
  RC_ASSERT(parsed->tensor == "X.pad");
  RC_ASSERT(parsed->layout == layout);
}

RC_GTEST_PROP(TextLaw, TracesParseAsTheyPrint, ()) {
  const Trace trace = *testing::traces();
  RC_LOG() << print(trace);
  const auto parsed = parse_trace(print(trace));
  RC_ASSERT(parsed == Result<Trace>(trace));
  RC_ASSERT(hash(*parsed) == hash(trace));
}

RC_GTEST_PROP(TextLaw, SchedulesParseAsTheyPrint, ()) {
  const Schedule schedule = *testing::schedules();
  const auto parsed = testing::parse_schedule(print(schedule));
  RC_LOG() << print(schedule) << (parsed ? print(*parsed) : parsed.error().message) << "\n";
  RC_ASSERT(parsed == Result<Schedule>(schedule));
}

RC_GTEST_PROP(TextLaw, ProgramsParseAsTheyPrint, ()) {
  const Program program = *testing::programs();
  RC_LOG() << print(program);
  const auto parsed = parse_program(print(program));
  RC_LOG() << (parsed ? print(*parsed) : parsed.error().message) << "\n";
  RC_ASSERT(parsed == Result<Program>(program));
}

RC_GTEST_PROP(TextLaw, ValuesParseAsTheyPrint, ()) {
  const Value value = *testing::values(4);
  const auto program = parse_program("kernel k\n  y[] = " + print(value));
  RC_LOG() << print(value) << "\n";
  RC_ASSERT(program.has_value());
  RC_ASSERT(std::get<Store>(program->kernels[0].body[0].node).value == value);
}

// An error is one line; what parses again is what its own print says.
template <typename Parse, typename Print>
void survives(const std::string& text, Parse parse, Print print_it) {
  const auto parsed = parse(text);
  if (!parsed) {
    RC_ASSERT(!parsed.error().message.empty());
    RC_ASSERT(parsed.error().message.find('\n') == std::string::npos);
    return;
  }
  RC_ASSERT(parse(print_it(*parsed)).has_value());
}

void survives_all(const std::string& text) {
  survives(text, parse_index_expression, [](const IndexExpr& e) { return print(e); });
  survives(
      text, [](std::string_view t) { return parse_layout(t); },
      [](const NamedLayout& named) { return print(named.layout, named.tensor); });
  survives(text, parse_trace, [](const Trace& trace) { return print(trace); });
  survives(text, testing::parse_schedule, [](const Schedule& schedule) { return print(schedule); });
  survives(text, parse_target_name, [](const TargetName& name) { return print(name); });
  survives(text, parse_target, [](const Target& target) { return print(target); });
  survives(text, parse_program, [](const Program& program) { return print(program); });
}

RC_GTEST_PROP(TextFuzz, AnyBytesAreSurvived, (const std::string& text)) { survives_all(text); }

RC_GTEST_PROP(TextFuzz, TextOfTheAlphabetIsSurvived, ()) {
  static const std::string kAlphabet = "()[]{}:;,=<>+-*/?@.0179ehiwXlayoutfordivmodinscopeinf \n";
  survives_all(*rc::gen::container<std::string>(rc::gen::elementOf(kAlphabet)));
}

RC_GTEST_PROP(TextFuzz, ChangedTextsAreSurvived, ()) {
  survives_all(mutated(print(*testing::index_expressions(testing::few_ranges(), 3))));
  survives_all(mutated(print(*testing::layouts(), "X")));
  survives_all(mutated(print(*testing::traces())));
  survives_all(mutated(print(*testing::schedules())));
  survives_all(mutated(print(*testing::programs())));
  survives_all(mutated("cpu:threads=4,arch=x86-64-v3"));
  survives_all(mutated(print(Target{})));
}

}  // namespace
}  // namespace dovetail
