// SPDX-License-Identifier: Apache-2.0
#pragma once

// The rows of a bench as text.

#include <string>

#include "campaign/bench/bench_report.h"

namespace dovetail {

// For a line of progress: "12.3 us, 1.05 (onednn), 1.3 beside nohw".
std::string short_text(const BenchRow& row);

std::string table_text(const BenchReport& report);

}  // namespace dovetail
