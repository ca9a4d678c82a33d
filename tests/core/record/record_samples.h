// SPDX-License-Identifier: Apache-2.0
#pragma once

// Headers, records and files that the tests of logs start from.

#include <string>
#include <string_view>

#include "core/record/line/log_header.h"
#include "core/record/line/record.h"
#include "core/record/line/round_record.h"
#include "tests/support/temporary_folder.h"

namespace dovetail::testing {

LogHeader sample_header();
Record sample_trial(int64_t trial);
Record sample_failure(int64_t trial);
Record sample_sentinel(int64_t of_trial);
RoundRecord sample_round(int64_t round);

// The number that the next trial of a task gets: one more than the largest so far.
int64_t next_trial(const std::vector<Record>& records, int64_t campaign, const std::string& task);

std::string read_file(const std::string& path);
void write_file(const std::string& path, std::string_view bytes);

}  // namespace dovetail::testing
