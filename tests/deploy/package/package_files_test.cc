// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/package_files.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/memory/problem_text.h"
#include "deploy/package/sha256.h"
#include "tests/deploy/package/json_schema.h"
#include "tests/deploy/package/sample_package.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

using Json = nlohmann::json;

Package sample(const PackageOptions& options = {.name = "pose"},
               const PackageFacts& facts = sample_facts()) {
  return *package_files(sample_executable("pose"), facts, options, {"avx2", "fma"});
}

std::vector<std::string> paths_of(const Package& package) {
  std::vector<std::string> paths;
  for (const auto& [path, bytes] : package.files) paths.push_back(path);
  return paths;
}

TEST(PackageFiles, AreAFolder) {
  const std::vector<std::string> expected = {"LICENSES",
                                             "examples/main.c",
                                             "examples/openmp.c",
                                             "examples/threads.cc",
                                             "include/pose.h",
                                             "lib/cmake/pose/pose-config-version.cmake",
                                             "lib/cmake/pose/pose-config.cmake",
                                             "lib/libpose.a",
                                             "lib/pkgconfig/pose.pc",
                                             "share/pose/metadata.json",
                                             "share/pose/plan.csv",
                                             "share/pose/plan.svg",
                                             "share/pose/pose.weights",
                                             "src/pose.c"};
  EXPECT_EQ(paths_of(sample({.name = "pose", .archive = "!<arch>"})), expected);
}

TEST(PackageFiles, AreReadByAPerson) {
  Package package = sample();
  for (const char* path : {"lib/cmake/pose/pose-config.cmake", "lib/pkgconfig/pose.pc",
                           "examples/main.c", "examples/threads.cc", "examples/openmp.c"})
    EXPECT_GOLDEN(package.files[path],
                  std::string("deploy/package/") + std::filesystem::path(path).filename().string());
}

// LLVM's name of the CPU may promise less than its code needs.
TEST(PackageFiles, NameFeaturesBeyondTheNamedCpu) {
  const Executable pose = sample_executable("pose");
  const PackageVariants variants = {{.executable = &pose,
                                     .label = "",
                                     .cpu_features = {"avx2", "avx512fp16", "avxvnni"},
                                     .unnamed_features = {"avx512fp16", "avxvnni"}}};
  const Package made = right(package_files(variants, sample_facts(), {.name = "pose"}));
  const std::string& header = made.files.at("include/pose.h");
  EXPECT_NE(header.find(" C99, C11, C++11 and up. Build " + made.id.substr(0, 8) +
                        ".\n * Needs more than " + pose.target.llvm_cpu +
                        " has: avx512fp16 avxvnni. */\n"),
            std::string::npos)
      << header.substr(0, 600);
}

TEST(PackageFiles, AreNamedByMetadata) {
  const Package package = sample();
  const Json metadata = Json::parse(package.files.at("share/pose/metadata.json"));
  EXPECT_EQ(metadata["id"], package.id);
  EXPECT_EQ(metadata["files"].size(), package.files.size() - 1);
  for (const auto& [path, digest] : metadata["files"].items())
    EXPECT_EQ(digest, sha256_hex(package.files.at(path))) << path;
  const PackageFiles more = with_file(package.files, "lib/libpose.a", "!<arch>");
  const Json changed = Json::parse(more.at("share/pose/metadata.json"));
  EXPECT_EQ(changed["files"]["lib/libpose.a"], sha256_hex("!<arch>"));
  const Json schema = Json::parse(source_file("deploy/package/metadata.schema.json"));
  EXPECT_EQ(schema_mistakes(changed, schema), std::vector<std::string>{});
}

TEST(PackageFiles, CarryTheIdOfTheBuild) {
  const Package package = sample();
  ASSERT_EQ(package.id.size(), 64u);
  const std::string id8 = package.id.substr(0, 8);
  EXPECT_NE(package.files.at("include/pose.h").find("pose_init_" + id8), std::string::npos);
  const std::string& weights = package.files.at("share/pose/pose.weights");
  Sha256 id{};
  for (size_t i = 0; i < id.size(); ++i) id[i] = static_cast<uint8_t>(weights[16 + i]);
  EXPECT_EQ(hex_of(id), package.id);
}

TEST(PackageFiles, OfOneBuildAreTheSameBytes) {
  EXPECT_EQ(sample().files, sample().files);
  const std::string id = sample().id;
  EXPECT_EQ(sample({.name = "pose", .archive = "!<arch>"}).id, id);  // made of the rest
  PackageFacts facts = sample_facts();
  facts.calls[1].why = "another";
  EXPECT_NE(sample({.name = "pose"}, facts).id, id);
  facts = sample_facts();
  facts.created = 1700000000;
  const Package dated = sample({.name = "pose"}, facts);
  EXPECT_EQ(dated.id, id) << "what runs is the same";
  EXPECT_EQ(dated.files.at("share/pose/pose.weights"),
            sample().files.at("share/pose/pose.weights"));
  EXPECT_EQ(dated.files.at("include/pose.h"), sample().files.at("include/pose.h"));
  EXPECT_NE(dated.files.at("share/pose/metadata.json"),
            sample().files.at("share/pose/metadata.json"));
  Executable executable = sample_executable("pose");
  executable.constants[1][100] ^= std::byte{1};
  const auto id_of = [&] {
    return package_files(executable, sample_facts(), {.name = "pose"}, {"avx2", "fma"})->id;
  };
  EXPECT_NE(id_of(), id);
  executable = sample_executable("pose");
  EXPECT_EQ(id_of(), id);
  executable.code.objects[0] += "x";
  EXPECT_NE(id_of(), id);
}

TEST(PackageFiles, SayWhatAnIndexOutsideItsAxisGives) {
  Executable executable = sample_executable("pose");
  const auto header = [&] {
    return package_files(executable, sample_facts(), {.name = "pose"}, {"avx2", "fma"})
        ->files.at("include/pose.h");
  };
  const std::string said = "is taken to the axis's nearest end where it is outside. */";
  EXPECT_EQ(header().find(said), std::string::npos) << "no input is of integers";
  executable.inputs[1].type = ElementType::i64;
  EXPECT_NE(header().find(said), std::string::npos);
}

TEST(PackageFiles, GiveEmbeddedWeightsToTheCaller) {
  const Package inside = sample({.name = "pose", .weights = WeightsForm::embed});
  EXPECT_FALSE(inside.files.contains("share/pose/pose.weights"));
  ASSERT_TRUE(inside.embedded.contains("pose_weights"));
  EXPECT_EQ(inside.embedded.at("pose_weights").size(), 192u);
  EXPECT_TRUE(sample().embedded.empty());
}

TEST(PackageFiles, HaveOneFileOfWeightsAPool) {
  const Package package =
      *package_files(sample_executable_with_pools("pose"), sample_facts(), {.name = "pose"});
  EXPECT_TRUE(package.files.contains("share/pose/pose.itcm.weights"));
  EXPECT_TRUE(package.files.contains("share/pose/pose.flash.weights"));
}

TEST(PackageFiles, HoldAPlanThatIsReadAgain) {
  const auto problem = parse_problem(sample().files.at("share/pose/plan.csv"), "plan.csv");
  ASSERT_TRUE(problem.has_value());
  EXPECT_EQ(problem->buffers[0].offset, 0);
  EXPECT_EQ(problem->buffers[0].alignment, 64);
}

TEST(PackageFiles, NeedNoConstants) {
  Executable executable = sample_executable("pose");
  executable.arenas.pop_back();
  executable.constants.pop_back();
  executable.buffers[3].place.reset();
  executable.buffers[5].place.reset();
  const Package package = *package_files(executable, sample_facts(), {.name = "pose"});
  EXPECT_EQ(package.files.at("share/pose/pose.weights").size(), 64u);
}

TEST(PackageFiles, RefuseABadNameOrFeature) {
  EXPECT_ERROR(package_files(sample_executable("pose"), sample_facts(), {.name = "if"}), "keyword");
  EXPECT_ERROR(package_files(sample_executable("pose"), sample_facts(), {.name = "pose"}, {"neon"}),
               "CPU feature \"neon\"");
}

}  // namespace
}  // namespace dovetail::testing
