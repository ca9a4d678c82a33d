// SPDX-License-Identifier: Apache-2.0
#include "tests/support/targets.h"

#include <fstream>
#include <sstream>

#include "tests/support/golden.h"
#include "tests/support/right.h"

namespace dovetail::testing {

Target target_of_profile(const std::string& file) {
  std::ifstream profile(source_dir() / "docs/examples" / file);
  std::ostringstream text;
  text << profile.rdbuf();
  return right(parse_target(text.str()), file);
}

Target opencl_with_images() {
  Target target;
  target.name.backend = "opencl";
  target.execution = ExecutionModel::work_groups;
  target.vector_bytes = 16;
  target.has_images = true;
  target.image2d_max_width = target.image2d_max_height = 16384;
  target.max_work_group_size = 256;
  target.local_memory_bytes = 32 << 10;
  target.compute_units = 8;
  return target;
}

}  // namespace dovetail::testing
