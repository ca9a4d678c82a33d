// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/frontend/computations/formula.h"
#include "core/frontend/computations/node_rules.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::node_rules {
namespace {

// `text` is for real numbers, `whole` for integers (empty: refused). x is the operand; α, β and γ
// are the node's attributes alpha, beta and gamma.
struct Formula {
  std::string_view type, text, whole = "";
  double alpha = 0, beta = 0, gamma = 0;  // defaults of the attributes
};
constexpr Formula kUnary[] = {
    {"Abs", "abs(x)", "abs(x)"},
    // Near 1 and -1 a difference with π/2 would cancel most digits.
    {"Acos", "2*atan(sqrt((1-x)/(1+x)))"},
    {"Asin", "atan(x*rsqrt((1-x)*(1+x)))"},
    {"Atan", "atan(x)"},
    {"Ceil", "0-floor(0-x)"},
    {"Celu", "max(x,0)+min(α*(exp(x/α)-1),0)", "", 1},
    {"Cos", "cos(x)"},
    {"Cosh", "0.5*exp(x)+0.5*exp(0-x)"},
    {"Elu", "select(x<0,α*(exp(x)-1),x)", "", 1},
    {"Erf", "erf(x)"},
    {"Exp", "exp(x)"},
    {"Floor", "floor(x)"},
    {"Gelu", "gelu(x)"},
    {"HardSigmoid", "clip(α*x+β,0,1)", "", 0.2, 0.5},
    {"HardSwish", "x*clip(x/6+0.5,0,1)"},
    {"LeakyRelu", "select(x<0,α*x,x)", "", 0.01},
    {"Log", "log(x)"},
    {"Mish", "x*tanh(max(x,0)+log(1+exp(0-abs(x))))"},
    {"Neg", "0-x", "0-x"},
    {"Reciprocal", "1/x"},
    {"Relu", "relu(x)", "max(x,0)"},
    // Ties go to even.
    {"Round",
     "select(x-floor(x)==0.5,2*floor(x*0.5+0.25),"
     "select(x-floor(x)<0.5,floor(x),floor(x)+1))"},
    {"Selu", "γ*select(x<0,α*(exp(x)-1),x)", "", 1.6732632, 0, 1.050701},
    {"Sigmoid", "sigmoid(x)"},
    {"Sign", "select(x<0,-1,select(0<x,1,0))", "integer(select(x<0,-1,select(0<x,1,0)))"},
    {"Sin", "sin(x)"},
    // Near 0 the difference of the exponentials would cancel most digits.
    {"Sinh", "select(abs(x)<1,2*tanh(x*0.5)/(1-tanh(x*0.5)*tanh(x*0.5)),0.5*exp(x)-0.5*exp(0-x))"},
    {"Softplus", "max(x,0)+log(1+exp(0-abs(x)))"},
    {"Softsign", "x/(1+abs(x))"},
    {"Sqrt", "sqrt(x)"},
    {"Tan", "sin(x)/cos(x)"},
    {"Tanh", "tanh(x)"},
    {"ThresholdedRelu", "select(α<x,x,0)", "", 1},
};
constexpr std::string_view kGeluByTanh = "0.5*x*(1+tanh(0.7978845608028654*(x+0.044715*(x*x*x))))";
// a and b are the operands; for Sum and other variadic nodes, the result so far and one more
// operand. Integers are exact except powers of unknown exponent, which are computed as real numbers
// and exact to 2^21.
struct Joining {
  std::string_view type, text, whole = "";
};
constexpr Joining kBinary[] = {
    {"Add", "a+b", "a+b"},
    {"Div", "a/b", "quotient(a,b)"},
    {"Max", "max(a,b)", "max(a,b)"},
    {"Mean", "a+b"},
    {"Min", "min(a,b)", "min(a,b)"},
    {"Mul", "a*b", "a*b"},
    {"PRelu", "select(a<0,a*b,a)", "select(a<0,a*b,a)"},
    {"Pow", "pow(a,b)", "integer(floor(pow(a,b)+0.5))"},
    {"Sub", "a-b", "a-b"},
    {"Sum", "a+b"},
};
constexpr Joining kComparisons[] = {
    {"And", "min(a,b)"},
    {"Equal", "boolean(select(a==b,1,0))"},
    {"Greater", "boolean(select(b<a,1,0))"},
    {"GreaterOrEqual", "boolean(select(b<=a,1,0))"},
    {"IsNaN", "boolean(select(a==a,0,1))"},
    {"Less", "boolean(select(a<b,1,0))"},
    {"LessOrEqual", "boolean(select(a<=b,1,0))"},
    {"Not", "boolean(select(a,0,1))"},
    {"Or", "max(a,b)"},
    {"Xor", "boolean(select(a==b,0,1))"},
};

bool is_same_type(const RegionWriter& write) {
  bool same = true;
  for (size_t i = 0; i < write.num_inputs(); ++i)
    same = same && write.has_input(i) && write.computed(i) == write.made();
  return same;
}

}  // namespace

Result<NodeRegion> unary(RegionWriter& write) {
  const GraphNode& node = write.node();
  const auto* const row = std::ranges::find(kUnary, node.type, &Formula::type);
  const std::string approximate = TRY(text_attribute(node, "approximate", "none"));
  if (approximate != "none" && approximate != "tanh")
    return refuse("approximated by " + approximate);
  if (!write.broadcasts()) return refuse("an operand of another shape than its output");
  const bool whole = write.made() == ComputedType::integer;
  if (whole && row->whole.empty()) return refuse("of integers");
  const double alpha = TRY(number_attribute(node, "alpha", row->alpha));
  const double beta = TRY(number_attribute(node, "beta", row->beta));
  const double gamma = TRY(number_attribute(node, "gamma", row->gamma));
  const std::string_view text = approximate == "tanh" ? kGeluByTanh : row->text;
  return write.finish_one(filled(whole ? row->whole : text, {{"x", write.read(0)},
                                                             {"α", number_text(alpha)},
                                                             {"β", number_text(beta)},
                                                             {"γ", number_text(gamma)}}));
}

// The inverses of sinh, cosh and tanh, by log(1 + u), computed as log(w) * u / (w - 1) with
// w = 1 + u after rounding (W. Kahan); for large |x|, by log(2 * |x|).
Result<NodeRegion> area_function(RegionWriter& write) {
  const std::string& type = write.node().type;
  const std::string_view argument = type == "Asinh"   ? "abs(x)+abs(x)*(abs(x)/(1+sqrt(x*x+1)))"
                                    : type == "Acosh" ? "(x-1)+sqrt((x-1)*(x+1))"
                                                      : "2*abs(x)/(1-abs(x))";
  const std::vector<std::string> axes = write.axes();
  const std::string u = axes.empty() ? "U[0]" : element_of("U", axes);
  const Letters letters = {{"x", write.read(0)}, {"u", u}};
  const std::string near = filled("select(1+u==1,u,log(1+u)*u/((1+u)-1))", letters);
  std::string value = "0.5*" + near;
  if (type != "Atanh")
    value = filled("select(abs(x)<1e9,v,log(abs(x))+0.6931471805599453)",
                   {{"x", write.read(0)}, {"v", near}});
  if (type != "Acosh") value = filled("select(x<0,0-v,v)", {{"x", write.read(0)}, {"v", value}});
  return write.finish(fmt::format("{}={};{}", axes.empty() ? "U[z]" : u, filled(argument, letters),
                                  write.output() + "=" + value));
}

namespace {

// A power of integers as a product, if the exponent is a small constant; empty otherwise.
std::string power_of_integers(const RegionWriter& write) {
  constexpr double kMostFactors = 64;  // larger powers wrap, except those of 0, 1 and -1
  const GraphTensor& exponent = tensor_of(write.graph(), input_at(write.node(), 1));
  if (!exponent.constant || !exponent.data || exponent.data->size() != 1) return "";
  const double factors = exponent.data->real(0);
  if (factors < 0 || factors > kMostFactors || factors != std::floor(factors)) return "";
  const std::string a = write.read(0);
  std::string product = factors == 0 ? "integer(1)" : a;
  for (int k = 1; k < static_cast<int>(factors); ++k) product += "*" + a;
  return product;
}

}  // namespace

Result<NodeRegion> binary(RegionWriter& write) {
  const auto* const row = std::ranges::find(kBinary, write.node().type, &Joining::type);
  // Before operator set 7 slopes per channel had a single axis.
  const bool of_channel = row->type == "PRelu" && write.shape(1).size() == 1 &&
                          write.output_shape().size() > 1 &&
                          write.shape(1)[0] == write.output_shape()[1];
  if (!of_channel && !write.broadcasts()) return refuse("operands of other shapes than its output");
  const bool whole = write.made() == ComputedType::integer;
  if (whole && row->whole.empty()) return refuse("of integers");
  const bool mixes = row->type == "Pow";  // its exponent may have another type
  if (whole && mixes)
    if (const std::string product = power_of_integers(write); !product.empty())
      return write.finish_one(product);
  if (!mixes && !is_same_type(write)) return refuse("operands of several types");
  return write.finish_one(
      filled(whole ? row->whole : row->text,
             {{"a", write.read(0)},
              {"b", of_channel ? write.read(1, {RegionWriter::axis(1)}) : write.read(1)}}));
}

Result<NodeRegion> variadic(RegionWriter& write) {
  const auto* const row = std::ranges::find(kBinary, write.node().type, &Joining::type);
  if (!write.broadcasts()) return refuse("operands of other shapes than its output");
  const bool whole = write.made() == ComputedType::integer;
  if (!is_same_type(write)) return refuse("operands of several types");
  if (whole && row->whole.empty()) return refuse("of integers");
  std::string value = write.read(0);
  for (size_t i = 1; i < write.num_inputs(); ++i)
    value = filled(row->text, {{"a", i == 1 ? value : "(" + value + ")"}, {"b", write.read(i)}});
  if (row->type == "Mean") value = fmt::format("({})/{}", value, write.num_inputs());
  return write.finish_one(value);
}

Result<NodeRegion> comparison(RegionWriter& write) {
  const auto* const row = std::ranges::find(kComparisons, write.node().type, &Joining::type);
  if (!write.broadcasts()) return refuse("operands of other shapes than its output");
  Letters letters = {{"a", write.read(0)}};
  if (write.num_inputs() > 1) {
    if (write.computed(0) != write.computed(1)) return refuse("operands of several types");
    letters.emplace_back("b", write.read(1));
  }
  return write.finish_one(filled(row->text, letters));
}

Result<NodeRegion> shrink(RegionWriter& write) {
  if (write.made() != ComputedType::real) return refuse("of integers");
  const double bias = TRY(number_attribute(write.node(), "bias", 0));
  const double limit = TRY(number_attribute(write.node(), "lambd", 0.5));
  return write.finish_one(
      filled("select(x<0-λ,x+β,select(λ<x,x-β,0))",
             {{"x", write.read(0)}, {"λ", number_text(limit)}, {"β", number_text(bias)}}));
}

Result<NodeRegion> is_infinite(RegionWriter& write) {
  const bool negative = TRY(integer_attribute(write.node(), "detect_negative", 1)) != 0;
  const bool positive = TRY(integer_attribute(write.node(), "detect_positive", 1)) != 0;
  if (!negative && !positive) return refuse("that detects nothing");
  const std::string x = write.read(0);
  const std::string y = negative && positive ? "abs(" + x + ")" : negative ? "0-" + x : x;
  return write.finish_one(truth_text(y + "==inf"));
}

// The remainder has the divisor's sign, with `fmod` the dividend's. For real numbers it is right
// only while their quotient is below 2^24.
Result<NodeRegion> modulo(RegionWriter& write) {
  if (!write.broadcasts() || !is_same_type(write)) return refuse("operands of several types");
  const bool as_dividend = TRY(integer_attribute(write.node(), "fmod", 0)) != 0;
  const Letters letters = {{"a", write.read(0)}, {"b", write.read(1)}};
  if (write.made() == ComputedType::real) {
    if (!as_dividend) return refuse("of real numbers without fmod");
    return write.finish_one(filled("a-b*select(a/b<0,0-floor(0-a/b),floor(a/b))", letters));
  }
  const std::string rest = filled("(a-b*quotient(a,b))", letters);
  if (as_dividend) return write.finish_one(rest);
  // Signs are not compared by the sign of a product, because it may wrap.
  return write.finish_one(
      filled("r+select(r<0&0<b,b,select(0<r&b<0,b,0))", {{"r", rest}, {"b", write.read(1)}}));
}

}  // namespace dovetail::node_rules
