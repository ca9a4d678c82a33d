// SPDX-License-Identifier: Apache-2.0
// OpenclContext of a program that is built without OpenCL (DOVETAIL_OPENCL=OFF).
#include "core/runtime/opencl_api.h"
#include "core/runtime/opencl_context.h"

#if !DOVETAIL_HAVE_OPENCL

namespace dovetail {

// Never made: open() fails first.
struct OpenclMemory::State {};
struct OpenclProgram::State {};
struct OpenclContext::State {
  Target target;
};

Result<OpenclContext> OpenclContext::open(const TargetName& name) {
  return Unexpected(find_opencl_device(name).error());
}
const Target& OpenclContext::target() const { return state_->target; }

namespace {
Unexpected absent() { return fail("this program was built without OpenCL"); }
}  // namespace

int64_t OpenclMemory::bytes() const { return 0; }
bool OpenclMemory::is_image() const { return false; }
Result<OpenclMemory> OpenclContext::allocate(const Layout&, ElementType, const AllocationOptions&) {
  return absent();
}
Result<void> OpenclContext::upload(const OpenclMemory&, const void*) { return absent(); }
Result<void> OpenclContext::download(const OpenclMemory&, void*) { return absent(); }
Result<bool> OpenclContext::guards_intact(const OpenclMemory&) { return absent(); }
Result<OpenclProgram> OpenclContext::build(std::string_view) { return absent(); }
Result<OpenclProgram> OpenclContext::load(std::string_view) { return absent(); }
Result<std::string> OpenclContext::binary(const OpenclProgram&) { return absent(); }
Result<double> OpenclContext::run(const OpenclProgram&, std::span<const OpenclLaunch>, int64_t) {
  return absent();
}

}  // namespace dovetail

#endif
