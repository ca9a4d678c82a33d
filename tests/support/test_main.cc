// SPDX-License-Identifier: Apache-2.0
// main() of every test program: GoogleTest's, plus --update-golden.
#include <gtest/gtest.h>

#include <cstdio>
#include <string_view>

#include "tests/support/golden.h"

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
  return RUN_ALL_TESTS();
}
