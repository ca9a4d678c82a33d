// SPDX-License-Identifier: Apache-2.0
// report --follow: a page that is written again while a campaign runs.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <thread>

#include "tests/tools/report/report_verb.h"

namespace dovetail {
namespace {

using testing::ProgramRun;
using testing::run_dovetail;
using testing::StartedProgram;
using testing::trial_of;

// A writer's lock on a log, as tune holds it.
class Writer {
 public:
  explicit Writer(const std::string& path)
      : file_(open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC)) {
    EXPECT_EQ(flock(file_, LOCK_EX | LOCK_NB), 0);
  }
  ~Writer() { end(); }
  void append(const Record& record) const {
    const std::string line = print(record) + "\n";
    EXPECT_EQ(::write(file_, line.data(), line.size()), ssize_t(line.size()));
  }
  void end() {
    if (file_ >= 0) close(file_);
    file_ = -1;
  }

 private:
  int file_ = -1;
};

bool wait_for(const std::function<bool()>& condition) {
  for (int i = 0; i < 1200 && !condition(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return condition();
}

class Follow : public testing::ReportVerb {
 protected:
  bool page_has(const std::string& what) const {
    const auto page = read_file(folder_.path("page.html"));
    return page && page->find(what) != std::string::npos;
  }
  std::vector<std::string> arguments() const {
    return {"report", "a.jsonl", "-o", "page.html", "--follow", "--every", "1"};
  }
};

TEST_F(Follow, TakesInWhatIsAppendedAndEndsWithTheCampaign) {
  write("a.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 4e-6)});
  Writer writer(folder_.path("a.jsonl"));
  StartedProgram program(arguments(), folder_);
  ASSERT_TRUE(wait_for([&] { return page_has("http-equiv=\"refresh\""); }));
  writer.append(trial_of("gmm:m=16,n=8,k=8", 1, 2e-6));
  ASSERT_TRUE(wait_for([&] { return page_has("gmm:m=16,n=8,k=8"); }));
  EXPECT_TRUE(program.is_running());
  writer.end();
  const ProgramRun run = program.wait();
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_FALSE(page_has("http-equiv=\"refresh\"")) << "the last page stays as it is";
}

TEST_F(Follow, EndsAtAnInterruptAndWhenItsTerminalCloses) {
  write("a.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 4e-6)});
  const Writer writer(folder_.path("a.jsonl"));
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    StartedProgram program(arguments(), folder_);
    ASSERT_TRUE(wait_for([&] { return page_has("http-equiv=\"refresh\""); }));
    program.send(signal);
    EXPECT_EQ(program.wait().exit_code, 130) << signal;
    EXPECT_FALSE(page_has("http-equiv=\"refresh\"")) << signal;
  }
}

TEST_F(Follow, WaitsForALogThatIsNotThereYet) {
  StartedProgram interrupted(arguments(), folder_);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_TRUE(interrupted.is_running());
  interrupted.send(SIGINT);
  EXPECT_EQ(interrupted.wait().exit_code, 130);
  StartedProgram program(arguments(), folder_);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  write("a.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 4e-6)});
  const ProgramRun run = program.wait();
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("waiting for a.jsonl"), std::string::npos) << run.err;
  EXPECT_TRUE(page_has("gmm:m=8,n=8,k=8"));
}

TEST_F(Follow, WithoutACampaignWritesThePageOnce) {
  write("a.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 4e-6)});
  const ProgramRun run = run_dovetail(arguments(), folder_);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.err.find("no campaign is writing"), std::string::npos) << run.err;
  EXPECT_TRUE(page_has("gmm:m=8,n=8,k=8"));
}

}  // namespace
}  // namespace dovetail
