// SPDX-License-Identifier: Apache-2.0
//
// The spec grammar: parse_operator() and print().
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <utility>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/ir/lexer.h"
#include "core/ir/operator/operator.h"

namespace dovetail {
namespace {

constexpr size_t kMaxSpecLength = 4096;

// Keys of each kind in canonical order; `required` ones have no default.
struct KindRule {
  OperatorKind kind;
  std::string_view keys;
  std::string_view required;
  std::string_view axes;
};

constexpr std::array<KindRule, 9> kKinds = {{
    {OperatorKind::c1d, "n ci co w k s p d g dtype math", "ci co w k", "w"},
    {OperatorKind::c2d, "n ci co h w k s p d g dtype math", "ci co h w k", "h w"},
    {OperatorKind::c3d, "n ci co depth h w k s p d g dtype math", "ci co depth h w k", "depth h w"},
    {OperatorKind::grp, "n ci co h w k s p d g dtype math", "ci co h w k", "h w"},
    {OperatorKind::dil, "n ci co h w k s p d g dtype math", "ci co h w k", "h w"},
    {OperatorKind::dep, "n c m h w k s p d dtype math", "c h w k", "h w"},
    {OperatorKind::t2d, "n ci co h w k s p op d g dtype math", "ci co h w k", "h w"},
    {OperatorKind::t3d, "n ci co depth h w k s p op d g dtype math", "ci co depth h w k",
     "depth h w"},
    {OperatorKind::gmm, "b m n k ta tb b_const dtype math", "m n k", ""},
}};

constexpr std::array<std::string_view, 9> kEpilogueNames = {
    "bias", "add", "relu", "relu6", "clip", "gelu", "silu", "sigmoid", "tanh"};

// "a+clip(1,1e+3)+b" -> a, clip(1,1e+3), b
std::vector<std::string_view> split_epilogues(std::string_view text) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && depth > 0) --depth;
    if (text[i] != '+' || depth > 0) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

bool contains_word(std::string_view words, std::string_view word) {
  const std::vector<std::string_view> list = split(words, ' ');
  return std::ranges::find(list, word) != list.end();
}

Result<int64_t> parse_number(std::string_view key, std::string_view text, int64_t least) {
  const std::optional<int64_t> value = read_number<int64_t>(text);
  if (value && *value >= least && *value <= kMaxSpecNumber) return *value;
  return fail("key {} has {}; expected a whole number from {} to {}", key, quoted(text), least,
              kMaxSpecNumber);
}

Result<bool> parse_flag(std::string_view key, std::string_view text) {
  if (text == "0" || text == "1") return text == "1";
  return fail("key {} has {}; expected 0 or 1", key, quoted(text));
}

// The parts of a per-axis value: one for every axis, or one for all.
Result<std::vector<std::string_view>> parse_per_axis(std::string_view key, std::string_view text,
                                                     size_t rank) {
  std::vector<std::string_view> parts = split(text, 'x');
  if (parts.size() == 1) parts.resize(rank, parts.front());
  if (parts.size() == rank) return parts;
  return fail("key {} has {} with {} values; expected 1 or {}", key, quoted(text), parts.size(),
              rank);
}

struct KeyValues {
  std::vector<std::pair<std::string_view, std::string_view>> pairs;

  std::optional<std::string_view> find(std::string_view key) const {
    for (const auto& [name, value] : pairs)
      if (name == key) return value;
    return std::nullopt;
  }
  Result<void> read(std::string_view key, int64_t& number) const {
    if (const auto text = find(key)) number = TRY(parse_number(key, *text, 1));
    return {};
  }
  Result<void> read(std::string_view key, bool& flag) const {
    if (const auto text = find(key)) flag = TRY(parse_flag(key, *text));
    return {};
  }
  Result<void> read(std::string_view key, int64_t least, int64_t SpatialAxis::* field,
                    std::vector<SpatialAxis>& axes) const {
    const auto text = find(key);
    if (!text) return {};
    const auto parts = TRY(parse_per_axis(key, *text, axes.size()));
    for (size_t i = 0; i < axes.size(); ++i)
      axes[i].*field = TRY(parse_number(key, parts[i], least));
    return {};
  }
};

Result<KeyValues> parse_key_values(const KindRule& rule, std::string_view body) {
  KeyValues values;
  for (const std::string_view item :
       body.empty() ? std::vector<std::string_view>{} : split(body, ',')) {
    const size_t equals = item.find('=');
    if (equals == std::string_view::npos) return fail("found {}; expected key=value", quoted(item));
    const std::string_view key = item.substr(0, equals);
    if (!contains_word(rule.keys, key))
      return fail("unknown key {} of {}; expected one of {}", quoted(key), name_of(rule.kind),
                  rule.keys);
    if (const auto earlier = values.find(key))
      return fail("key {} is given twice, {} and {}; expected it once", key, quoted(*earlier),
                  quoted(item.substr(equals + 1)));
    values.pairs.emplace_back(key, item.substr(equals + 1));
  }
  for (const std::string_view key : split(rule.required, ' '))
    if (!values.find(key))
      return fail("key {} of {} is missing; expected {}=…", key, name_of(rule.kind), key);
  return values;
}

Result<void> read_padding(const KeyValues& values, std::vector<SpatialAxis>& axes) {
  const auto text = values.find("p");
  if (!text) return {};
  const auto parts = TRY(parse_per_axis("p", *text, axes.size()));
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto sides = split(parts[i], ':');
    if (sides.size() > 2)
      return fail("key p has {}; expected an amount or before:after for each axis",
                  quoted(parts[i]));
    axes[i].pad_before = TRY(parse_number("p", sides.front(), 0));
    axes[i].pad_after = TRY(parse_number("p", sides.back(), 0));
  }
  return {};
}

Result<void> read_channels(const KeyValues& values, Operator& op) {
  if (op.kind != OperatorKind::dep) {
    TRY(values.read("ci", op.in_channels));
    TRY(values.read("co", op.out_channels));
    TRY(values.read("g", op.groups));
    return {};
  }
  int64_t multiplier = 1;
  TRY(values.read("c", op.in_channels));
  TRY(values.read("m", multiplier));
  op.groups = op.in_channels;
  op.out_channels = op.in_channels * multiplier;
  return {};
}

Result<void> read_convolution(const KindRule& rule, const KeyValues& values, Operator& op) {
  TRY(values.read("n", op.batch));
  TRY(read_channels(values, op));
  for (const std::string_view name : split(rule.axes, ' ')) {
    SpatialAxis axis{.name = std::string(name)};
    TRY(values.read(name, axis.extent));
    op.spatial.push_back(axis);
  }
  TRY(values.read("k", 1, &SpatialAxis::kernel, op.spatial));
  TRY(values.read("s", 1, &SpatialAxis::stride, op.spatial));
  TRY(values.read("op", 0, &SpatialAxis::output_padding, op.spatial));
  TRY(values.read("d", 1, &SpatialAxis::dilation, op.spatial));
  return read_padding(values, op.spatial);
}

Result<void> read_matrix_product(const KeyValues& values, Operator& op) {
  TRY(values.read("b", op.batch));
  TRY(values.read("m", op.m));
  TRY(values.read("n", op.n));
  TRY(values.read("k", op.k));
  TRY(values.read("ta", op.transpose_a));
  TRY(values.read("tb", op.transpose_b));
  TRY(values.read("b_const", op.b_const));
  return {};
}

Result<double> parse_bound(std::string_view epilogue, std::string_view text) {
  if (const auto value = read_number<double>(text)) return *value;
  return fail("epilogue {} has the bound {}; expected a number", quoted(epilogue), quoted(text));
}

Result<Epilogue> parse_epilogue(std::string_view text) {
  const std::string_view name = text.substr(0, text.find('('));
  const auto found = std::ranges::find(kEpilogueNames, name);
  if (found == kEpilogueNames.end())
    return fail("unknown epilogue {}; expected one of {} tail(VALUE)", quoted(text),
                fmt::join(kEpilogueNames, " "));
  Epilogue epilogue{static_cast<EpilogueKind>(found - kEpilogueNames.begin())};
  const std::string_view arguments = text.substr(name.size());
  if (epilogue.kind != EpilogueKind::clip) {
    if (arguments.empty()) return epilogue;
    return fail("epilogue {}: expected {} without arguments", quoted(text), name);
  }
  const bool bracketed = arguments.size() >= 2 && arguments.back() == ')';
  const auto bounds = bracketed ? split(arguments.substr(1, arguments.size() - 2), ',')
                                : std::vector<std::string_view>{};
  if (bounds.size() != 2) return fail("epilogue {}: expected clip(lo,hi)", quoted(text));
  epilogue.lo = TRY(parse_bound(text, bounds[0]));
  epilogue.hi = TRY(parse_bound(text, bounds[1]));
  return epilogue;
}

Result<void> check_characters(std::string_view spec) {
  if (spec.size() > kMaxSpecLength)
    return fail("has {} characters; expected at most {}", spec.size(), kMaxSpecLength);
  for (size_t i = 0; i < spec.size(); ++i) {
    const auto byte = static_cast<unsigned char>(spec[i]);
    if (byte <= 0x20 || byte >= 0x7f)
      return fail("character {} is {}; expected printable ASCII without spaces", i + 1,
                  quoted(spec.substr(i, 1)));
  }
  return {};
}

Result<ElementType> parse_dtype(std::string_view text) {
  if (text == "f32") return ElementType::f32;
  if (text == "f16") return ElementType::f16;
  if (text == "bf16") return ElementType::bf16;
  return fail("key dtype has {}; expected f32, f16 or bf16", quoted(text));
}

Result<ElementType> parse_math(std::string_view text) {
  if (text == "f32") return ElementType::f32;
  if (text == "tf32") return ElementType::tf32;
  if (text == "tf32x2") return ElementType::tf32x2;
  return fail("key math has {}; expected f32, tf32 or tf32x2", quoted(text));
}

Result<Operator> parse_sum(std::string_view definition) {
  ParsedSum parsed = TRY(parse_written_sum(definition));
  Operator op;
  op.kind = OperatorKind::custom;
  op.sum = std::move(parsed.sum);
  for (const auto& [key, value] : parsed.other_keys)
    if (key == "math")
      op.math = TRY(parse_math(value));
    else
      op.dtype = TRY(parse_dtype(value));
  return op;
}

Result<Operator> parse_kind(std::string_view definition) {
  const size_t colon = definition.find(':');
  const std::string_view kind = definition.substr(0, colon);
  const auto rule = std::ranges::find(
      kKinds, kind, [](const KindRule& candidate) { return name_of(candidate.kind); });
  if (rule == kKinds.end())
    return fail(
        "unknown kind {}; expected one of c1d c2d c3d grp dil dep t2d t3d gmm, "
        "or something written down, as Y[m,n]+=X[m,k]*W[k,n]:m=64,n=48,k=96{}",
        quoted(kind), did_you_mean(kind, {"grp", "dil", "dep", "gmm"}));
  if (colon == std::string_view::npos)
    return fail("found only the kind; expected {}:key=value,…", kind);
  const KeyValues values = TRY(parse_key_values(*rule, definition.substr(colon + 1)));
  Operator op;
  op.kind = rule->kind;
  TRY(is_matrix_product(op.kind) ? read_matrix_product(values, op)
                                 : read_convolution(*rule, values, op));
  if (const auto dtype = values.find("dtype")) op.dtype = TRY(parse_dtype(*dtype));
  if (const auto math = values.find("math")) op.math = TRY(parse_math(*math));
  return op;
}

// Parses the tail last, because it needs the axes of a valid operator.
Result<void> add_epilogue(Operator& op, std::string_view text) {
  constexpr std::string_view kTail = "tail(";
  if (op.tail) return fail("found {} behind the tail; expected nothing", quoted(text));
  if (!text.starts_with(kTail)) {
    op.epilogues.push_back(TRY(parse_epilogue(text)));
    return {};
  }
  if (!text.ends_with(')')) return fail("epilogue {}: expected tail(VALUE)", quoted(text));
  op = TRY(canonical(std::move(op)));
  text.remove_prefix(kTail.size());
  text.remove_suffix(1);
  op.tail = TRY(parse_tail(text, op));
  return {};
}

// Epilogues follow the keys; a + before the colon adds axes.
Result<Operator> parse_checked(std::string_view spec) {
  TRY(check_characters(spec));
  const size_t colon = std::min(spec.find(':'), spec.size());
  const std::vector<std::string_view> parts = split_epilogues(spec.substr(colon));
  const std::string_view definition = spec.substr(0, colon + parts.front().size());
  Operator op = TRY(looks_written(spec) ? parse_sum(definition) : parse_kind(definition));
  for (const std::string_view epilogue : std::span(parts).subspan(1))
    TRY(add_epilogue(op, epilogue));
  return canonical(std::move(op));
}

// The shortest decimal that reads back as the same number; "1e+30" as "1e30", since + separates
// epilogues.
std::string print_bound(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string text(buffer, end);
  std::erase(text, '+');
  return text;
}

template <typename PrintAxis>
std::string print_per_axis(const std::vector<SpatialAxis>& axes, PrintAxis print_axis) {
  std::vector<std::string> parts;
  for (const SpatialAxis& axis : axes) parts.push_back(print_axis(axis));
  if (std::ranges::all_of(parts, [&](const std::string& part) { return part == parts.front(); }))
    return parts.front();
  return fmt::format("{}", fmt::join(parts, "x"));
}

std::string print_padding(const SpatialAxis& axis) {
  if (axis.pad_before == axis.pad_after) return fmt::format("{}", axis.pad_before);
  return fmt::format("{}:{}", axis.pad_before, axis.pad_after);
}

std::string axis_value(const Operator& op, std::string_view key) {
  const auto field = [&](int64_t SpatialAxis::* member) {
    return print_per_axis(
        op.spatial, [member](const SpatialAxis& axis) { return fmt::format("{}", axis.*member); });
  };
  if (key == "k") return field(&SpatialAxis::kernel);
  if (key == "s") return field(&SpatialAxis::stride);
  if (key == "op") return field(&SpatialAxis::output_padding);
  if (key == "d") return field(&SpatialAxis::dilation);
  if (key == "p") return print_per_axis(op.spatial, print_padding);
  const auto axis = std::ranges::find(op.spatial, key, &SpatialAxis::name);
  CHECK(axis != op.spatial.end(), "a key of the kind's table has no value");
  return fmt::format("{}", axis->extent);
}

std::string value_of(const Operator& op, std::string_view key) {
  const auto number = [](int64_t value) { return fmt::format("{}", value); };
  if (key == "dtype") return std::string(name_of(op.dtype));
  if (key == "math") return std::string(name_of(op.math));
  if (is_matrix_product(op.kind)) {
    if (key == "b") return number(op.batch);
    if (key == "m") return number(op.m);
    if (key == "n") return number(op.n);
    if (key == "k") return number(op.k);
    return number(key == "ta" ? op.transpose_a : key == "tb" ? op.transpose_b : op.b_const);
  }
  if (key == "n") return number(op.batch);
  if (key == "ci" || key == "c") return number(op.in_channels);
  if (key == "co") return number(op.out_channels);
  if (key == "g") return number(op.groups);
  if (key == "m") return number(op.out_channels / op.groups);
  return axis_value(op, key);
}

std::string_view default_of(OperatorKind kind, std::string_view key) {
  if (key == "n" && is_matrix_product(kind)) return "";
  if (key == "m" && kind != OperatorKind::dep) return "";
  if (contains_word("n b m s d g b_const", key)) return "1";
  if (contains_word("p op ta tb", key)) return "0";
  return key == "dtype" || key == "math" ? "f32" : "";
}

}  // namespace

Result<Operator> parse_operator(std::string_view spec) {
  auto op = parse_checked(spec);
  if (!op) return fail("spec {}: {}", quoted(spec), op.error().message);
  return op;
}

std::string print(const Epilogue& epilogue) {
  const std::string_view name = kEpilogueNames[static_cast<size_t>(epilogue.kind)];
  if (epilogue.kind != EpilogueKind::clip) return std::string(name);
  return fmt::format("clip({},{})", print_bound(epilogue.lo), print_bound(epilogue.hi));
}

std::string print(const Operator& op) {
  std::string text;
  if (op.kind == OperatorKind::custom) {
    text = print(*op.sum);
    if (op.dtype != ElementType::f32) text += fmt::format(",dtype={}", name_of(op.dtype));
    if (op.math != ElementType::f32) text += fmt::format(",math={}", name_of(op.math));
  } else {
    text = name_of(op.kind);
    char separator = ':';
    for (const std::string_view key : split(kKinds[static_cast<size_t>(op.kind)].keys, ' ')) {
      const std::string value = value_of(op, key);
      if (value == default_of(op.kind, key)) continue;
      text += fmt::format("{}{}={}", separator, key, value);
      separator = ',';
    }
  }
  for (const Epilogue& epilogue : op.epilogues) text += "+" + print(epilogue);
  if (op.tail) text += "+" + print_tail(op);
  return text;
}

}  // namespace dovetail
