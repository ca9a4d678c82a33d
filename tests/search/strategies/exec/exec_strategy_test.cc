// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/exec/exec_strategy.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "search/strategies/exec/line_program.h"
#include "search/strategies/exec/messages.h"
#include "tests/search/small_space.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using OrderedJson = nlohmann::ordered_json;
using testing::conditional_space;

constexpr const char* kReady = R"(read space; echo '{"type":"ready"}'; )";

// A program that answers each question with the next of these lines.
std::string answering(const std::vector<std::string>& lines) {
  std::string script = kReady;
  for (const std::string& line : lines) script += "read question; echo '" + line + "'; ";
  return script + "read question; sleep 1000";
}

Result<std::unique_ptr<Strategy>> start(const Space& space, const std::string& command,
                                        double answer_seconds = 30) {
  return make_exec({space, 7}, command, answer_seconds);
}

// One proposal of a program that gives this answer.
Result<std::vector<KeyedTrace>> proposed(const std::string& answer) {
  const Space space = conditional_space();
  const auto strategy = std::move(*start(space, answering({answer})));
  return strategy->propose(2);
}

bool is_running(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state;
  status >> number >> name >> state;
  return !state.empty() && state != "Z";
}

bool ends_soon(pid_t pid) {
  for (int i = 0; i < 1000 && is_running(pid); ++i) ::poll(nullptr, 0, 10);
  return !is_running(pid);
}

TEST(ExecStrategy, ProposesWhatTheProgramDoes) {
  const Space space = conditional_space();  // {tile.m, tile.k, threads, tile.n}
  const auto traces =
      proposed(R"({"type":"propose","points":[{"tile.m":4,"threads":1},[0,1,1,1]]})");
  ASSERT_TRUE(traces) << traces.error().message;
  EXPECT_EQ(*traces,
            (std::vector<KeyedTrace>{space.decode({4, 1, 1, 1}), space.decode({1, 8, 1, 8})}));
}

TEST(ExecStrategy, RepairsWhatTheDomainsForbid) {
  const Space space = conditional_space();
  const auto traces = proposed(R"({"type":"propose","points":[{"tile.m":8,"tile.k":8}]})");
  ASSERT_TRUE(traces) << traces.error().message;
  EXPECT_EQ(*traces, std::vector<KeyedTrace>{space.decode({8, 1, 0, 1})});
}

TEST(ExecStrategy, EndsWhenTheProgramProposesNothing) {
  const auto traces = proposed(R"({"type":"propose","points":[]})");
  ASSERT_TRUE(traces) << traces.error().message;
  EXPECT_TRUE(traces->empty());
}

TEST(ExecStrategy, AnswersWhichValuesEachParameterMayHave) {
  const Space space = conditional_space();
  const std::string command =
      std::string(kReady) +
      R"(read ask; echo '{"type":"domains","point":{"tile.m":4}}'; read domains; )"
      R"(case "$domains" in *'"tile.k":[1,2]'*) echo '{"type":"propose","points":[{}]}';; )"
      R"(*) echo "wrong $domains";; esac; read end)";
  const auto strategy = std::move(*start(space, command));
  const auto traces = strategy->propose(1);
  ASSERT_TRUE(traces) << traces.error().message;
  EXPECT_EQ(*traces, std::vector<KeyedTrace>{space.default_trace()});
}

TEST(ExecStrategy, TellsTheProgramWhatBecameOfItsPointsAndOfTheDefault) {
  const Space space = conditional_space();
  const std::string command = std::string(kReady) +
                              R"(read ask; echo '{"type":"propose","points":[{"tile.m":8}]}'; )"
                              R"(read tell; read ask; case "$tell" in )"
                              R"(*'"status":"ok","seconds":0.25'*'"status":"timeout"'*) )"
                              R"(echo '{"type":"propose","points":[]}';; )"
                              R"(*) echo "wrong $tell";; esac; read end)";
  const auto strategy = std::move(*start(space, command));
  const Trace trace = strategy->propose(1)->front();
  Trace foreign = trace;
  foreign.loops[0].primitives.emplace_back(loop::Unroll{"k"});
  strategy->observe(std::vector<Observation>{{.trace = space.default_trace(), .seconds = 0.25},
                                             {.trace = foreign, .seconds = 1},
                                             {.trace = trace, .status = Status::timeout}});
  const auto last = strategy->propose(1);
  ASSERT_TRUE(last) << last.error().message;
  EXPECT_TRUE(last->empty());
}

// Points that differ in `twin` alone have one trace.
Space space_of_twins() {
  std::vector<Parameter> parameters(2);
  parameters[0].name = "tile.m";
  parameters[0].domain = [](const Point&) { return std::vector<int64_t>{1, 2}; };
  parameters[1].name = "twin";
  parameters[1].domain = [](const Point&) { return std::vector<int64_t>{0, 1}; };
  const auto decode_point = [](const Point& point) {
    StageLoops loops;
    if (point[0] > 1) loops.primitives.emplace_back(loop::Split{"m", point[0]});
    return Trace{.layouts = {}, .loops = {loops}};
  };
  return {*parse_operator("gmm:m=8,n=16,k=8"), Target{}, parameters, decode_point, {1, 0}};
}

TEST(ExecStrategy, TellsEachOfTwoPointsWithOneTraceWhatBecameOfIt) {
  const Space space = space_of_twins();
  const std::string command =
      std::string(kReady) +
      R"(read ask; echo '{"type":"propose","points":[{"tile.m":2},{"tile.m":2,"twin":1}]}'; )"
      R"(read tell; read ask; case "$tell" in *'"twin":1},"status":"rejected"}'*)"
      R"('"twin":0},"status":"ok","seconds":0.25}]'*) echo '{"type":"propose","points":[]}';; )"
      R"(*) echo "wrong $tell";; esac; read end)";
  const auto strategy = std::move(*start(space, command));
  const Trace trace = strategy->propose(2)->front();
  strategy->observe(std::vector<Observation>{{.trace = trace, .rejected = true}});
  strategy->observe(std::vector<Observation>{{.trace = trace, .seconds = 0.25}});
  const auto last = strategy->propose(1);
  ASSERT_TRUE(last) << last.error().message;
  EXPECT_TRUE(last->empty());
}

TEST(ExecStrategy, SaysWhenTheProgramEnds) {
  const Space space = conditional_space();
  EXPECT_ERROR(start(space, "exit 3"), "strategy exec:exit 3 ended with exit code 3");
  EXPECT_ERROR(start(space, "kill -9 $$"), "was killed by SIGKILL");
  EXPECT_ERROR(start(space, "/no/such/program 2>&-"), "ended with exit code 127");
  const auto strategy = std::move(*start(space, std::string(kReady) + "read ask; exit 4"));
  EXPECT_ERROR(strategy->propose(1), "ended with exit code 4");
}

TEST(ExecStrategy, SaysWhenTheProgramHangs) {
  const Space space = conditional_space();
  EXPECT_ERROR(start(space, "sleep 1000", 0.1), "did not answer within 0.1 s");
  const auto strategy = std::move(*start(
      space, R"(read space; echo '{"type":"ready","timeout_seconds":0.1}'; read ask; sleep 1000)"));
  EXPECT_ERROR(strategy->propose(1), "did not answer within 0.1 s");
}

TEST(ExecStrategy, SaysWhenTheProgramDoesNotRead) {
  const auto program = std::move(*LineProgram::start("sleep 1000"));
  EXPECT_ERROR(program->send(std::string(4 << 20, 'x'), 0.1),
               "did not read what it was told within 0.1 s");
}

TEST(ExecStrategy, QuotesAnAnswerThatIsNone) {
  const Space space = conditional_space();
  EXPECT_ERROR(start(space, "echo hello; read space"),
               "answered 'hello', expected a JSON object with a type");
  EXPECT_ERROR(start(space, R"(echo '{"type":"propose","points":[]}'; read space)"),
               "did not begin with");
  EXPECT_ERROR(proposed("[1,2]"), "answered '[1,2]', expected a JSON object with a type");
  EXPECT_ERROR(proposed(R"({"type":"ready"})"), "did not propose any");
  EXPECT_ERROR(proposed(R"({"type":"guess"})"), "expected type ready, propose");
  EXPECT_ERROR(proposed(R"({"type":"propose","points":3})"), "expected type ready, propose");
  EXPECT_ERROR(proposed(R"({"type":"propose","points":[{"tile.z":3}]})"),
               "no parameter is named 'tile.z'");
  EXPECT_ERROR(proposed(R"({"type":"propose","points":[{"tile.m":"four"}]})"),
               "tile.m is \"four\", expected a whole number");
  EXPECT_ERROR(proposed(R"({"type":"propose","points":[[0.5,0.5,2,0]]})"),
               "nor a list of 4 numbers from 0 to 1");
  EXPECT_ERROR(proposed(R"({"type":"propose","points":[[0.5]]})"), "nor a list of 4 numbers");
  EXPECT_ERROR(proposed(R"({"type":"propose","points":[{},{},{}]})"),
               "proposed 3 points where 2 were asked for");
}

TEST(ExecStrategy, LeavesNothingOfTheProgramBehind) {
  auto program = std::move(*LineProgram::start("sleep 1000 & echo $!; wait"));
  const pid_t own = program->pid();
  const pid_t started = std::stoi(*program->receive(30));
  EXPECT_TRUE(is_running(own) && is_running(started));
  program.reset();
  EXPECT_TRUE(ends_soon(own));
  EXPECT_TRUE(ends_soon(started));
}

TEST(ExecMessages, TellTheSpaceFirst) {
  const Space space = conditional_space();
  const OrderedJson json = OrderedJson::parse(exec::space_message({space, 18446744073709551615u}));
  EXPECT_EQ(json["task"], "gmm:m=8,n=16,k=8");
  EXPECT_EQ(json["seed"], 18446744073709551615u);
  EXPECT_EQ(json["default"],
            OrderedJson::parse(R"({"tile.m":1,"tile.k":1,"threads":0,"tile.n":1})"));
  ASSERT_EQ(json["parameters"].size(), 4u);
  EXPECT_EQ(json["parameters"][1], OrderedJson::parse(R"({"name":"tile.k","meaning":"for tests",
      "values":[1,2,4,8],"depends_on":["tile.m"],"only_with":[],"off_percent":0})"));
  EXPECT_EQ(json["parameters"][2]["labels"], OrderedJson::parse(R"(["off","on"])"));
  EXPECT_EQ(json["parameters"][2]["off_percent"], 90);
  EXPECT_EQ(json["parameters"][3]["values"], OrderedJson::parse("[1,2,4,8]"));
  EXPECT_EQ(json["parameters"][3]["only_with"],
            OrderedJson::parse(R"([{"parameter":"threads","value":1}])"));
}

}  // namespace
}  // namespace dovetail
