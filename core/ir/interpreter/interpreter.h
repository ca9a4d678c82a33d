// SPDX-License-Identifier: Apache-2.0
//
// Interpreter: runs a program on the host, one scalar statement after the other, whatever its
// loops' kinds say. It defines what a program means: the tests hold every backend's code to it, and
// core/backends/reference is a device that runs it.
//
//     BufferNumbers numbers;
//     numbers["X"] = {1, 2, 3, 4};                             // every input and output
//     numbers["Y"] = std::vector<double>(elements, NaN);
//     TRY(interpret(program, numbers));                        // Y and the temporaries are there
//
// Work-items that wait for each other at barriers run in phases (core/ir/interpreter/phases.h).
//
// Nothing passes in silence: an index outside its buffer, a register read before it was stored to,
// an unknown name or a buffer of the wrong size is an error that names the kernel, the access and
// the values of its variables. Kernels that run once run like the others. Temporaries and derived
// buffers start as NaN, so that a read of what no kernel wrote shows in the output. Real numbers
// are rounded to f32 after each operation, as kernels round them; integers are exact to 2^53
// (kernels have 64 bits); a store to an f16 buffer rounds.
//
// Why compiled to a flat form first: property tests run thousands of programs, and the look-ups by
// name would cost a hundred times the arithmetic. An access that ranges prove right is one dot
// product; the innermost multiply-add loop is a strided loop. Some 10^8 multiply-adds a second.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/program/program.h"

namespace dovetail {

// Physical elements of each buffer, in the order of its layout, by its name. A double holds each
// number that code computes with but integers beyond 2^53.
using BufferNumbers = std::map<std::string, std::vector<double>, std::less<>>;

Result<void> interpret(const Program& program, BufferNumbers& numbers);
// One kernel alone, which finds every buffer in `numbers`, temporaries too.
Result<void> interpret_kernel(const Program& program, const Kernel& kernel, BufferNumbers& numbers);

}  // namespace dovetail
