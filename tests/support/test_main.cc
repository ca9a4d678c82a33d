// SPDX-License-Identifier: Apache-2.0
// main() of every test program: GoogleTest's, plus --update-golden. Each process has a kernel cache
// of its own: PoCL's, shared by processes that compile at once, fails an assertion of its own
// (pocl_binary_get_kernels_metadata, PoCL 3.1).
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/support/golden.h"
#include "tests/support/temporary_folder.h"

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) != "--update-golden") {
      std::fprintf(stderr, "%s: unknown option %s (expected --update-golden or --gtest_...)\n",
                   argv[0], argv[i]);
      return 1;
    }
    dovetail::testing::set_update_golden(true);
  }
  const dovetail::testing::TemporaryFolder kernel_cache;
  constexpr int kReplace = 1, kKeep = 0;
  setenv("POCL_CACHE_DIR", kernel_cache.folder().c_str(), kReplace);
  // As programs do (core/backends/opencl/opencl_targets.h).
  setenv("POCL_AFFINITY", "1", kKeep);
  setenv("POCL_WORK_GROUP_SPECIALIZATION", "0", kKeep);
  return RUN_ALL_TESTS();
}
