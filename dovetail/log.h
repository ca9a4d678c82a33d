// SPDX-License-Identifier: Apache-2.0
#pragma once

// Log: the file of everything that was measured; tune() adds to it, compile() chooses from it.
//
//   const dt::Log log("net.jsonl");                          need not exist yet
//   for (const dt::BestRecord& best : DOVETAIL_TRY(log.best_records())) …
//   DOVETAIL_TRY(log.append(dt::Log("other.jsonl")))         campaigns of another machine, say
//
// A measured line is in the file before the next one is measured, so that nothing is lost whatever
// happens to the process. docs/log-format.md has the format.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace dovetail::api {

// The best trial of a task on a target.
struct BestRecord {
  std::string task;    // its spec
  std::string target;  // "cpu:threads=2"
  std::string trace;   // layouts and loops, as primitives
  double seconds = 0;
  int64_t campaign = 1, trial = 1;
  friend bool operator==(const BestRecord&, const BestRecord&) = default;
};

class Log {
 public:
  explicit Log(std::string path);
  // In the folder for temporary files, and removed with the last copy of this handle.
  static Result<Log> temporary();

  const std::string& path() const;
  // One per task and target, in the order of the file; fails where there is no log.
  Result<std::vector<BestRecord>> best_records() const;
  // Takes the other's campaigns, in the order in which they began; those that are here already are
  // not taken twice. Not while a tune() writes to either.
  Result<void> append(const Log& other) const;

 private:
  struct File;
  std::shared_ptr<const File> file_;
};

}  // namespace dovetail::api
