// SPDX-License-Identifier: Apache-2.0
#include "campaign/tune/task_notes.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

Record of_task(const std::string& task) {
  Record record;
  record.task = task;
  return record;
}

TEST(TaskNotes, NameTasksThatTheNetworkLost) {
  const std::vector<Layer> layers{{.name = "pool_2", .spec = "B[a]=A[a]:a=1", .nodes = 1}};
  EXPECT_EQ(note_on_left_tasks({}, layers), "");
  const std::vector<Record> one{of_task("B[a]=A[a]:a=1"), of_task("B[a]=A[a]:a=1")};
  EXPECT_EQ(note_on_left_tasks(one, layers),
            "1 task of the log is no longer part of the network, as its layouts changed: pool_2");
  const std::vector<Record> two{of_task("B[a]=A[a]:a=1"), of_task("gmm:m=1,n=1,k=1")};
  EXPECT_EQ(note_on_left_tasks(two, layers),
            "2 tasks of the log are no longer part of the network, as its layouts changed: "
            "gmm:m=1,n=1,k=1, pool_2");
}

}  // namespace
}  // namespace dovetail
