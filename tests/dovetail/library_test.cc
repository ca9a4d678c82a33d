// SPDX-License-Identifier: Apache-2.0
// The public library: models, tuning, networks on arrays, and that callers stay as they are.
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <numeric>
#include <string>
#include <thread>

#include "core/base/files.h"
#include "core/frontend/onnx_import.h"
#include "dovetail/dovetail.h"
#include "dovetail/handles/model_data.h"
#include "tests/core/frontend/model_file.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"
#include "tests/support/temporary_folder.h"

namespace dovetail::api {
namespace {

using testing::model_bytes;
using testing::right;
using testing::TemporaryFolder;

constexpr const char* kTwoLayers =
    "g (float[2,3] x, float[3,4] w) => (float[2,4] y) { t = MatMul(x, w) y = Relu(t) }";
const std::string kConvolution =
    "g (float[1,3,10,10] x) => (y, z) { " +
    testing::constant("w", {4, 3, 3, 3}, testing::numbers(4 * 27, 1)) +
    " t = Conv(x, w) y = Relu(t) z = MaxPool<kernel_shape = [2, 2]>(y) }";

std::vector<std::byte> bytes_of_model(const std::string& text) {
  const std::string bytes = model_bytes(text);
  std::vector<std::byte> copy(bytes.size());
  std::memcpy(copy.data(), bytes.data(), bytes.size());
  return copy;
}

Model model_of(const std::string& text, const ModelOptions& options = {}) {
  return right(Model::parse(bytes_of_model(text), options));
}

NDArray counted(std::vector<int64_t> shape) {
  std::vector<float> values(static_cast<size_t>(std::accumulate(
      shape.begin(), shape.end(), int64_t{1}, [](int64_t a, int64_t b) { return a * b; })));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 7) - 3;
  return {ElementType::f32, std::move(shape), std::move(values)};
}

// The state of a caller that a library must leave alone.
struct Caller {
  cpu_set_t cores{};
  std::string environment;

  static Caller now() {
    Caller caller;
    sched_getaffinity(0, sizeof caller.cores, &caller.cores);
    for (char** variable = environ; *variable != nullptr; ++variable)
      caller.environment += std::string(*variable) + "\n";
    return caller;
  }
  friend bool operator==(const Caller& a, const Caller& b) {
    return CPU_EQUAL(&a.cores, &b.cores) != 0 && a.environment == b.environment;
  }
};

TEST(Model, SaysItsInputsAndOutputs) {
  const Model model = model_of(kTwoLayers);
  EXPECT_EQ(model.inputs(), (std::vector<TensorInfo>{{"x", ElementType::f32, {2, 3}},
                                                     {"w", ElementType::f32, {3, 4}}}));
  EXPECT_EQ(model.outputs(), (std::vector<TensorInfo>{{"y", ElementType::f32, {2, 4}}}));
}

TEST(Model, IsTheSameFromAFileAndFromBytes) {
  const TemporaryFolder folder;
  std::ofstream(folder.path("net.onnx"), std::ios::binary) << model_bytes(kConvolution);
  const Model loaded = right(Model::load(folder.path("net.onnx")));
  const Model parsed = model_of(kConvolution);
  EXPECT_EQ(loaded.data().graph, parsed.data().graph);
  EXPECT_EQ(loaded.name(), folder.path("net.onnx"));
  // The verbs infer shapes in a child process.
  EXPECT_EQ(loaded.data().graph, right(import_onnx(folder.path("net.onnx"))));
}

TEST(Model, TakesShapesAndConstantsAsValues) {
  const std::string open = "g (float[N,3] x, float[1] s) => (y) { y = Mul(x, s) }";
  EXPECT_ERROR(Model::parse(bytes_of_model(open)),
               "dynamic shapes of x[N,3]; expected option shapes NAME=… for each");
  const Model model = model_of(open, {.shapes = {{"x", {5, 3}}}, .constants = {{"s", 2.5}}});
  EXPECT_EQ(model.inputs(), (std::vector<TensorInfo>{{"x", ElementType::f32, {5, 3}}}));
}

TEST(Model, FailsInOneLine) {
  EXPECT_ERROR(Model::load("absent.onnx"), "absent.onnx");
  EXPECT_ERROR(Model::parse({}), "found no graph with nodes");
  const std::vector<std::byte> noise(100, std::byte{0xff});
  EXPECT_ERROR(Model::parse(noise), "found no ONNX model");
}

TEST(Task, IsParsedOrAModels) {
  const Task task = right(Task::parse("gmm:k=8,n=8,m=16"));
  EXPECT_EQ(task.spec(), "gmm:m=16,n=8,k=8");
  EXPECT_ERROR(Task::parse("gmm:m=16"), "gmm");
  const std::vector<Task> tasks = right(tasks_of(model_of(kConvolution)));
  ASSERT_EQ(tasks.size(), 2);
  EXPECT_EQ(tasks[0].spec(), "c2d:ci=3,co=4,h=10,w=10,k=3+relu");
  EXPECT_EQ(tasks[0].weight(), 1);
}

TEST(Target, IsFoundByName) {
  EXPECT_EQ(right(find_target({.backend = "reference"})).name.backend, "reference");
  EXPECT_ERROR(find_target({.backend = "abacus"}), "unknown target abacus");
  for (const int threads : {-1, 0, 999})
    EXPECT_ERROR(find_target({.threads = threads}), "expected 1 to 256") << threads;
  EXPECT_FALSE(right(all_targets()).empty());
}

class OnThisCpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
    cpu_ = right(find_target());
  }
  void TearDown() override { EXPECT_EQ(Caller::now(), before_) << "the caller was changed"; }

  Caller before_ = Caller::now();
  Target cpu_;
};

TEST_F(OnThisCpu, ANetworkRunsOnArrays) {
  const Network network = right(compile(model_of(kTwoLayers), cpu_));
  const NDArray x(ElementType::f32, {2, 3}, std::vector<float>{1, 2, 3, -1, 0, 1});
  const NDArray w(ElementType::f32, {3, 4},
                  std::vector<float>{1, 0, -1, 2, 0, 1, -1, 2, 1, 1, -1, -9});
  const NDArray expected(ElementType::f32, {2, 4}, std::vector<float>{4, 5, 0, 0, 0, 1, 0, 0});
  EXPECT_EQ(right(network.run({x, w})), std::vector{expected});
  EXPECT_GT(right(network.seconds()), 0);
  EXPECT_EQ(right(network.run({x, w})), std::vector{expected});  // inputs are given again
  EXPECT_LE(network.facts().range_error, 1e-5);
}

TEST_F(OnThisCpu, ANetworkTakesArraysThatFit) {
  const Network network = right(compile(model_of(kTwoLayers), cpu_));
  const NDArray x = counted({2, 3}), w = counted({3, 4});
  const std::vector<NDArray> expected = right(network.run({x, w}));
  EXPECT_EQ(right(network.run({converted(x, ElementType::f64).reshaped({1, 2, 3}), w})), expected);
  const NDArray across = NDArray::zeros(ElementType::f32, {4, 3});
  copy_elements(w, across.permuted({1, 0}));
  EXPECT_EQ(right(network.run({x, across.permuted({1, 0})})), expected);
  EXPECT_ERROR(network.run({x}), "found 1 inputs; expected 2");
  EXPECT_ERROR(network.run({w, w}), "input 0: shape 3x4; expected tensor x: f32 2x3");
  EXPECT_ERROR(network.run({std::vector<double>{.1, .1, .1, .1, .1, .1}, w}), "input 0");
}

TEST_F(OnThisCpu, ANetworkRunsFromAnyThread) {
  const Network network = right(compile(model_of(kTwoLayers), cpu_));
  const std::vector<NDArray> inputs{counted({2, 3}), counted({3, 4})};
  const std::vector<NDArray> expected = right(network.run(inputs));
  std::vector<std::thread> threads;
  std::vector<int> same(4, 0);
  for (size_t t = 0; t < same.size(); ++t)
    threads.emplace_back([&, t] {
      for (int run = 0; run < 20; ++run) same[t] += right(network.run(inputs)) == expected ? 1 : 0;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(same, std::vector(4, 20));
}

TEST_F(OnThisCpu, NetworksLiveSideBySide) {
  const Network first = right(compile(model_of(kTwoLayers), cpu_));
  const std::vector<NDArray> inputs{counted({2, 3}), counted({3, 4})};
  const std::vector<NDArray> expected = right(first.run(inputs));
  {
    const Network second = right(compile(model_of(kConvolution), cpu_));
    EXPECT_EQ(right(second.run({counted({1, 3, 10, 10})})).size(), 2);
  }
  EXPECT_EQ(right(first.run(inputs)), expected);
}

TEST_F(OnThisCpu, ATunedModelComputesTheSame) {
  const Model model = model_of(kConvolution);
  const Log log = right(Log::temporary());
  const Tuning tuning = right(tune(model, cpu_, log, {.total_trials = 12}));
  EXPECT_EQ(tuning.ending, Ending::done);
  ASSERT_GE(tuning.tasks.size(), 2);
  EXPECT_TRUE(tuning.tasks[0].default_seconds && tuning.tasks[0].best_seconds);
  EXPECT_GE(tuning.tasks[0].trials, 1);

  const Network before = right(compile(model, cpu_)), after = right(compile(model, cpu_, log));
  EXPECT_EQ(before.facts().recorded, 0);
  EXPECT_GE(after.facts().recorded, 2);
  const NDArray x = counted({1, 3, 10, 10});
  const NDArray y = right(after.run({x}))[0], expected = right(before.run({x}))[0];
  ASSERT_EQ(y.shape(), expected.shape());
  for (size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y.real(i), expected.real(i), 1e-4);
}

TEST_F(OnThisCpu, ATaskIsTunedIntoALogThatCanBeRead) {
  const TemporaryFolder folder;
  const Log log(folder.path("one.jsonl")), all(folder.path("all.jsonl"));
  EXPECT_ERROR(log.best_records(), "one.jsonl");
  const std::vector<Task> tasks{right(Task::parse("gmm:m=16,n=16,k=16"))};
  const TuneOptions options{.trials = 4, .strategy = Strategy::random};
  EXPECT_EQ(right(tune(tasks, cpu_, log, options)).tasks[0].trials, 4);
  EXPECT_EQ(right(tune(tasks, cpu_, log, options)).tasks[0].trials, 4);  // another campaign
  const std::vector<BestRecord> best = right(log.best_records());
  ASSERT_EQ(best.size(), 1);
  EXPECT_EQ(best[0].task, "gmm:m=16,n=16,k=16");
  EXPECT_EQ(best[0].target, "cpu");
  EXPECT_FALSE(best[0].trace.empty());

  ASSERT_TRUE(all.append(log));
  ASSERT_TRUE(all.append(log));  // its campaigns are there already
  const std::vector<BestRecord> copied = right(all.best_records());
  ASSERT_EQ(copied.size(), 1);
  EXPECT_EQ(copied[0].trace, best[0].trace);  // campaigns of one second may change places
  EXPECT_EQ(copied[0].seconds, best[0].seconds);
}

TEST_F(OnThisCpu, EnumeratorsAreTheRowsOfTheTables) {
  const std::pair<Strategy, std::string> kStrategies[] = {
      {Strategy::random, "random"},       {Strategy::exhaustive, "exhaustive"},
      {Strategy::annealing, "annealing"}, {Strategy::evolutionary, "evolutionary"},
      {Strategy::descent, "descent"},     {Strategy::draft_verify, "draft_verify"},
      {Strategy::dovetail, "dovetail"}};
  const std::vector<Task> tasks{right(Task::parse("gmm:m=8,n=8,k=8"))};
  for (const auto& [strategy, name] : kStrategies) {
    const Log log = right(Log::temporary());
    right(tune(tasks, cpu_, log,
               {.trials = 1, .strategy = strategy, .cost_model = CostModel::roofline}));
    const std::string text = right(read_file(log.path()));
    EXPECT_NE(text.find("\"strategy\":\"" + name), std::string::npos) << text;
    EXPECT_NE(text.find("\"cost_model\":\"roofline\""), std::string::npos) << text;
  }
}

TEST_F(OnThisCpu, ACampaignIsStoppedAndGoesOn) {
  const Log log = right(Log::temporary());
  const std::vector<Task> tasks{right(Task::parse("gmm:m=16,n=16,k=16"))};
  std::stop_source source;
  Listener listener;
  listener.progress = [&](const TaskTurn&, const Progress& progress) {
    if (progress.trials >= 3) source.request_stop();
  };
  TuneOptions options{.trials = 40, .strategy = Strategy::random, .stop = source.get_token()};
  const Tuning stopped = right(tune(tasks, cpu_, log, options, listener));
  EXPECT_EQ(stopped.ending, Ending::interrupted);
  EXPECT_LT(stopped.tasks[0].trials, 40);
  options.stop = {};
  options.trials = stopped.tasks[0].trials + 1;
  options.into = IntoLog::the_last_one;
  EXPECT_EQ(right(tune(tasks, cpu_, log, options)).tasks[0].trials, options.trials);
}

TEST_F(OnThisCpu, BadInputIsAnErrorAndNoLog) {
  const TemporaryFolder folder;
  const Log log(folder.path("log.jsonl"));
  const std::vector<Task> tasks{right(Task::parse("gmm:m=16,n=16,k=16"))};
  EXPECT_ERROR(tune(tasks, cpu_, log, {.max_error = -1}), "option max_error");
  EXPECT_ERROR(tune(tasks, cpu_, log, {.trials = 1, .worker = "/absent/worker"}), "absent");
  EXPECT_ERROR(tune(model_of(kTwoLayers), cpu_, log, {.inputs = {counted({2, 3})}}),
               "found 1 inputs; expected 2");
  EXPECT_ERROR(log.best_records(), "log.jsonl");
}

TEST_F(OnThisCpu, ATemporaryLogGoesWithItsLastHandle) {
  std::string path;
  {
    const Log log = right(Log::temporary());
    const Log copy = log;  // NOLINT(performance-unnecessary-copy-initialization)
    path = copy.path();
    EXPECT_EQ(::access(path.c_str(), F_OK), 0);
  }
  EXPECT_NE(::access(path.c_str(), F_OK), 0);
}

}  // namespace
}  // namespace dovetail::api
