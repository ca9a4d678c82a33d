// SPDX-License-Identifier: Apache-2.0
//
// The text of a log of one record, which says that `trace` of `spec` took a microsecond.
//
//   folder.write("log.jsonl", one_record_log(target, "gmm:m=8,n=8,k=8", "loops: …"));
#pragma once

#include <string>

#include "core/ir/target.h"
#include "core/record/line/log_header.h"
#include "core/record/line/record.h"

namespace dovetail::testing {

inline std::string one_record_log(const Target& target, const std::string& spec,
                                  const std::string& trace) {
  LogHeader header;
  header.tool = "test";
  header.target = "cpu";
  header.device = facets_of(target);
  Record record;
  record.trial = 1;
  record.task = spec;
  record.target = print(target.name);
  record.trace = trace;
  record.strategy = "random";
  record.result.status = Status::ok;
  record.result.seconds = 1e-6;
  record.result.samples = {1e-6};
  return print(header) + "\n" + print(record) + "\n";
}

}  // namespace dovetail::testing
