// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/partition/region_tasks.h"

#include <gtest/gtest.h>

#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

TaskList tasks_of(const std::string& nodes, const PartitionOptions& options = {}) {
  const std::string text =
      "graph m\ninput x: f32[4,4]\nconstant w: f32[4,4]\n" + nodes + "output y\n";
  return right(region_tasks(right(partition(right(parse_graph(text, "m")), options)), "cpu"));
}

TEST(RegionTasks, AreDistinctAndWeighted) {
  const TaskList list = tasks_of(
      "node a = complex gmm:m=4,n=4,k=4 (x, w) -> p: f32[4,4]\n"
      "node b = reduction Softmax {axis=1} (p) -> q: f32[4,4]\n"
      "node c = complex gmm:m=4,n=4,k=4+relu (q, w) -> r: f32[4,4]\n"
      "node d = reduction Softmax {axis=-1} (r) -> s: f32[4,4]\n"
      "node e = complex gmm:n=4,m=4,k=4 (s, w) -> t: f32[4,4]\n"
      "node f = elementwise Exp (t) -> y: f32[4,4]\n",
      {.tail_values = false});
  ASSERT_EQ(list.tasks.size(), 4u);
  EXPECT_EQ(list.tasks[0], (Task{"a", right(parse_task_spec("gmm:m=4,n=4,k=4")), "cpu", 2}));
  EXPECT_EQ(list.tasks[1].name, "b");
  EXPECT_EQ(list.tasks[1].weight, 2) << "the same axis";
  EXPECT_EQ(list.tasks[2], (Task{"c", right(parse_task_spec("gmm:m=4,n=4,k=4+relu")), "cpu", 1}));
  EXPECT_EQ(list.tasks[3],
            (Task{"f", right(parse_task_spec("Y[i,j]=exp(X[i,j]):i=4,j=4")), "cpu", 1}));
  EXPECT_TRUE(list.not_tuned.empty());
}

TEST(RegionTasks, OfAnotherTextAndTheSameMeaningAreOne) {
  const TaskList list = tasks_of(
      "node a = elementwise Add (x, w) -> p: f32[4,4]\n"
      "node s = reduction Softmax (p) -> q: f32[4,4]\n"
      "node b = elementwise Add (w, q) -> y: f32[4,4]\n");
  ASSERT_EQ(list.tasks.size(), 2u);
  EXPECT_EQ(list.tasks[0].weight, 2);
}

TEST(RegionTasks, KeepTheReasonOfAProductWithoutASpec) {
  const TaskList list =
      tasks_of("node a = complex Conv {not_tuned=\"4 spatial axes\"} (x, w) -> y: f32[4,4]\n");
  ASSERT_EQ(list.not_tuned.size(), 1u);
  EXPECT_EQ(print(list.not_tuned[0]), "Conv 1 (a): 4 spatial axes");
}

TEST(RegionTasks, LeaveViewsAndWhatIsNotComputed) {
  const TaskList list = tasks_of(
      "node a = data_movement Flatten {axis=1} (x) -> p: f32[4,4]\n"
      "node b = unknown Odd (p) -> q: f32[4,4]\n"
      "node c = unknown Odd (q) -> r: f32[4,4]\n"
      "node d = unknown Loop (r) -> y: f32[4,4]\n");
  EXPECT_TRUE(list.tasks.empty());
  ASSERT_EQ(list.not_tuned.size(), 2u);
  EXPECT_EQ(print(list.not_tuned[0]), "Odd 2 (b c): an operator without a rule");
  EXPECT_EQ(print(list.not_tuned[1]), "Loop 1 (d): control flow");
}

}  // namespace
}  // namespace dovetail
