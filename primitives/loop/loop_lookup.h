// SPDX-License-Identifier: Apache-2.0
//
// What every loop primitive asks first, what a schedule has under a name, and the one way in which
// loops are replaced by others.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

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

const ScheduledTensor& tensor_named(const std::vector<ScheduledTensor>& tensors,
                                    const std::string& name);  // CHECKs that it exists
// Null where there is none.
const Stage* find_stage(std::span<const Stage> stages, const std::string& name);
// What makes the tensor inside another stage, as a tile; null where nothing does.
const Stage* attached_maker(std::span<const Stage> stages, const std::string& tensor);

// Over the work-items of a group, not over groups.
bool is_over_work_items(const StageLoop& loop);

// Every axis and output index rewritten for loops that were replaced; stage.loops already holds
// the new ones.
Stage with_values(Stage stage, const std::map<std::string, IndexExpr, std::less<>>& values);

}  // namespace dovetail
