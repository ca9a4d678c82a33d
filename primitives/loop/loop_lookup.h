// SPDX-License-Identifier: Apache-2.0
//
// Shared by all loop primitives: the checks that they make first, look-ups by name in a schedule,
// and the replacement of loops by others.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"

namespace dovetail {

using IndexValues = std::map<std::string, IndexExpr, std::less<>>;  // by variable

// Index of the loop; the error starts with the primitive as printed and lists the loops that exist.
Result<size_t> require_loop(const std::string& primitive, const std::string& name,
                            const Stage& stage);
// The loop must also have no annotation yet.
Result<size_t> require_plain_loop(const std::string& primitive, const std::string& name,
                                  const Stage& stage);
// The loop must also be an output loop; `verb`: the action that a reduction does not allow
// ("bind").
Result<size_t> require_output_loop(const std::string& primitive, const std::string& name,
                                   const std::string& verb, const Stage& stage);

const ScheduledTensor& tensor_named(const std::vector<ScheduledTensor>& tensors,
                                    const std::string& name);  // CHECKs that it exists
// Null where there is no such stage.
const Stage* find_stage(std::span<const Stage> stages, const std::string& name);
// The attached stage that computes the tensor as a tile; null where none does.
const Stage* attached_maker(std::span<const Stage> stages, const std::string& tensor);

// Replaces variables in the access's indices and conditions by `values`.
Access substituted(Access access, const IndexValues& values, const Ranges& ranges);

// Gives `to`, a computation of the same output that has only the reads of its element, the epilogue
// of `from`, with the reads of that epilogue and the output's tensor.
void take_result(const Computation& from, Computation& to);

// Whether the loop is bound to the work-items of a group, not to groups.
bool is_over_work_items(const StageLoop& loop);

// Rewrites all axis values and output indices for loops that were replaced; stage.loops already has
// the new ones.
Stage with_values(Stage stage, const IndexValues& values);

}  // namespace dovetail
