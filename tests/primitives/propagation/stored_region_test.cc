// SPDX-License-Identifier: Apache-2.0
#include "primitives/propagation/stored_region.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/ir/layout/pack.h"
#include "core/ir/layout/restate.h"
#include "core/ir/lexer.h"
#include "core/ir/region/canonical.h"
#include "core/ir/region/region_text.h"
#include "measure/reference/region_reference.h"
#include "tests/primitives/region_runs.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;
using testing::written_region;

Tensor tensor_of(const Region& region, const std::string& name) {
  for (const Tensor& tensor : tensors_of(region))
    if (tensor.name == name) return tensor;
  CHECK(false, "no tensor " + name);
}

NormalLayout form_of(const Region& region, const std::string& name, const std::string& text) {
  const Tensor tensor = tensor_of(region, name);
  Cursor cursor = right(Cursor::over(text, "form"));
  return right(parse_normal_layout(cursor, tensor.dims), text);
}

using Forms = std::vector<std::pair<std::string, std::string>>;
StoredForms forms_of(const Region& region, const Forms& texts) {
  StoredForms forms;
  for (const auto& [name, text] : texts) forms[name] = form_of(region, name, text);
  return forms;
}

std::string stored_text(const std::string& spec, const Forms& texts) {
  const Region region = written_region(spec);
  return print(right(stored_region(region, forms_of(region, texts)), spec));
}

TEST(StoredRegion, IsWrittenDownOverTheDigitsOfItsTensors) {
  const std::string pool = "Y[c,h,w]max=X[c,2*h+r,2*w+s]:c=64,h=28,w=28,r=2,s=2";
  const Forms blocks = {{"X", "0@16:4 1@1:56 2@1:56 0@1:16"}, {"Y", "0@16:4 1@1:28 2@1:28 0@1:16"}};
  EXPECT_EQ(right(parse_task_spec(stored_text(pool, blocks))),
            right(parse_task_spec("Y[a,h,w,b]max=X[a,2*h+r,2*w+s,b]:a=4,h=28,w=28,b=16,r=2,s=2")));
}

TEST(StoredRegion, SumsOverBothDigitsOfAnAxis) {
  const std::string sum = "Y[i]+=X[i,c]:i=4,c=32";
  EXPECT_EQ(right(parse_task_spec(stored_text(sum, {{"X", "1@8:4 0@1:4 1@1:8"}}))),
            right(parse_task_spec("Y[i]+=X[a,i,b]:a=4,i=4,b=8")));
}

TEST(StoredRegion, CutsAnAxisFinerInOneComputationThanInAnother) {
  const std::string norm = "M[i]=sum(X[i,j])/12;Y[i,j]=(X[i,j]-M[i])*G[j]:i=5,j=12";
  EXPECT_EQ(right(parse_task_spec(
                stored_text(norm, {{"X", "1@1:4 0@1:5 1@4:3"}, {"Y", "1@1:2 0@1:5 1@2:6"}}))),
            right(parse_task_spec("M[i]=sum(X[b,i,a])/12;Y[d,i,a,c]=(X[2*c+d,i,a]-M[i])*"
                                  "G[4*a+2*c+d]:i=5,a=3,b=4,c=2,d=2")));
}

TEST(StoredRegion, KeepsBlocksOfWhatIsConcatenated) {
  const std::string both = "Y[c,h]=select(c<32,A[c,h],B[c-32,h]):c=48,h=5,A=32x5,B=16x5";
  const Forms blocks = {
      {"A", "0@16:2 1@1:5 0@1:16"}, {"B", "1@1:5 0@1:16"}, {"Y", "0@16:3 1@1:5 0@1:16"}};
  const Region region = written_region(both);
  const Region stored = right(stored_region(region, forms_of(region, blocks)));
  EXPECT_EQ(shape_of(tensor_of(stored, "Y")), (std::vector<int64_t>{3, 5, 16}));
  EXPECT_EQ(shape_of(tensor_of(stored, "A")), (std::vector<int64_t>{2, 5, 16}));
}

TEST(StoredRegion, RefusesAWindowOverWhatIsCut) {
  const Region region = written_region("Y[c,h]max=X[c,2*h+r]:c=4,h=8,r=2");
  EXPECT_ERROR(stored_region(region, forms_of(region, {{"X", "1@4:4 0@1:4 1@1:4"}})), "X[");
}

TEST(StoredRegion, RefusesCutsThatAreNoChain) {
  const Region region = written_region("Y[c]=X[c]+B[c]:c=12");
  EXPECT_ERROR(
      stored_region(region, forms_of(region, {{"X", "0@1:4 0@4:3"}, {"B", "0@1:6 0@6:2"}})),
      "would be cut at 4 and at 6");
}

TEST(StoredRegion, RefusesPadding) {
  const Region region = written_region("Y[c]=X[c]:c=12");
  EXPECT_ERROR(stored_region(region, forms_of(region, {{"X", "0@1:14 offset 0=-1"}})),
               "expected each element once");
}

TEST(StoredRegion, OutputsFollowInputsAndInputsOutputs) {
  const Region pool = written_region("Y[c,h,w]max=X[c,2*h+r,2*w+s]:c=64,h=28,w=28,r=2,s=2");
  const NormalLayout x = form_of(pool, "X", "0@16:4 1@1:56 2@1:56 0@1:16");
  const NormalLayout y = form_of(pool, "Y", "0@16:4 1@1:28 2@1:28 0@1:16");
  EXPECT_EQ(followed_form(pool, "Y", "X", x), y);
  EXPECT_EQ(leading_form(pool, "Y", "X", y), x);
  const Region moved = written_region("Y[j,i]=X[i,j]:i=4,j=6");
  EXPECT_EQ(followed_form(moved, "Y", "X", form_of(moved, "X", "row_major")),
            form_of(moved, "Y", "1@1:4 0@1:6"));
  const Region mean = written_region("Y[c]=sum(X[c,h])/7:c=32,h=7");
  EXPECT_EQ(followed_form(mean, "Y", "X", form_of(mean, "X", "0@8:4 1@1:7 0@1:8")),
            form_of(mean, "Y", "row_major"));
}

// Values go through the digits and come out as they would have.
std::vector<float> in_storage(const NormalLayout& form, const Tensor& tensor,
                              const std::vector<float>& values) {
  const Layout layout = layout_of(form, tensor.dims);
  std::vector<float> stored(static_cast<size_t>(storage_elements(layout)));
  pack(layout, values, stored);
  return stored;
}

// Each dimension is cut by 2, 4 or not at all, and its digits go anywhere.
NormalLayout drawn_form(const Tensor& tensor) {
  NormalLayout drawn{std::vector<int64_t>(tensor.dims.size(), 0), {}};
  for (size_t d = 0; d < tensor.dims.size(); ++d) {
    const int64_t extent = tensor.dims[d].extent;
    const int64_t wanted = *rc::gen::element<int64_t>(1, 1, 2, 4);
    const int64_t cut = extent % wanted == 0 ? wanted : 1;
    if (cut < extent) drawn.digits.push_back({static_cast<int>(d), cut, extent / cut, 0});
    if (cut > 1) drawn.digits.push_back({static_cast<int>(d), 1, cut, 0});
  }
  for (size_t k = drawn.digits.size(); k > 1; --k)
    std::swap(drawn.digits[k - 1], drawn.digits[*rc::gen::inRange<size_t>(0, k)]);
  return normal_form(layout_of(drawn, tensor.dims));
}

RC_GTEST_PROP(StoredRegionLaw, ComputesTheSame, ()) {
  const auto number = *rc::gen::inRange<size_t>(0, testing::kRegionSpecs.size());
  const Region region = written_region(testing::kRegionSpecs[number]);
  StoredForms forms;
  for (const Tensor& tensor : tensors_of(region))
    if (!is_inner(region, tensor.name) && *rc::gen::arbitrary<bool>())
      forms[tensor.name] = drawn_form(tensor);
  const Result<Region> stored = stored_region(region, forms);
  RC_CLASSIFY(stored.has_value());
  if (!stored) return;
  NamedArrays inputs = make_region_inputs(region, 1), moved;
  for (const auto& [name, values] : inputs)
    moved[name] = forms.contains(name)
                      ? in_storage(forms.at(name), tensor_of(region, name), floats_of(values))
                      : floats_of(values);
  const RegionValues expected = evaluate_region(region, inputs);
  const RegionValues found = evaluate_region(*stored, moved);
  for (const std::string& output : region.outputs) {
    const std::vector<float> floats = floats_of(expected.at(output).values);
    const std::vector<float> stored_floats = floats_of(found.at(output).values);
    const std::vector<float> in_order =
        forms.contains(output) ? in_storage(forms.at(output), tensor_of(region, output), floats)
                               : floats;
    RC_ASSERT(in_order.size() == stored_floats.size());
    for (size_t e = 0; e < in_order.size(); ++e)
      RC_ASSERT(agrees(stored_floats[e], in_order[e], 1e-5 * (1 + std::abs(in_order[e]))));
  }
}

}  // namespace
}  // namespace dovetail
