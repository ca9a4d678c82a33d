// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/model/held_inputs.h"

#include <gtest/gtest.h>

#include <string>

#include "core/frontend/onnx_import.h"
#include "tests/core/frontend/model_file.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::import_text;
using testing::model_bytes;
using testing::nodes_of;
using testing::right;
using testing::write_file;

// x + k, k of some type.
std::string sum_with(const std::string& type) {
  return "g (float[2,3] x, " + type + " k) => (y) { r = Cast<to = 1>(k) y = Add(x, r) }";
}

// The numbers that x is added to.
std::vector<float> held_at(const std::string& type, const std::string& number) {
  const auto graph = right(import_text(sum_with(type), {.constants = {{"k", number}}}));
  EXPECT_EQ(graph.inputs.size(), 1u);
  for (const GraphTensor& tensor : graph.tensors)
    if (tensor.constant) return floats_of(*tensor.data);
  return {};
}

TEST(HeldInputs, AreConstantsOfTheirTypeAndShape) {
  EXPECT_EQ(held_at("float", "0.5"), std::vector<float>{0.5});
  EXPECT_EQ(held_at("float[3]", "-2"), (std::vector<float>{-2, -2, -2}));
  EXPECT_EQ(held_at("double", "1e3"), std::vector<float>{1000});
  EXPECT_EQ(held_at("float16", "0.1"), std::vector<float>{0.0999755859375});
  EXPECT_EQ(held_at("int64", "16000"), std::vector<float>{16000});
  EXPECT_EQ(held_at("int8", "-128"), std::vector<float>{-128});
  EXPECT_EQ(held_at("uint32", "4294967295"), std::vector<float>{4294967296});
  EXPECT_EQ(held_at("bool", "1"), std::vector<float>{1});
}

TEST(HeldInputs, DecideWhichBranchIsTaken) {
  const std::string text =
      "g (float[2,3] x, int64 sr) => (y) { k = Constant<value = int64 {16000}>() c = Equal(sr, k) "
      "y = If<then_branch = t () => (float[2,3] o) { o = Relu(x) }, "
      "else_branch = e () => (float[2,2] o) { o = MatMul(x, x) }>(c) }";
  EXPECT_EQ(nodes_of(text, {.constants = {{"sr", "16000"}}}),
            "Relu_0 = elementwise Relu (x) -> y/o: f32[2,3]\n"
            "Identity_1 = elementwise Identity (y/o) -> y: f32[2,3]\n");
  EXPECT_ERROR(import_text(text, {.constants = {{"sr", "8000"}}}), "reductions 3 and 2");
}

TEST(HeldInputs, OfADynamicShapeNeedItToo) {
  const std::string text = "g (float[2,3] x, float[N] k) => (float[2,M] y) { y = Add(x, k) }";
  EXPECT_ERROR(import_text(text, {.constants = {{"k", "2"}}}),
               "dynamic shapes of k[N]; expected --shape NAME=");
  const auto graph = right(import_text(text, {.shapes = {{"k", {3}}}, .constants = {{"k", "2"}}}));
  EXPECT_EQ(graph.inputs.size(), 1u);
}

struct NotHeld {
  const char* type;
  const char* number;
  const char* message;
};

TEST(HeldInputs, AreRefusedWhereTheirTypeDoesNotHoldTheNumber) {
  for (const auto& [type, number, message] : {
           NotHeld{"int8", "128", "is of i8; expected a whole number from -128 to 127"},
           NotHeld{"uint8", "-1", "is of u8; expected a whole number from 0 to 255"},
           NotHeld{"int64", "1.5", "is of i64; expected a whole number from -9223372036854775808"},
           NotHeld{"int64", "1e3",
                   "--constant k=1e3: the input is of i64; expected a whole number"},
           NotHeld{"int64", "9223372036854775808", "to 9223372036854775807"},
           NotHeld{"bool", "2", "is of bool; expected 0 or 1"},
           NotHeld{"float16", "70000", "is of f16; expected a finite number of f16"},
           NotHeld{"float", "1e39", "is of f32; expected a finite number of f32"},
           NotHeld{"double", "1e39", "is of f64; expected a finite number of f32"},
           NotHeld{"string", "1", "is of text; expected f32, f16"},
           NotHeld{"uint64", "1", "is of u64; expected f32, f16"},
           NotHeld{"float[20000,20000]", "1", "has more than 134217728 elements"},
       })
    EXPECT_ERROR(import_text(sum_with(type), {.constants = {{"k", number}}}), message);
}

TEST(HeldInputs, AreInputsOfTheModel) {
  EXPECT_ERROR(import_text(sum_with("float"), {.constants = {{"r", "1"}}}),
               "--constant names r, which is no input; expected one of k x");
}

TEST(HeldInputs, AreToldToWhoeverElseRunsTheModel) {
  const std::string path = write_file("held.onnx", model_bytes(sum_with("int32[1,2]")));
  const auto held = right(held_inputs(path, {.constants = {{"k", "7"}}}));
  ASSERT_EQ(held.size(), 1u);
  EXPECT_EQ(held[0].name, "k");
  EXPECT_EQ(held[0].type, ElementType::i32);
  EXPECT_EQ(held[0].shape, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(integers_of(*held[0].data), (std::vector<int64_t>{7, 7}));
}

TEST(ConstantOption, IsANameAndANumber) {
  const auto [name, number] = right(parse_constant_option("a=b=-1.5e3"));
  EXPECT_EQ(name, "a=b");
  EXPECT_EQ(number, "-1.5e3");
  for (const char* wrong : {"sr", "=1", "sr=", "sr=x", "sr=1k", "sr=inf", "sr=nan"})
    EXPECT_ERROR(parse_constant_option(wrong), "expected NAME=VALUE with a finite number");
}

}  // namespace
}  // namespace dovetail
