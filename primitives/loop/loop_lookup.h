// SPDX-License-Identifier: Apache-2.0
//
// What every loop primitive asks first, and the one way in which loops are replaced by others.
#pragma once

#include <map>
#include <string>

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"

namespace dovetail {

// Index of the loop; the error starts with the primitive as printed and lists the loops that exist.
Result<size_t> require_loop(const std::string& primitive, const std::string& name,
                            const Stage& stage);
// Also: it has no annotation yet.
Result<size_t> require_plain_loop(const std::string& primitive, const std::string& name,
                                  const Stage& stage);
// Also: it is an output loop; `verb` says what cannot be done to a reduction ("vectorize").
Result<size_t> require_output_loop(const std::string& primitive, const std::string& name,
                                   const std::string& verb, const Stage& stage);

// Over the work-items of a group, not over groups.
bool is_over_work_items(const StageLoop& loop);

// Every axis and output index rewritten for loops that were replaced; stage.loops already holds
// the new ones.
Stage with_values(Stage stage, const std::map<std::string, IndexExpr, std::less<>>& values);

}  // namespace dovetail
