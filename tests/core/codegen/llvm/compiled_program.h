// SPDX-License-Identifier: Apache-2.0
//
// A program, compiled, loaded and run on vectors of its physical storage.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/codegen/llvm/compile.h"
#include "core/codegen/llvm/loader.h"
#include "core/ir/program/program.h"
#include "tests/support/interpreter.h"

namespace dovetail::testing {

Target host_cpu();

// parse_program, of a text whose lines may end with a backslash and go on in the next.
Program program_of(std::string_view text);

// Small integers, so that every sum is exact and the order of additions cannot matter; outputs and
// temporaries are NaN.
Storage small_integers(const Program& program, uint32_t seed);

class CompiledProgram {
 public:
  static Result<CompiledProgram> compile(const Program& program, const Target& target);

  // Runs all kernels, each in `parts` calls that share its parallel loop. A store outside a buffer
  // is an error.
  Result<void> run(Storage& storage, int parts = 1) const;
  // One call of each kernel.
  Result<void> run_part(Storage& storage, int64_t first, int64_t last) const;
  const CpuObject& object() const { return object_; }

 private:
  using Range = std::pair<int64_t, int64_t>;
  using RangesOf = std::function<std::vector<Range>(int64_t extent)>;
  Result<void> run(Storage& storage, const RangesOf& ranges_of) const;
  CompiledProgram(Program program, CpuObject object, LoadedObject code)
      : program_(std::move(program)), object_(std::move(object)), code_(std::move(code)) {}
  Program program_;
  CpuObject object_;
  LoadedObject code_;
};

}  // namespace dovetail::testing
