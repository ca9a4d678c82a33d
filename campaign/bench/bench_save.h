// SPDX-License-Identifier: Apache-2.0
#pragma once

// SavedRows: what `bench --save FILE` has measured so far, a JSON line a row, so that an hour's
// comparison that is killed goes on where it was.
//
//   SavedRows saved = TRY(SavedRows::open("rows.jsonl"));
//   if (const BenchTimes* times = saved.find(asked)) ...   // measured before
//   TRY(saved.add(asked, contest.measure(entry)));         // on the disk when it returns
//
// `asked` says what was compared: spec, target, device, every trace, every peer. A row counts only
// where all of that is the same; one in which our kernel failed is not kept, and is tried again.

#include <map>
#include <string>
#include <string_view>

#include "campaign/bench/bench_contest.h"
#include "core/base/result.h"

namespace dovetail {

// Samples, and how peers chose, are left out but for the names.
class SavedRows {
 public:
  // Without a path nothing is kept. The error says that the file is something else.
  static Result<SavedRows> open(const std::string& path);

  const BenchTimes* find(const std::string& asked) const;
  Result<void> add(const std::string& asked, const BenchTimes& times);
  const std::string& path() const { return path_; }

 private:
  bool take(std::string_view line);  // false: it is no row

  std::string path_;
  std::map<std::string, BenchTimes> rows_;
};

}  // namespace dovetail
