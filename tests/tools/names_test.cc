// SPDX-License-Identifier: Apache-2.0
// Names in a model are untrusted: characters that would control a terminal, change the writing
// direction or start a spreadsheet formula are escaped, whichever verb prints them.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/base/printable.h"
#include "tests/tools/run_program.h"

namespace dovetail {
namespace {

using testing::ProgramRun;
using testing::run_dovetail;
using testing::TemporaryFolder;

// A screen that is cleared, a line feed, a bell, DEL, a control of one character, an override of
// direction, and a formula.
constexpr const char* kHostileGraph =
    R"(graph g
input "in\x1b[2J": f32[1,16,6,6]
input "w\x07": f32[16,16,1,1]
input v: f32[8,16,1,1]
node "=HYPERLINK(1)\x1b]0;title\x07" = complex c2d:ci=16,co=16,h=6,w=6,k=1 )"
    R"(("in\x1b[2J", "w\x07") -> "t\x0a\x7f": f32[1,16,6,6]
node "@SUM(A1)\xe2\x80\xae" = complex c2d:ci=16,co=8,h=6,w=6,k=1 )"
    R"(("t\x0a\x7f", v) -> "out\xc2\x9b": f32[1,8,6,6]
output "out\xc2\x9b"
)";

// CSV has lines that end with CR and LF (RFC 4180).
std::string with_plain_line_ends(std::string text) {
  for (size_t at = 0; (at = text.find("\r\n", at)) != std::string::npos;) text.erase(at, 1);
  return text;
}

class Names : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
    folder_.write("net.graph", kHostileGraph);
    const ProgramRun tuned = run({"tune", "net.graph", "--trials", "2", "--log", "a.jsonl"});
    ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
  }

  // Lines and tabs are ours; nothing else that is no character to be seen may come out.
  ProgramRun run(const std::vector<std::string>& arguments) {
    const ProgramRun run = run_dovetail(arguments, folder_);
    const std::string out = with_plain_line_ends(run.out);
    EXPECT_EQ(printable_lines(out), out) << arguments.front();
    EXPECT_EQ(printable_lines(run.err), run.err) << arguments.front();
    return run;
  }

  TemporaryFolder folder_;
};

TEST_F(Names, AreHarmlessOnATerminal) {
  const ProgramRun best = run({"log", "best", "a.jsonl"});
  EXPECT_NE(best.out.find("=HYPERLINK(1)\\x1b]0;title\\x07"), std::string::npos) << best.out;
  const ProgramRun layouts = run({"show", "net.graph", "--what", "layout", "--log", "a.jsonl"});
  EXPECT_EQ(layouts.exit_code, 0) << layouts.err;
  EXPECT_NE(layouts.out.find("t\\x0a\\x7f"), std::string::npos) << layouts.out;
  for (const std::string what : {"graph", "tasks"})
    EXPECT_EQ(run({"show", "net.graph", "--what", what}).exit_code, 0);
  EXPECT_EQ(run({"run", "net.graph", "--log", "a.jsonl"}).exit_code, 0);
  EXPECT_EQ(run({"log", "stats", "a.jsonl"}).exit_code, 0);
  EXPECT_EQ(run({"replay", "net.graph", "--log", "a.jsonl"}).exit_code, 0);
  const ProgramRun refused = run({"run", "net.graph", "--log", "none\x1b[2J.jsonl"});
  EXPECT_NE(refused.err.find("none\\x1b[2J.jsonl"), std::string::npos) << refused.err;
}

TEST_F(Names, LeaveJsonJson) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"log", "best", "a.jsonl", "--json"},
        {"show", "net.graph", "--what", "tasks", "--json"},
        {"show", "net.graph", "--what", "layout", "--log", "a.jsonl", "--json"},
        {"replay", "net.graph", "--log", "a.jsonl", "--json"}}) {
    const ProgramRun found = run(arguments);
    const auto json = nlohmann::json::parse(found.out, nullptr, false);
    ASSERT_FALSE(json.is_discarded()) << found.out;
  }
  const auto tasks = nlohmann::json::parse(run({"log", "best", "a.jsonl", "--json"}).out);
  EXPECT_NE(tasks.dump().find("HYPERLINK(1)\\u001b]0;title"), std::string::npos)
      << "the name itself, as JSON writes it: " << tasks.dump();
}

TEST_F(Names, AreHarmlessInPagesAndFigures) {
  const ProgramRun made = run({"report", "a.jsonl", "-o", "page.html", "--figures", "figures"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  size_t files = 0;
  size_t guarded = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.folder())) {
    const std::string path = entry.path().string();
    const std::string kind = entry.path().extension();
    if (kind != ".html" && kind != ".csv" && kind != ".svg" && kind != ".tex") continue;
    ++files;
    const std::string text = *read_file(path);
    EXPECT_EQ(printable_lines(text), text) << path;
    if (kind != ".csv") continue;
    for (const char* formula : {"\n=", ",=", "\n@", ",@", "\"=", "\"@"})
      EXPECT_EQ(text.find(formula), std::string::npos) << path << "\n" << text;
    guarded += text.find("'=HYPERLINK(1)") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(files, 3U);
  EXPECT_GT(guarded, 0U) << "or no cell has the name";
  const ProgramRun csv = run({"log", "export", "a.jsonl", "--format", "csv"});
  EXPECT_EQ(csv.exit_code, 0) << csv.err;
}

}  // namespace
}  // namespace dovetail
