// SPDX-License-Identifier: Apache-2.0
// Laws of the spec grammar, over random operators and random bytes.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/ir/operator/operator.h"

namespace dovetail {
namespace {

int64_t draw(int64_t least, int64_t most) { return *rc::gen::inRange<int64_t>(least, most + 1); }

SpatialAxis draw_axis(std::string name, bool transposed) {
  SpatialAxis axis{std::move(name), draw(1, 20), draw(1, 4), draw(1, 3),
                   draw(0, 3),      draw(0, 3),  0,          draw(1, 2)};
  if (transposed) axis.output_padding = draw(0, std::max(axis.stride, axis.dilation) - 1);
  return axis;
}

std::vector<Epilogue> draw_epilogues() {
  std::vector<Epilogue> epilogues;
  if (draw(0, 1) == 1) epilogues.push_back({EpilogueKind::bias});
  if (draw(0, 1) == 1) epilogues.push_back({EpilogueKind::add});
  for (int64_t more = draw(0, 3); more > 0; --more) {
    Epilogue epilogue{static_cast<EpilogueKind>(draw(2, 8))};
    if (epilogue.kind == EpilogueKind::clip) {
      epilogue.lo = *rc::gen::arbitrary<double>();
      epilogue.hi = epilogue.lo + static_cast<double>(draw(0, 10)) / 7;
    }
    epilogues.push_back(epilogue);
  }
  return epilogues;
}

// Any operator, valid or not.
Operator draw_operator() {
  Operator op;
  op.kind = static_cast<OperatorKind>(draw(0, 8));
  op.batch = draw(1, 4);
  op.dtype = *rc::gen::element(ElementType::f32, ElementType::f16, ElementType::bf16);
  if (op.dtype == ElementType::f32 && draw(0, 1) == 1)
    op.math = draw(0, 1) == 1 ? ElementType::tf32 : ElementType::tf32x2;
  op.epilogues = draw_epilogues();
  if (is_matrix_product(op.kind)) {
    op.m = draw(1, 99);
    op.n = draw(1, 99);
    op.k = draw(1, 99);
    op.transpose_a = draw(0, 1) == 1;
    op.transpose_b = draw(0, 1) == 1;
    op.b_const = draw(0, 1) == 1;
    return op;
  }
  op.groups = draw(1, 4);
  op.in_channels = op.groups * (op.kind == OperatorKind::dep ? 1 : draw(1, 4));
  op.out_channels = op.groups * draw(1, 4);
  const bool volume = op.kind == OperatorKind::c3d || op.kind == OperatorKind::t3d;
  for (const char* name : {"depth", "h", "w"}) {
    if (std::string(name) == "depth" && !volume) continue;
    if (std::string(name) == "h" && op.kind == OperatorKind::c1d) continue;
    op.spatial.push_back(draw_axis(name, is_transposed(op.kind)));
  }
  return op;
}

RC_GTEST_PROP(OperatorLaw, ParseUndoesPrint, ()) {
  const auto op = canonical(draw_operator());
  RC_PRE(op.has_value());
  const auto again = parse_operator(print(*op));
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == *op);
  RC_ASSERT(print(*again) == print(*op));
}

RC_GTEST_PROP(OperatorLaw, CanonicalIsIdempotent, ()) {
  const auto op = canonical(draw_operator());
  RC_PRE(op.has_value());
  RC_ASSERT(*canonical(*op) == *op);
}

RC_GTEST_PROP(OperatorLaw, KeysMayComeInAnyOrder, ()) {
  const auto op = canonical(draw_operator());
  RC_PRE(op.has_value());
  const std::string spec = print(*op);
  const size_t colon = spec.find(':');
  const size_t plus = std::min(spec.find('+'), spec.size());
  std::vector<std::string> items(1);
  for (const char c : spec.substr(colon + 1, plus - colon - 1)) {
    if (c == ',')
      items.emplace_back();
    else
      items.back() += c;
  }
  for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[draw(0, i - 1)]);
  std::string shuffled = spec.substr(0, colon + 1);
  for (size_t i = 0; i < items.size(); ++i) shuffled += (i == 0 ? "" : ",") + items[i];
  shuffled += spec.substr(plus);
  RC_ASSERT(parse_operator(shuffled) == parse_operator(spec));
}

// Any text parses to a valid operator or to a one-line error.
void expect_value_or_line(const std::string& text) {
  const auto op = parse_operator(text);
  if (op.has_value()) {
    RC_ASSERT(parse_operator(print(*op)) == op);
    return;
  }
  RC_ASSERT(!op.error().message.empty());
  RC_ASSERT(op.error().message.find('\n') == std::string::npos);
}

RC_GTEST_PROP(OperatorFuzz, RandomBytesNeverCrash, (const std::string& bytes)) {
  expect_value_or_line(bytes);
}

RC_GTEST_PROP(OperatorFuzz, ChangedSpecsNeverCrash, ()) {
  const auto op = canonical(draw_operator());
  RC_PRE(op.has_value());
  std::string spec = print(*op);
  constexpr std::string_view kAlphabet = "cdgtmnkhwspxi0123456789:,=+-().e_ \n\xff";
  for (int64_t edits = draw(1, 4); edits > 0 && !spec.empty(); --edits) {
    const size_t at = static_cast<size_t>(draw(0, static_cast<int64_t>(spec.size()) - 1));
    const char with =
        kAlphabet[static_cast<size_t>(draw(0, static_cast<int64_t>(kAlphabet.size()) - 1))];
    switch (draw(0, 3)) {
      case 0: spec[at] = with; break;
      case 1: spec.insert(at, 1, with); break;
      case 2: spec.erase(at, 1); break;
      default: spec.insert(at, spec.substr(0, at));
    }
  }
  expect_value_or_line(spec);
}

}  // namespace
}  // namespace dovetail
