// SPDX-License-Identifier: Apache-2.0
//
// All loop primitives share these: the checks that they make first, the look-ups by name in a
// schedule, and the one way in which loops are replaced by others.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"

namespace dovetail {

using IndexValues = std::map<std::string, IndexExpr, std::less<>>;  // of variables

// It gives the index of the loop; the error starts with the primitive as printed and lists the
// loops that exist.
Result<size_t> require_loop(const std::string& primitive, const std::string& name,
                            const Stage& stage);
// The loop must also have no annotation yet.
Result<size_t> require_plain_loop(const std::string& primitive, const std::string& name,
                                  const Stage& stage);
// The loop must also be an output loop; `verb` says what cannot be done to a reduction
// ("vectorize").
Result<size_t> require_output_loop(const std::string& primitive, const std::string& name,
                                   const std::string& verb, const Stage& stage);

const ScheduledTensor& tensor_named(const std::vector<ScheduledTensor>& tensors,
                                    const std::string& name);  // CHECKs that it exists
// It is null where there is no such stage.
const Stage* find_stage(std::span<const Stage> stages, const std::string& name);
// This stage makes the tensor inside another, as a tile; it is null where none does.
const Stage* attached_maker(std::span<const Stage> stages, const std::string& tensor);

// The access gets its indices and conditions over other variables.
Access substituted(Access access, const IndexValues& values, const Ranges& ranges);

// `to`, a computation of the same output that has only what its element reads, takes the result of
// `from`, with the reads of that result and the output's tensor.
void take_result(const Computation& from, Computation& to);

// Such a loop runs over the work-items of a group, not over groups.
bool is_over_work_items(const StageLoop& loop);

// Every axis and output index is rewritten for loops that were replaced; stage.loops already holds
// the new ones.
Stage with_values(Stage stage, const IndexValues& values);

}  // namespace dovetail
