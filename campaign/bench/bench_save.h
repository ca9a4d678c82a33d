// SPDX-License-Identifier: Apache-2.0
#pragma once

// SavedRows: the rows that `bench --save FILE` has measured so far, one JSON line each, so that an
// hour's comparison resumes after it was killed.
//
//   SavedRows saved = TRY(SavedRows::open("rows.jsonl"));
//   if (const BenchTimes* times = saved.find(asked)) ...   // measured before
//   TRY(saved.add(asked, contest.measure(entry)));         // on the disk when it returns
//
// `asked` lists what was compared: spec, target, device, every trace, every peer. A row is reused
// only if all of it is the same; one in which our kernel failed is not kept but tried again.

#include <map>
#include <string>
#include <string_view>

#include "campaign/bench/bench_contest.h"
#include "core/base/result.h"

namespace dovetail {

// Stored without samples, and without most details of how peers chose.
class SavedRows {
 public:
  // Without a path nothing is kept. Fails if the file is of another kind.
  static Result<SavedRows> open(const std::string& path);

  const BenchTimes* find(const std::string& asked) const;
  Result<void> add(const std::string& asked, const BenchTimes& times);
  const std::string& path() const { return path_; }

 private:
  bool take(std::string_view line);  // false: not a row

  std::string path_;
  std::map<std::string, BenchTimes> rows_;
};

}  // namespace dovetail
