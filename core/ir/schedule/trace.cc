// SPDX-License-Identifier: Apache-2.0
//
// trace     := line*
// line      := 'algorithm' ':' primitive               before all others, at most once
//            | 'layout' tensor ':' primitive* [';' 'scope' scope]
//            | 'loops' [stage] ':' [primitive (';' primitive)*]
// primitive := name '(' [argument (',' argument)*] ')'     argument := [key '='] (name | integer)
//
// Arguments of one primitive are all named or all in their order; print chooses names where the
// order is not obvious.
#include <algorithm>
#include <array>
#include <tuple>

#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/ir/lexer.h"
#include "core/ir/program/program_words.h"
#include "core/ir/schedule/algorithm_words.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {
namespace {

constexpr std::array<std::string_view, 6> kThreadAxes = {"group.0",  "group.1",  "group.2",
                                                         "thread.0", "thread.1", "thread.2"};
constexpr size_t kMaxLines = 1000;  // far more than any operator's tensors and stages

// A key names an argument of a primitive, and the member that the argument fills.
template <typename Primitive, typename Value>
struct Key {
  std::string_view key;
  Value Primitive::* member;
  bool optional = false;  // may be missing, and is not printed if it has the default value
};

template <typename Own, typename... Values>
struct PrimitiveForm {
  using Primitive = Own;
  std::string_view word;
  bool keyed;  // printed with the keys of its arguments
  std::tuple<Key<Own, Values>...> arguments;
  std::string_view former = {};  // its word in older logs, which is parsed, too
};

template <typename Own, typename... Values>
constexpr auto keyed(std::string_view word, Key<Own, Values>... arguments) {
  return PrimitiveForm<Own, Values...>{word, true, {arguments...}};
}
template <typename Own, typename... Values>
constexpr auto in_order(std::string_view word, Key<Own, Values>... arguments) {
  return PrimitiveForm<Own, Values...>{word, false, {arguments...}};
}
template <typename Form>
constexpr Form formerly(std::string_view word, Form form) {
  form.former = word;
  return form;
}

// These tables define how each primitive is printed and parsed.
constexpr std::tuple kLayoutForms = {
    keyed("split", Key{"axis", &layout::Split::axis}, Key{"factor", &layout::Split::factor}),
    in_order("reorder", Key{"axes", &layout::Reorder::axes}),
    in_order("fuse", Key{"outer", &layout::Fuse::outer}, Key{"inner", &layout::Fuse::inner}),
    keyed("pad", Key{"axis", &layout::Pad::axis}, Key{"before", &layout::Pad::before},
          Key{"after", &layout::Pad::after}),
    keyed("unfold", Key{"axis", &layout::Unfold::axis}, Key{"size", &layout::Unfold::size},
          Key{"stride", &layout::Unfold::stride}),
    keyed("store_at", Key{"host", &layout::StoreAt::host}, Key{"axis", &layout::StoreAt::axis}),
};

constexpr std::tuple kLoopForms = {
    keyed("split", Key{"loop", &loop::Split::loop}, Key{"factor", &loop::Split::factor},
          Key{"tail", &loop::Split::tail, true}),
    in_order("reorder", Key{"loops", &loop::Reorder::loops}),
    in_order("fuse", Key{"outer", &loop::Fuse::outer}, Key{"inner", &loop::Fuse::inner}),
    in_order("vectorize", Key{"loop", &loop::Vectorize::loop}),
    in_order("unroll", Key{"loop", &loop::Unroll::loop}),
    in_order("parallel", Key{"loop", &loop::Parallel::loop}),
    in_order("bind", Key{"loop", &loop::Bind::loop}, Key{"axis", &loop::Bind::axis}),
    keyed("cache_write", Key{"tensor", &loop::CacheWrite::tensor}, Key{"at", &loop::CacheWrite::at},
          Key{"stores", &loop::CacheWrite::streaming, true}),
    keyed("prefetch", Key{"tensor", &loop::Prefetch::tensor}, Key{"at", &loop::Prefetch::at},
          Key{"distance", &loop::Prefetch::distance}, Key{"of", &loop::Prefetch::of, true}),
    keyed("cache_read", Key{"tensor", &loop::CacheRead::tensor}, Key{"at", &loop::CacheRead::at},
          Key{"scope", &loop::CacheRead::scope}, Key{"pad", &loop::CacheRead::pad, true}),
    keyed("double_buffer", Key{"tensor", &loop::DoubleBuffer::tensor},
          Key{"copies", &loop::DoubleBuffer::copies, true},
          Key{"behind", &loop::DoubleBuffer::behind, true}),
    keyed("compute_at", Key{"stage", &loop::ComputeAt::stage}, Key{"loop", &loop::ComputeAt::loop},
          Key{"scope", &loop::ComputeAt::scope, true}),
    in_order<loop::Inline>("inline"),
    in_order("rfactor", Key{"loop", &loop::RFactor::loop}),
    in_order("roll", Key{"axis", &loop::Roll::axis}),
    in_order("tensorize", Key{"loop", &loop::Tensorize::loop},
             Key{"intrinsic", &loop::Tensorize::intrinsic}),
};
constexpr std::tuple kAlgorithmForms = {
    keyed("winograd", Key{"tile", &algorithm::Winograd::tile}),
    formerly(kFormerInnerProductWord,
             keyed(kInnerProductWord, Key{"of", &algorithm::WinogradInnerProduct::of},
                   Key{"apart", &algorithm::WinogradInnerProduct::apart, true},
                   Key{"scale", &algorithm::WinogradInnerProduct::scale, true},
                   Key{"signs", &algorithm::WinogradInnerProduct::signs, true})),
    keyed("split_factors", Key{"products", &algorithm::SplitFactors::products}),
};

std::string text_of(const std::string& name) { return name; }
std::string text_of(int64_t number) { return std::to_string(number); }
std::string text_of(bool streaming) { return streaming ? "streaming" : "normal"; }
std::string text_of(const std::vector<std::string>& names) { return one_of(names); }
std::string text_of(ThreadAxis axis) { return print(axis); }
std::string text_of(TileScope scope) { return print(scope); }
std::string text_of(Tail tail) { return print(tail); }

template <typename Form>
std::string printed(const Form& form, const typename Form::Primitive& primitive) {
  std::string arguments;
  const auto add = [&](const auto& argument) {
    const auto& value = primitive.*argument.member;
    if (argument.optional && value == typename Form::Primitive{}.*argument.member) return;
    if (!arguments.empty()) arguments += ", ";
    if (form.keyed) arguments.append(argument.key).append("=");
    arguments += text_of(value);
  };
  std::apply([&](const auto&... argument) { (add(argument), ...); }, form.arguments);
  return fmt::format("{}({})", form.word, arguments);
}

template <typename Any, typename Forms>
std::string printed_by(const Forms& forms, const Any& any) {
  static_assert(std::tuple_size_v<Forms> == std::variant_size_v<Any>, "a primitive without a row");
  std::string text;
  const auto attempt = [&](const auto& form) {
    using Primitive = typename std::remove_cvref_t<decltype(form)>::Primitive;
    if (const auto* primitive = std::get_if<Primitive>(&any)) text = printed(form, *primitive);
  };
  std::apply([&](const auto&... form) { (attempt(form), ...); }, forms);
  return text;
}

struct Argument {
  Token token;
  std::string_view key;  // empty: by position
  int64_t integer = 0;
  bool is_integer = false;
};

struct Call {
  Token name;
  std::vector<Argument> arguments;
};

Result<Argument> parse_argument(Cursor& cursor) {
  Argument argument;
  argument.token = cursor.peek();
  if (argument.token.kind == TokenKind::name && cursor.at_symbol("=", 1)) {
    argument.key = cursor.take().text;
    cursor.take();
    argument.token = cursor.peek();
  }
  if (argument.token.kind == TokenKind::name) {
    cursor.take();
    // Only memory scopes of layouts contain a colon, and no argument is one.
    if (cursor.at_symbol(":"))
      return cursor.fail_at(argument.token, parse_tile_scope(argument.token.text).error().message);
    return argument;
  }
  argument.integer = TRY(cursor.expect_integer("a name or an integer"));
  argument.is_integer = true;
  return argument;
}

Result<Call> parse_call(Cursor& cursor) {
  if (cursor.peek().kind != TokenKind::name) return cursor.unexpected("a primitive");
  Call call{.name = cursor.take(), .arguments = {}};
  TRY(cursor.expect_symbol("("));
  if (cursor.accept_symbol(")")) return call;
  do {
    call.arguments.push_back(TRY(parse_argument(cursor)));
  } while (TRY(cursor.takes_comma(")")));
  return call;
}

struct Slot {
  std::string_view name;
  bool is_integer = false, optional = false;
};

// The arguments in the order of the slots; null for a missing one.
Result<std::vector<const Argument*>> ordered(const Cursor& cursor, const Call& call,
                                             const std::vector<Slot>& slots) {
  const std::string_view word = call.name.text;
  const auto expected = [&] { return fmt::format("{}({})", word, one_of(slots, &Slot::name)); };
  std::vector<const Argument*> found(slots.size());
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const Argument& argument = call.arguments[i];
    const auto named = std::ranges::find(slots, argument.key, &Slot::name);
    const size_t k = argument.key.empty() ? i : static_cast<size_t>(named - slots.begin());
    std::string wrong;
    if (k >= slots.size()) {
      wrong = fmt::format("{} has no argument {}; expected {}", word,
                          argument.key.empty() ? std::to_string(i + 1) : quoted(argument.key),
                          expected());
    } else if (found[k] != nullptr) {
      wrong = fmt::format("{} has {} twice", word, slots[k].name);
    } else if (slots[k].is_integer != argument.is_integer) {
      wrong = fmt::format("found {}, expected {} for {} of {}", quoted(argument.token.text),
                          slots[k].is_integer ? "an integer" : "a name", slots[k].name, word);
    }
    if (!wrong.empty()) return cursor.fail_at(argument.token, wrong);
    found[k] = &argument;
  }
  for (size_t k = 0; k < slots.size(); ++k)
    if (found[k] == nullptr && !slots[k].optional)
      return cursor.fail_at(
          call.name, fmt::format("{} lacks {}; expected {}", word, slots[k].name, expected()));
  return found;
}

Result<void> read_into(const Cursor&, const Argument& argument, std::string& name) {
  name = argument.token.text;
  return {};
}
Result<void> read_into(const Cursor&, const Argument& argument, int64_t& number) {
  number = argument.integer;
  return {};
}
Result<void> read_into(const Cursor& cursor, const Argument& argument, bool& streaming) {
  streaming = argument.token.text == "streaming";
  if (streaming || argument.token.text == "normal") return {};
  return cursor.fail_at(argument.token, fmt::format("found {}, expected normal or streaming",
                                                    quoted(argument.token.text)));
}
Result<void> read_into(const Cursor& cursor, const Argument& argument, TileScope& scope) {
  scope = TRY(cursor.located(argument.token, parse_tile_scope(argument.token.text)));
  return {};
}
Result<void> read_into(const Cursor& cursor, const Argument& argument, Tail& tail) {
  tail = argument.token.text == "cut" ? Tail::cut : Tail::none;
  if (tail == Tail::cut || argument.token.text == "none") return {};
  return cursor.fail_at(argument.token,
                        fmt::format("found {}, expected cut or none", quoted(argument.token.text)));
}
Result<void> read_into(const Cursor& cursor, const Argument& argument, ThreadAxis& axis) {
  axis = TRY(cursor.located(argument.token, parse_thread_axis(argument.token.text)));
  return {};
}

// Some primitives take any number of names.
Result<void> read_names(const Cursor& cursor, const Call& call, std::vector<std::string>& names) {
  for (const Argument& argument : call.arguments) {
    if (!argument.key.empty() || argument.is_integer)
      return cursor.fail_at(argument.token, fmt::format("{} takes names only", call.name.text));
    names.emplace_back(argument.token.text);
  }
  return {};
}

template <typename Any, typename Own, typename... Values>
Result<Any> read(const Cursor& cursor, const Call& call,
                 const PrimitiveForm<Own, Values...>& form) {
  Own primitive;
  Result<void> result;
  const auto read_all = [&](const auto&... argument) -> Result<void> {
    if constexpr ((std::is_same_v<Values, std::vector<std::string>> || ...)) {
      return read_names(cursor, call, primitive.*argument.member...);
    } else {
      const std::vector<const Argument*> given =
          TRY(ordered(cursor, call,
                      {Slot{argument.key, std::is_same_v<Values, int64_t>, argument.optional}...}));
      auto next = given.begin();
      const auto read_one = [&](auto& member) {
        const Argument* const one = *next++;
        if (result && one != nullptr) result = read_into(cursor, *one, member);
      };
      (read_one(primitive.*argument.member), ...);
      return result;
    }
  };
  TRY(std::apply(read_all, form.arguments));
  return primitive;
}

template <typename Any, typename Forms>
Result<Any> parse_primitive(Cursor& cursor, std::string_view family, const Forms& forms) {
  const Call call = TRY(parse_call(cursor));
  std::vector<std::string_view> words;
  std::optional<Result<Any>> made;
  const auto attempt = [&](const auto& form) {
    words.push_back(form.word);
    if (call.name.text == form.word || call.name.text == form.former)
      made = read<Any>(cursor, call, form);
  };
  std::apply([&](const auto&... form) { (attempt(form), ...); }, forms);
  if (made) return *std::move(made);
  return cursor.fail_at(call.name, fmt::format("unknown {} primitive {}; expected one of {}",
                                               family, quoted(call.name.text), one_of(words)));
}

Result<void> parse_algorithm_line(Cursor& cursor, const Token& word, Trace& trace) {
  if (trace.algorithm) return cursor.fail_at(word, "the trace has an algorithm already");
  if (!trace.layouts.empty() || !trace.loops.empty())
    return cursor.fail_at(word, "the algorithm comes after layouts or loops; it comes first");
  TRY(cursor.expect_symbol(":"));
  trace.algorithm = TRY(parse_primitive<Algorithm>(cursor, "algorithm", kAlgorithmForms));
  return cursor.expect_line_end();
}

Result<void> parse_layout_line(Cursor& cursor, Trace& trace) {
  const Token name = cursor.peek();
  TensorLayout tensor{.tensor = TRY(cursor.expect_name("a tensor")), .primitives = {}};
  if (std::ranges::find(trace.layouts, tensor.tensor, &TensorLayout::tensor) != trace.layouts.end())
    return cursor.fail_at(name, fmt::format("tensor {} has a layout already", tensor.tensor));
  if (!trace.loops.empty())
    return cursor.fail_at(
        name, fmt::format("layout {} comes after loops; layouts come first", tensor.tensor));
  TRY(cursor.expect_symbol(":"));
  while (cursor.peek().kind == TokenKind::name)
    tensor.primitives.push_back(
        TRY(parse_primitive<LayoutPrimitive>(cursor, "layout", kLayoutForms)));
  if (cursor.accept_symbol(";")) {
    TRY(cursor.expect_word("scope"));
    tensor.scope = TRY(parse_scope(cursor));
  }
  trace.layouts.push_back(std::move(tensor));
  return cursor.expect_line_end();
}

Result<void> parse_loops_line(Cursor& cursor, Trace& trace) {
  const Token name = cursor.peek();
  StageLoops stage;
  if (name.kind == TokenKind::name) stage.stage = cursor.take().text;
  if (std::ranges::find(trace.loops, stage.stage, &StageLoops::stage) != trace.loops.end()) {
    return cursor.fail_at(name, stage.stage.empty()
                                    ? "the operator has loops already"
                                    : fmt::format("stage {} has loops already", stage.stage));
  }
  TRY(cursor.expect_symbol(":"));
  if (cursor.peek().kind == TokenKind::name) do {
      stage.primitives.push_back(TRY(parse_primitive<LoopPrimitive>(cursor, "loop", kLoopForms)));
    } while (cursor.accept_symbol(";"));
  trace.loops.push_back(std::move(stage));
  return cursor.expect_line_end();
}

}  // namespace

std::string print(Tail tail) { return tail == Tail::cut ? "cut" : "none"; }

std::string print(ThreadAxis axis) { return std::string(kThreadAxes[static_cast<size_t>(axis)]); }

Result<ThreadAxis> parse_thread_axis(std::string_view text) {
  if (const auto axis = word_to<ThreadAxis>(kThreadAxes, text)) return *axis;
  return fail(
      "thread axis \"{}\" is unknown; expected group.0, group.1, group.2, "
      "thread.0, thread.1 or thread.2",
      text.substr(0, 40));
}

std::string print(TileScope scope) { return std::string(kTileScopes[static_cast<size_t>(scope)]); }

Result<TileScope> parse_tile_scope(std::string_view text) {
  if (const auto scope = word_to<TileScope>(kTileScopes, text)) return *scope;
  return fail("found " + quoted(text) +
              ", expected the scope of a tile: registers, private, local or workspace");
}

std::string print(const LayoutPrimitive& primitive) { return printed_by(kLayoutForms, primitive); }
std::string print(const Algorithm& algorithm) { return printed_by(kAlgorithmForms, algorithm); }

std::string algorithm_of(const Trace& trace) {
  if (!trace.algorithm) return "direct";
  const std::string printed = print(*trace.algorithm);
  return printed.substr(0, printed.find('('));
}

bool is_exact_on_integers(const std::optional<Algorithm>& algorithm) {
  return !algorithm || !std::holds_alternative<algorithm::Winograd>(*algorithm);
}

std::string print(const LoopPrimitive& primitive) { return printed_by(kLoopForms, primitive); }

std::string print(const Trace& trace) {
  std::string text;
  if (trace.algorithm) text += fmt::format("algorithm: {}\n", print(*trace.algorithm));
  for (const TensorLayout& tensor : trace.layouts) {
    text += fmt::format("layout {}:", tensor.tensor);
    for (const LayoutPrimitive& primitive : tensor.primitives) text += " " + print(primitive);
    if (tensor.scope != MemoryScope::global) text += " ; scope " + print(tensor.scope);
    text += "\n";
  }
  for (const StageLoops& stage : trace.loops) {
    text += stage.stage.empty() ? "loops:" : fmt::format("loops {}:", stage.stage);
    for (size_t i = 0; i < stage.primitives.size(); ++i)
      text += (i == 0 ? " " : " ; ") + print(stage.primitives[i]);
    text += "\n";
  }
  return text;
}

uint64_t hash(const Trace& trace) { return hash_of_text(print(trace)); }

Result<Trace> parse_trace(std::string_view text) {
  Cursor cursor = TRY(Cursor::over(text, "trace"));
  Trace trace;
  while (!cursor.at_end()) {
    if (trace.layouts.size() + trace.loops.size() > kMaxLines)
      return cursor.unexpected(fmt::format("at most {} layouts and stages", kMaxLines));
    const Token word = cursor.peek();
    if (word.kind == TokenKind::line_end)
      cursor.take();
    else if (cursor.accept_name("algorithm"))
      TRY(parse_algorithm_line(cursor, word, trace));
    else if (cursor.accept_name("layout"))
      TRY(parse_layout_line(cursor, trace));
    else if (cursor.accept_name("loops"))
      TRY(parse_loops_line(cursor, trace));
    else
      return cursor.unexpected("\"algorithm\", \"layout\" or \"loops\"");
  }
  return trace;
}

}  // namespace dovetail
