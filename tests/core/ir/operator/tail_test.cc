// SPDX-License-Identifier: Apache-2.0
#include "core/ir/operator/tail.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/ir/operator/computation.h"
#include "core/ir/operator/operator.h"
#include "core/ir/region/task_spec.h"
#include "tests/support/computation_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

constexpr const char* kSpec = "c2d:ci=4,co=8,h=5,w=5,k=3";

std::string with_tail(const std::string& tail) { return std::string(kSpec) + tail; }

std::string canonical_text(const std::string& tail) {
  const std::string text = print(right(parse_operator(with_tail(tail)), tail));
  EXPECT_EQ(print(right(parse_operator(text), text)), text);
  return text.substr(std::string(kSpec).size());
}

TEST(OperatorTail, PrintsAsItParses) {
  for (const char* tail : {
           "+tail(@*min(max(@/6+0.5,0),1))",
           "+bias+tail(select(@<0,@*A[o],@):const=A)",
           "+relu+tail(@*A[n,o,h,w]+B[0])",
           "+tail(integer(min(max(@/A[0],0),255)):Y=u8,const=A)",
           "+tail(select(A[o],@,0-@):A=bool)",
           "+tail(@+real(A[w]):A=i32)",
       })
    EXPECT_EQ(canonical_text(tail), tail);
}

TEST(OperatorTail, OneTailHasOneSpelling) {
  EXPECT_EQ(canonical_text("+tail(Q[o]*@+P[w])"), canonical_text("+tail(B[w]+@*A[o])"));
  EXPECT_EQ(canonical_text("+tail(0.5*@)"), "+tail(@*0.5)");
  EXPECT_EQ(canonical_text("+tail(relu(@))"), "+relu");
  EXPECT_EQ(canonical_text("+tail(min(max(@,0),6))"), "+relu6");
  EXPECT_EQ(canonical_text("+tail(min(6,max(0,@)))"), "+relu6");
  EXPECT_EQ(canonical_text("+tail(silu(@)*2)"), "+silu+tail(@*2)");
  EXPECT_EQ(canonical_text("+tail(gelu(@))"), "+gelu");
  EXPECT_EQ(canonical_text("+tail(sigmoid(@)+@)"), canonical_text("+tail(@+sigmoid(@))"));
  EXPECT_EQ(canonical_text("+tail(@)"), "");
}

TEST(OperatorTail, IsTheResultOfTheComputation) {
  const Operator op =
      right(parse_operator("gmm:m=3,n=4,k=5+bias+tail(select(@<0,@*A[n],@)*B[b,m,n]:const=A)"));
  EXPECT_EQ(print(define(op)),
            "for b<1, m<3, n<4: Y[b, m, n] = choose(less(sum(k<5; X[b, m, k] * W[b, k, n]) + "
            "bias[n], 0), (@ + bias[n]) * A[n], @ + bias[n]) * B[b, m, n]");
  const Computation c = define(op);
  EXPECT_EQ(tensor_named(c, "A").role, TensorRole::constant);
  EXPECT_EQ(tensor_named(c, "B").role, TensorRole::activation);
  EXPECT_EQ(c.tensors.back().name, "Y");
}

TEST(OperatorTail, TensorsHaveTheFrameworksShape) {
  const Operator op =
      right(parse_operator("grp:n=2,ci=4,co=6,h=5,w=5,k=3,g=2+tail(@*A[g,o]+B[n,g,o,h,w]*C[0])"));
  std::vector<std::vector<int64_t>> shapes;
  for (const TailTensor& tensor : op.tail->tensors) shapes.push_back(tail_shape(op, tensor));
  std::ranges::sort(shapes);
  EXPECT_EQ(shapes, (std::vector<std::vector<int64_t>>{{1}, {2, 6, 3, 3}, {6}}));
}

TEST(OperatorTail, IsATaskOfItsOwn) {
  const std::string text = "c2d:ci=4,co=8,h=5,w=5,k=3+tail(@*2) | X as row_major; Y as row_major";
  EXPECT_EQ(print(right(parse_task_spec(text))), text);
}

TEST(OperatorTail, WrongOnesAreRefusedInOneLine) {
  const auto says = [](const std::string& tail, std::string_view part) {
    EXPECT_ERROR(parse_operator(with_tail(tail)), part);
  };
  says("+tail(@*2)+relu", "found \"relu\" behind the tail");
  says("+tail(@*A[i])", "axes of the output in its order");
  says("+tail(@*A[o,n])", "axes of the output in its order");
  says("+tail(@*A[o+1])", "an axis of the output alone");
  says("+tail(@*A[o]+A[w])", "read at several indices");
  says("+tail(@*o)", "a value of an index");
  says("+tail(sum(@))", "reduces");
  says("+tail(@*A[clamp(B[o],0,2)])", "tail");
  says("+tail(integer(@):Y=f32)", "expected a cast");
  says("+tail(@:Q=u8)", "names no tensor");
  says("+tail(@*A[o]:const=B)", "no tensor that is read");
  says("+tail(@*A[o]:A=text)", "\"text\"");
  says("+tail()", "tail");
  says("+tail(@", "tail");
}

}  // namespace
}  // namespace dovetail
