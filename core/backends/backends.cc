// SPDX-License-Identifier: Apache-2.0
#include "core/backends/backends.h"

#include <algorithm>
#include <string>

#include "core/backends/cpu/cpu_backend.h"
#include "core/backends/opencl/opencl_backend.h"
#include "core/backends/ptx/ptx_backend.h"
#include "core/backends/reference/reference_backend.h"
#include "core/base/check.h"
#include "core/base/fail.h"

namespace dovetail {

std::span<const Backend* const> backends() {
  static const Backend* const kTable[] = {&cpu_backend(), &opencl_backend(), &ptx_backend(),
                                          &reference_backend()};
  return kTable;
}

Result<const Backend*> find_backend(const TargetName& name) {
  std::string known, meant;
  for (const Backend* backend : backends()) {
    if (backend->name() == name.backend) return backend;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", backend->name_forms());
    if (std::ranges::find(backend->other_words(), name.backend) != backend->other_words().end())
      meant = fmt::format("; {} is reached by target {}", name.backend, backend->name());
  }
  return fail("unknown target {}: expected {}{}", print(name), known, meant);
}

const Backend& backend_of(const Target& target) {
  const Result<const Backend*> found = find_backend(target.name);
  CHECK(found.has_value(), "the target was resolved by a backend");
  return **found;
}

Result<Target> resolve_target(std::string_view text) {
  const TargetName name = TRY(parse_target_name(text));
  return TRY(find_backend(name))->resolve(name);
}

Result<std::unique_ptr<Device>> open_device(const Target& target, const DeviceOptions& options) {
  return TRY(find_backend(target.name))->open(target, options);
}

}  // namespace dovetail
