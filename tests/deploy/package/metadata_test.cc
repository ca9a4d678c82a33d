// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/metadata.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/deploy/package/json_schema.h"
#include "tests/deploy/package/sample_package.h"
#include "tests/support/golden.h"

namespace dovetail::testing {
namespace {

using Json = nlohmann::json;

class Metadata : public ::testing::Test {
 protected:
  std::string text(MetadataForm form = MetadataForm::file) const {
    const PackageVariants variants = {
        {.executable = &executable_, .label = {}, .cpu_features = {"avx2", "fma"}}};
    return metadata_text(variants, *package_interface(variants, "pose"), facts_,
                         std::string(64, 'a'), form);
  }
  Json complete() const { return Json::parse(with_files(text(), {{"LICENSES", sha256_}})); }

  Executable executable_ = sample_executable("pose");
  PackageFacts facts_ = sample_facts();
  std::string sha256_ = std::string(64, '0');
  Json schema_ = Json::parse(source_file("deploy/package/metadata.schema.json"));
};

using Lines = std::vector<std::string>;

TEST_F(Metadata, SaysWhatAPackageIs) { EXPECT_GOLDEN(text(), "deploy/package/metadata"); }

TEST_F(Metadata, KeepsToItsSchema) {
  EXPECT_EQ(schema_mistakes(complete(), schema_), Lines{});
  facts_.created = 1700000000;
  facts_.output_error.reset();
  facts_.origin = {};
  facts_.weights.clear();
  EXPECT_EQ(schema_mistakes(complete(), schema_), Lines{});
}

TEST_F(Metadata, OfAnotherSchemaIsRefusedByIt) {
  Json changed = complete();
  changed["schema"] = 2;
  changed["target"]["lanes"] = "8";
  changed["tensors"][0].erase("c_name");
  changed["more"] = 1;
  changed["files"]["LICENSES"] = "0";
  EXPECT_EQ(schema_mistakes(changed, schema_),
            (Lines{"$.files.LICENSES: does not look like \"^[0-9a-f]{64}$\"", "$.more: no such key",
                   "$.schema: is none of [3]", "$.target.lanes: is no \"integer\"",
                   "$.tensors[0]: lacks \"c_name\""}));
}

TEST_F(Metadata, LeavesOutWhatGrowsAndItsOriginWhereItIsEmbedded) {
  const Json embedded = Json::parse(text(MetadataForm::embedded));
  Json whole = Json::parse(text());
  for (const char* key :
       {"calls", "accuracy", "log", "variant", "options", "chosen_seconds", "joint_seconds"}) {
    EXPECT_FALSE(embedded.contains(key)) << key;
    EXPECT_EQ(whole.erase(key), 1u) << key;
  }
  EXPECT_EQ(embedded, whole);
}

TEST_F(Metadata, IsAsciiWhateverTheModelNames) {
  executable_.inputs[0].name =
      "Gr\xc3\xb6\xc3\x9f"
      "e \xff";  // the last byte is no UTF-8
  for (const char c : text()) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << int{c};
  EXPECT_EQ(Json::parse(text())["tensors"][0]["name"], "Größe \xef\xbf\xbd");
}

TEST_F(Metadata, IsKnownAsOurs) {
  EXPECT_TRUE(is_package_metadata(text()));
  EXPECT_FALSE(is_package_metadata("{\"schema\": 1}"));
  EXPECT_FALSE(is_package_metadata("{\"schema\": 1, \"tool\": \"other 1.0\"}"));
  EXPECT_FALSE(is_package_metadata("no JSON"));
}

}  // namespace
}  // namespace dovetail::testing
