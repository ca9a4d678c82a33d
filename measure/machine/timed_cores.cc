// SPDX-License-Identifier: Apache-2.0
#include "measure/machine/timed_cores.h"

#include "core/backends/backends.h"
#include "core/base/fail.h"

namespace dovetail {

Result<CoreSplit> cores_for(const Target& target) {
  const size_t all = allowed_cores().size();
  const size_t timed = backend_of(target).timed_cores(target, all);
  if (timed > all) {
    return fail("target {} needs {} cores, this process may use {}", print(target.name), timed,
                all);
  }
  return split_cores(physical_cores(), timed);
}

}  // namespace dovetail
