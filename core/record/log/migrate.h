// SPDX-License-Identifier: Apache-2.0
#pragma once

// migrate: a line of an older log, as this version writes it.
//
//   migrate(line_of_schema_1, 1)     // the line itself: 1 is this version's
//   migrate(line_of_schema_7, 7)     // error: schema 7 is newer than this program's 1; ...
//
// The schema of a line is that of the header above it. When a field changes its name or meaning,
// the schema goes up by one and kMigrations gets one entry more: readers of every later version
// then go through the steps in order, and no other code knows that older logs exist. (With schema 2
// comes one rule: `tune` must not add to a file of schema 1 before `log migrate` rewrote it.) A
// field that is only added needs no new schema: it is optional, and older programs keep it as an
// unknown field.

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

inline constexpr int kSchema = 1;

// `object` is a line's JSON object without its checksum.
Result<std::string> migrate(std::string object, int schema);

}  // namespace dovetail
