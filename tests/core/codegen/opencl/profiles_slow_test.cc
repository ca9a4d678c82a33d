// SPDX-License-Identifier: Apache-2.0
// Devices that are not here: every operator of the suites compiles within the limits that the
// profiles in docs/examples state.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "core/backends/backends.h"
#include "core/ir/graph/suite.h"
#include "core/ir/program/work_groups.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/space/space.h"
#include "tests/core/codegen/opencl/execution.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

namespace dovetail::testing {
namespace {

int64_t volume(const std::array<int64_t, 3>& sizes) { return sizes[0] * sizes[1] * sizes[2]; }

class Profile : public ::testing::TestWithParam<const char*> {};

TEST_P(Profile, CompilesTheSuitesWithinItsLimits) {
  const Target target = target_of_profile(GetParam());
  std::mt19937_64 rng(48);
  int with_images = 0;
  for (const char* file : {"nine_b1.txt", "nine_b16.txt"}) {
    const Suite suite = right(read_suite((source_dir() / "scripts/suites" / file).string()), file);
    for (const SuiteEntry& entry : suite) {
      const Space space = right(build_space(entry.spec, target), entry.name);
      for (const Point& point : {space.default_point(), space.sample(rng)}) {
        const Trace trace = space.decode(point);
        const std::string what = entry.name + "\n" + print(trace);
        const Program program =
            right(lower(right(apply(trace, entry.spec.region, target), what), target), what);
        const EmittedCode code = right(backend_of(target).emit({&program, 1}, target, {}), what);
        for (size_t k = 0; k < code.launches[0].size(); ++k) {
          const Launch& launch = code.launches[0][k];
          const WorkGroups groups = work_groups_of(program.kernels[k]);
          EXPECT_LE(groups.work_items, target.max_work_group_size) << what;
          EXPECT_EQ(volume(launch.local), groups.work_items) << what;
          EXPECT_EQ(volume(launch.global), groups.work_items * groups.groups) << what;
        }
        with_images += uses_images(program) ? 1 : 0;
      }
    }
  }
  if (target.has_images)
    EXPECT_GT(with_images, 5) << "spaces offer images";
  else
    EXPECT_EQ(with_images, 0);
}

std::vector<const char*> profiles() {
  std::vector<const char*> files = {"adreno_like.profile", "h200.profile", "mali_like.profile"};
#ifdef DOVETAIL_HAVE_LLVM
  files.push_back("h200_ptx.profile");
#endif
  return files;
}

INSTANTIATE_TEST_SUITE_P(Devices, Profile, ::testing::ValuesIn(profiles()), [](const auto& tested) {
  return std::string(tested.param, std::string_view(tested.param).find('.'));
});

}  // namespace
}  // namespace dovetail::testing
