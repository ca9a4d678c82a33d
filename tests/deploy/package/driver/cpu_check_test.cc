// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/driver/cpu_check.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#if DOVETAIL_HAVE_LLVM
#include "core/codegen/llvm/known_cpus.h"
#endif
#include "tests/support/expect_error.h"

namespace dovetail::testing {
namespace {

using Words = std::vector<std::string>;

TEST(CpuCheck, GathersFeaturesOfOneRegister) {
  const CpuNeeds needs = *cpu_needs({"avx512f", "fma", "avx2", "lzcnt"});
  const std::vector<CpuQuestion> expected = {
      {.leaf = 1, .subleaf = 0, .answer = 2, .mask = 0x1000},
      {.leaf = 7, .subleaf = 0, .answer = 1, .mask = 0x10020},
      {.leaf = 0x80000001, .subleaf = 0, .answer = 2, .mask = 0x20}};
  EXPECT_EQ(needs.questions, expected);
  EXPECT_EQ(needs.xcr0, 0xe6u);
  EXPECT_EQ(cpu_needs({"avx"})->xcr0, 6u);
  EXPECT_EQ(cpu_needs({"popcnt"})->xcr0, 0u);
  EXPECT_TRUE(cpu_needs({})->questions.empty());
}

TEST(CpuCheck, RefusesWhatItCannotAskFor) {
  EXPECT_ERROR(cpu_needs({"avx", "avx9"}), "CPU feature \"avx9\"; expected some of sse3");
}

TEST(CpuCheck, TakesFeaturesFromLists) {
  EXPECT_EQ(askable_features({"fma", "cmov", "avx2", "64bit"}), (Words{"avx2", "fma"}));
  EXPECT_EQ(askable_features({}), Words{});
}

#if DOVETAIL_HAVE_LLVM
// Features that every x86-64 CPU has, and those whose instructions no compiler chooses by itself:
// of the system, of encryption, of matrices in tiles, of other memory orders.
const std::set<std::string> kNeverChosen = {"aes",       "amx-bf16", "amx-complex",
                                            "amx-fp16",  "amx-int8", "amx-tile",
                                            "cldemote",  "clwb",     "clflushopt",
                                            "clzero",    "cmov",     "cmpccxadd",
                                            "crc32",     "cx8",      "enqcmd",
                                            "evex512",   "fsgsbase", "fxsr",
                                            "hreset",    "invpcid",  "kl",
                                            "lwp",       "mmx",      "movdir64b",
                                            "movdiri",   "mwaitx",   "pclmul",
                                            "pconfig",   "pku",      "prefetchi",
                                            "prfchw",    "ptwrite",  "rdpid",
                                            "rdpru",     "rdrnd",    "rdseed",
                                            "serialize", "sgx",      "sha",
                                            "sha512",    "shstk",    "sm3",
                                            "sm4",       "sse",      "sse2",
                                            "tsxldtrk",  "uintr",    "usermsr",
                                            "waitpkg",   "wbnoinvd", "widekl",
                                            "x87",       "xsave",    "xsavec",
                                            "xsaveopt",  "xsaves",   "avx512vp2intersect"};

// Otherwise a package would run on a processor without it, and die there.
TEST(CpuCheck, AsksForEveryFeatureThatCodeForAKnownCpuMayHave) {
  for (const std::string& cpu : known_cpus())
    for (const std::string& feature : features_of_x86(cpu))
      EXPECT_TRUE(kNeverChosen.contains(feature) || !askable_features({feature}).empty())
          << feature << " of " << cpu;
}
#endif

}  // namespace
}  // namespace dovetail::testing
