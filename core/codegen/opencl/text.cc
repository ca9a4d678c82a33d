// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/opencl/text.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>

#include "core/base/check.h"

namespace dovetail::opencl {
namespace {

// Separated by spaces.
constexpr std::string_view kReserved =
    " auto break case char const continue default do double else enum extern float for goto "
    "half if inline int long register restrict return short signed sizeof static struct "
    "switch typedef union unsigned void volatile while bool uchar ushort uint ulong quad "
    "complex imaginary size_t ptrdiff_t intptr_t uintptr_t event_t sampler_t image2d_t "
    "image2d_array_t kernel global local constant private read_only write_only read_write "
    "true false fma max min exp tanh erf read_imagef write_imagef get_group_id get_local_id "
    "texel_sampler texel_component floor_div floor_mod floor_div_wide floor_mod_wide main "
    "truncated_int truncated_long rounded_half rounded_tf32 rounded_tf32x2 from_bfloat to_bfloat "
    "asm pipe uniform NAN INFINITY M_PI linux unix ";

std::string sanitized(std::string_view wanted) {
  std::string name;
  for (const char c : wanted) {
    const bool fits = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    name += fits ? c : '_';
  }
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0)
    name.insert(name.begin(), 'v');
  if (kReserved.find(" " + name + " ") != std::string_view::npos) return name + "_";
  // vload4, float16, …, names reserved for the implementation, and the prelude's extrema.
  for (const char* prefix :
       {"vload", "vstore", "float", "convert_", "as_", "maximum_", "minimum_", "__", "cl", "CL"})
    if (name.starts_with(prefix)) return "v_" + name;
  return name;
}

std::string quotient_text(const IndexAtom& atom, const IndexText& context) {
  const bool is_div = atom.kind == IndexAtom::Kind::div;
  const Range range = range_of(*atom.inner, context.ranges);
  if (range.min >= 0) {
    return fmt::format("{} {} {}", index_operand(*atom.inner, context), is_div ? "/" : "%",
                       atom.divisor);
  }
  const bool is_wide = range.min < INT32_MIN + atom.divisor;
  return fmt::format("{}{}({}, {})", is_div ? "floor_div" : "floor_mod", is_wide ? "_wide" : "",
                     index_text(*atom.inner, context), atom.divisor);
}

std::string atom_text(const IndexAtom& atom, const IndexText& context) {
  if (atom.kind != IndexAtom::Kind::variable) return quotient_text(atom, context);
  const auto found = context.names.find(atom.variable);
  CHECK(found != context.names.end(), "loop variable " + atom.variable + " has no name here");
  return found->second;
}

std::string term_text(int64_t factor, const IndexAtom& atom, const IndexText& context) {
  const std::string text = atom_text(atom, context);
  const bool is_plain = text.find_first_of(" ") == std::string::npos || text.ends_with(")");
  if (factor == 1) return is_plain ? text : "(" + text + ")";
  return fmt::format("{}*{}", factor, is_plain ? text : "(" + text + ")");
}

}  // namespace

std::string Identifiers::unique(std::string_view wanted) {
  const std::string base = sanitized(wanted);
  std::string name = base;
  for (int suffix = 1; taken_.contains(name); ++suffix) name = fmt::format("{}_{}", base, suffix);
  taken_.insert(name);
  return name;
}

std::string Identifiers::numbered(std::string_view base) {
  int& number = next_number_.try_emplace(std::string(base), 0).first->second;
  std::string name;
  do {
    name = sanitized(fmt::format("{}_{}", base, number++));
  } while (!taken_.insert(name).second);
  return name;
}

std::string float_literal(double value) {
  const float rounded = static_cast<float>(value);
  if (std::isnan(rounded)) return "NAN";
  if (std::isinf(rounded)) return rounded > 0 ? "INFINITY" : "(-INFINITY)";
  std::string text = fmt::format("{}", rounded);  // shortest text that reads back as this float
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  text += "f";
  return text[0] == '-' ? "(" + text + ")" : text;
}

std::string whole_literal(double value) {
  if (value >= 0x1p63) return "LONG_MAX";
  if (!(value > -0x1p63)) return "LONG_MIN";
  const auto number = static_cast<int64_t>(value);
  return number < 0 ? fmt::format("({}L)", number) : fmt::format("{}L", number);
}

const char* element_text(ElementType type) {
  constexpr std::array<const char*, kNumStoredTypes> kElementTexts = {
      "float", "half",   "long",  "int",    "char", "uchar",
      "uchar", "double", "short", "ushort", "uint", "ushort"};
  return kElementTexts[static_cast<size_t>(type)];
}

std::string float_type(int width) {
  return width == 1 ? std::string("float") : fmt::format("float{}", width);
}

std::string extremum_function(bool is_max, int width) {
  return fmt::format("{}_{}", is_max ? "maximum" : "minimum", width);
}

std::string vector_literal(int width, std::string_view elements) {
  return fmt::format("({})({})", float_type(width), elements);
}

std::string index_text(const IndexExpr& e, const IndexText& context) {
  std::string text;
  for (const IndexTerm& term : e.terms()) {
    const bool negative = term.coefficient < 0;
    if (text.empty())
      text += negative ? "-" : "";
    else
      text += negative ? " - " : " + ";
    text += term_text(std::abs(term.coefficient), term.atom, context);
  }
  if (text.empty()) return std::to_string(e.constant());
  if (e.constant() == 0) return text;
  return fmt::format("{} {} {}", text, e.constant() < 0 ? "-" : "+", std::abs(e.constant()));
}

std::string index_operand(const IndexExpr& e, const IndexText& context) {
  const std::string text = index_text(e, context);
  return text.find_first_of(" -*%/") == std::string::npos ? text : "(" + text + ")";
}

namespace {

std::string extrema_for(std::string_view text) {
  std::string prelude;
  for (const int width : {1, 2, 4, 8, 16})
    for (const bool is_max : {true, false}) {
      const std::string function = extremum_function(is_max, width);
      if (text.find(function + "(") == text.npos) continue;
      prelude += fmt::format(
          "{0} {1}({0} a, {0} b) {{ return isnan(a) ? a : isnan(b) ? b : {2}(a, b); }}\n\n",
          float_type(width), function, is_max ? "max" : "min");
    }
  return prelude;
}

}  // namespace

std::string prelude_for(std::string_view text) {
  struct Definition {
    std::string_view name, other_name, text;
  };
  static constexpr Definition kDefinitions[] = {
      {"truncated_int(", "truncated_int(",
       "// What does not fit becomes the least integer, as on x86.\n"
       "int truncated_int(float x) {\n"
       "  return x < 2147483648.0f ? convert_int_sat_rtz(x) : INT_MIN;\n"
       "}\n\n"},
      {"truncated_long(", "truncated_long(",
       "long truncated_long(float x) {\n"
       "  return x < 9223372036854775808.0f ? convert_long_sat_rtz(x) : LONG_MIN;\n"
       "}\n\n"},
      {"rounded_half(", "rounded_half(",
       "float rounded_half(float x) {\n"
       "  ushort bits;\n"
       "  vstore_half(x, 0, (__private half*)&bits);\n"
       "  return vload_half(0, (__private const half*)&bits);\n"
       "}\n\n"},
      {"rounded_tf32", "rounded_tf32(",
       "float rounded_tf32(float x) { return as_float(as_uint(x) & 0xFFFFE000u); }\n\n"},
      {"rounded_tf32x2(", "rounded_tf32x2(",
       "float rounded_tf32x2(float x) {\n"
       "  const float first = rounded_tf32(x);\n"
       "  return first + rounded_tf32(x - first);\n"
       "}\n\n"},
      {"from_bfloat(", "from_bfloat(",
       "float from_bfloat(ushort bits) { return as_float((uint)bits << 16); }\n\n"},
      {"to_bfloat(", "to_bfloat(",
       "ushort to_bfloat(float x) {  // to nearest, ties to even\n"
       "  const uint bits = as_uint(x);\n"
       "  return isnan(x) ? bits >> 16 | 64 : (bits + 32767 + (bits >> 16 & 1)) >> 16;\n"
       "}\n\n"},
      {"double* ", "double* ", "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n\n"},
      {"texel_sampler", "texel_sampler",
       "// Outside of an image reads give zero: the padding of a convolution costs no "
       "comparison.\n"
       "__constant sampler_t texel_sampler =\n"
       "    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n\n"},
      {"texel_component(", "texel_component(",
       "float texel_component(float4 texel, int i) {\n"
       "  return i == 0 ? texel.x : i == 1 ? texel.y : i == 2 ? texel.z : texel.w;\n"
       "}\n\n"},
      {"floor_div(", "floor_mod(",
       "int floor_div(int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }\n"
       "int floor_mod(int a, int b) { return a - b * floor_div(a, b); }\n\n"},
      {"floor_div_wide(", "floor_mod_wide(",
       "long floor_div_wide(long a, long b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }\n"
       "long floor_mod_wide(long a, long b) { return a - b * floor_div_wide(a, b); }\n\n"}};
  std::string prelude;
  for (const auto& [name, other_name, definition] : kDefinitions)
    if (text.find(name) != text.npos || text.find(other_name) != text.npos) prelude += definition;
  return prelude + extrema_for(text);
}

}  // namespace dovetail::opencl
