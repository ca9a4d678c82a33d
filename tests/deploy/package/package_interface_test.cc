// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/package_interface.h"

#include <gtest/gtest.h>

#include "tests/deploy/package/sample_package.h"
#include "tests/support/expect_error.h"

namespace dovetail::testing {
namespace {

Result<PackageInterface> interface_of(const Executable& executable,
                                      std::string_view name = "pose") {
  return package_interface({{.executable = &executable, .label = {}, .cpu_features = {}}}, name);
}

TEST(PackageInterface, NamesTensorsAndArenas) {
  const PackageInterface found = *interface_of(sample_executable("pose"));
  EXPECT_EQ(found.macro, "POSE");
  EXPECT_EQ(found.outputs[0].name, "heatmaps:0");
  EXPECT_EQ(found.outputs[0].c_name, "heatmaps_0");
  EXPECT_EQ(found.outputs[0].macro, "HEATMAPS_0");
  EXPECT_EQ(found.outputs[0].bytes, 40);
  EXPECT_EQ(found.outputs[1].bytes, 4);  // a scalar
  EXPECT_EQ(found.workspaces[0].macro, "WORKSPACE");
  EXPECT_EQ(found.weights[0].macro, "WEIGHTS");
  EXPECT_EQ(found.weights[0].sections, std::vector<int64_t>{64});
}

TEST(PackageInterface, NamesSeveralPoolsByThemselves) {
  const PackageInterface found = *interface_of(sample_executable_with_pools("pose"));
  EXPECT_EQ(found.workspaces[1].c_name, "dram");
  EXPECT_EQ(found.workspaces[1].arena, 2u);
  EXPECT_EQ(found.weights[1].macro, "FLASH");
  EXPECT_EQ(found.weights[1].bytes, 128 + 64);  // constants begin at a multiple of 128
  EXPECT_EQ(found.alignment, 128);
}

TEST(PackageInterface, KeepsTensorsApartFromSizes) {
  Executable pose = sample_executable("pose");
  pose.inputs[0].name = "Workspace";
  pose.outputs[0].name = "prior!";
  pose.outputs[1].name = "header";
  const PackageInterface found = *interface_of(pose);
  EXPECT_EQ(found.inputs[0].c_name, "Workspace_2");
  EXPECT_EQ(found.outputs[0].c_name, "prior_2");
  EXPECT_EQ(found.outputs[1].c_name, "header_2") << "of a number in the driver";
}

TEST(PackageInterface, HasATypeForEachStoredElement) {
  EXPECT_EQ(c_type(ElementType::f16), "uint16_t");
  EXPECT_EQ(c_type(ElementType::boolean), "uint8_t");
  for (int i = 0; i < kNumStoredTypes; ++i) EXPECT_NE(c_type(static_cast<ElementType>(i)), "");
  Executable pose = sample_executable("pose");
  pose.inputs[1].type = ElementType::text;
  EXPECT_ERROR(interface_of(pose), "tensor \"prior\" has elements of text");
}

TEST(PackageInterface, RefusesWhatItCannotRun) {
  Executable pose = sample_executable("pose");
  pose.outputs[1].buffer = pose.outputs[0].buffer;
  EXPECT_ERROR(interface_of(pose), "tensor \"score\" is another input or output");
  pose = sample_executable("pose");
  pose.code.launches.clear();
  EXPECT_ERROR(interface_of(pose), "no kernel");
  pose.code.form = CodeForm::program_text;
  EXPECT_ERROR(interface_of(pose), "gives code as program_text; a package holds");
  pose = sample_executable("pose");
  pose.buffers[0].scope = MemoryScope::texture;
  EXPECT_ERROR(interface_of(pose), "is a texture, which a cpu has not");
  EXPECT_ERROR(interface_of(sample_executable("pose"), "int"), "keyword");
}

TEST(PackageInterface, VariantsDifferInCodeOnly) {
  const Executable v4 = sample_executable("v4");
  Executable v3 = sample_executable("v3");
  const auto both = [&] {
    return package_interface({{.executable = &v4, .label = "v4", .cpu_features = {}},
                              {.executable = &v3, .label = "v3", .cpu_features = {}}},
                             "pose");
  };
  v3.arenas[0].bytes = 1024;
  v3.arenas[1].bytes = 192;
  EXPECT_EQ(both()->workspaces[0].bytes, 1024);
  EXPECT_EQ(both()->weights[0].sections, (std::vector<int64_t>{64, 4096}));
  EXPECT_EQ(both()->weights[0].bytes, 4096 + 192);
  v3.inputs[0].shape = {5, 2};
  EXPECT_ERROR(both(), "variants v4 and v3 have other inputs");
}

#if DOVETAIL_HAVE_LLVM
TEST(PackageInterface, VariantsAreForOneSystem) {
  Executable here = sample_executable("here");
  Executable v3 = sample_executable("v3");
  const auto both = [&] {
    return package_interface({{.executable = &here, .label = "rocketlake", .cpu_features = {}},
                              {.executable = &v3, .label = "v3", .cpu_features = {}}},
                             "pose");
  };
  here.target.llvm_triple = "x86_64-pc-linux-gnu";  // the vendor's word is no system
  EXPECT_TRUE(both().has_value());
  v3.target.llvm_triple = "x86_64-apple-macosx11.0.0";
  EXPECT_ERROR(both(), "variants rocketlake and v3 are for other systems: linux and macos");
  here.target.llvm_triple = "x86_64-apple-darwin23.1.0";
  EXPECT_TRUE(both().has_value());
  here.target.llvm_triple = "x86_64-pc-windows-msvc";
  EXPECT_ERROR(both(), "windows and macos");
  here.target.llvm_triple = "x86_64-unknown-linux-musl";
  v3.target.llvm_triple = "x86_64-unknown-linux-gnu";
  EXPECT_ERROR(both(), "linux-musl and linux");
}
#endif

TEST(PackageInterface, GivesAnArenaToANetworkWithoutConstants) {
  Executable pose = sample_executable("pose");
  pose.arenas.pop_back();
  pose.constants.pop_back();
  const Executable with = with_constants_arena(pose);
  EXPECT_EQ(with.arenas.back().use, ArenaUse::constants);
  EXPECT_EQ(with.constants.size(), 2u);
  EXPECT_EQ(with_constants_arena(with), with);
}

}  // namespace
}  // namespace dovetail::testing
