// SPDX-License-Identifier: Apache-2.0
#pragma once

// OpenclContext: one OpenCL device, ready to run programs: memory in every scope, an in-order
// queue, timing.
//
//   OpenclContext context = TRY(OpenclContext::open(name));
//   OpenclMemory x = TRY(context.allocate(layout, ElementType::f32, {.guarded = true}));
//   TRY(context.upload(x, elements.data()));         // a buffer or an image, by layout.scope
//   OpenclProgram program = TRY(context.build(source.text));     // or context.load(binary)
//   const std::vector<OpenclLaunch> launches = {{"kernel_c2d", global, local, {&x, &w, &y}}};
//   double seconds = TRY(context.run(program, launches, /*repetitions=*/10));
//   TRY(context.download(y, elements.data()));
//
// Elements have the given type and the layout's physical order. A memory scope that the device does
// not support is an error; there is no fallback to another scope.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/layout/layout.h"
#include "core/ir/operator/operator.h"
#include "core/ir/target.h"

namespace dovetail {

struct AllocationOptions {
  // Guard zones before and after a buffer detect stray writes; images need none.
  bool guarded = false;
};

// A buffer or an image; released with its last copy.
class OpenclMemory {
 public:
  struct State;
  explicit OpenclMemory(std::shared_ptr<State> state) : state_(std::move(state)) {}
  int64_t bytes() const;  // elements only, without guard zones
  bool is_image() const;

 private:
  friend class OpenclContext;
  std::shared_ptr<State> state_;
};

// Compiled kernels; released with its last copy.
class OpenclProgram {
 public:
  struct State;
  explicit OpenclProgram(std::shared_ptr<State> state) : state_(std::move(state)) {}

 private:
  friend class OpenclContext;
  std::shared_ptr<State> state_;
};

struct OpenclLaunch {
  std::string kernel;
  std::array<int64_t, 3> global = {1, 1, 1}, local = {1, 1, 1};
  std::vector<const OpenclMemory*> arguments;
};

class OpenclContext {
 public:
  // Fails for a profile, which describes a device that is not on this machine.
  static Result<OpenclContext> open(const TargetName& name);

  const Target& target() const;

  // The contents are undefined.
  Result<OpenclMemory> allocate(const Layout& layout, ElementType dtype,
                                const AllocationOptions& options = {});
  // Copies bytes() bytes.
  Result<void> upload(const OpenclMemory& memory, const void* bytes);
  Result<void> download(const OpenclMemory& memory, void* bytes);
  // False when a guard zone of a guarded buffer was overwritten.
  Result<bool> guards_intact(const OpenclMemory& memory);

  // An error contains the first error line of the compiler's log.
  Result<OpenclProgram> build(std::string_view source);
  Result<OpenclProgram> load(std::string_view binary);  // from binary(), same device and driver
  Result<std::string> binary(const OpenclProgram& program);

  // Runs the launches in order, `repetitions` times, and waits. Returns the seconds from the start
  // of the first kernel to the end of the last, by the device's clock, divided by the repetitions.
  Result<double> run(const OpenclProgram& program, std::span<const OpenclLaunch> launches,
                     int64_t repetitions = 1);

 private:
  struct State;
  explicit OpenclContext(std::shared_ptr<State> state) : state_(std::move(state)) {}
  static Result<void> set_arguments(void* kernel, const OpenclLaunch& launch);  // a cl_kernel
  std::shared_ptr<State> state_;
};

}  // namespace dovetail
