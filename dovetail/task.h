// SPDX-License-Identifier: Apache-2.0
#pragma once

// Task: one operator, or several that run together, which is tuned by itself.
//
//   dt::Task::parse("c2d:ci=64,co=64,h=56,w=56,k=3,p=1+bias+relu")
//   dt::Task::parse("Y[i,j] = exp(X[i,j]) : i=128,j=128")
//   dt::tasks_of(model)                                      each distinct one of a model
//
// docs/workloads.md has the language.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "dovetail/model.h"

namespace dovetail::api {

class Task {
 public:
  static Result<Task> parse(std::string_view spec);

  const std::string& name() const;  // the model's first node that runs it; else its spec
  std::string spec() const;         // canonical: the key of logs
  int64_t weight() const;           // nodes of the model that run it

  struct Data;
  explicit Task(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

// Fails on operators that this version does not know.
Result<std::vector<Task>> tasks_of(const Model& model);

}  // namespace dovetail::api
