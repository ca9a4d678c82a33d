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
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "core/ir/lexer.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {
namespace {

constexpr size_t kMaxLines = 1000;  // far above any operator's tensors and stages

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

// What a primitive takes; a key ending in '#' is an integer, one ending in '?' a name that may be
// missing. "*": any number of names.
struct Signature {
  std::string_view name;
  std::array<std::string_view, 3> keys;
};

constexpr std::array<Signature, 6> kLayoutSignatures = {{
    {"split", {"axis", "factor#"}},
    {"reorder", {"*"}},
    {"fuse", {"outer", "inner"}},
    {"pad", {"axis", "before#", "after#"}},
    {"unfold", {"axis", "size#", "stride#"}},
    {"store_at", {"host", "axis"}},
}};

constexpr std::array<Signature, 15> kLoopSignatures = {{
    {"split", {"loop", "factor#"}},
    {"reorder", {"*"}},
    {"fuse", {"outer", "inner"}},
    {"vectorize", {"loop"}},
    {"unroll", {"loop"}},
    {"parallel", {"loop"}},
    {"bind", {"loop", "axis"}},
    {"cache_write", {"tensor", "at", "stores?"}},
    {"prefetch", {"tensor", "at", "distance#"}},
    {"cache_read", {"tensor", "at", "scope"}},
    {"double_buffer", {"tensor"}},
    {"compute_at", {"stage", "loop", "scope?"}},
    {"inline", {}},
    {"rfactor", {"loop"}},
    {"roll", {"axis"}},
}};

constexpr std::array<Signature, 1> kAlgorithmSignatures = {{{"winograd", {"tile#"}}}};

std::string_view bare(std::string_view key) {
  return key.ends_with('#') || key.ends_with('?') ? key.substr(0, key.size() - 1) : key;
}

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
    // Only scopes of layouts have a colon, and no argument is one.
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
  while (true) {
    call.arguments.push_back(TRY(parse_argument(cursor)));
    if (cursor.accept_symbol(")")) return call;
    if (!cursor.accept_symbol(",")) return cursor.unexpected("\",\" or \")\"");
  }
}

std::string known_names(std::span<const Signature> signatures) {
  std::vector<std::string_view> names;
  for (const Signature& signature : signatures) names.push_back(signature.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// The arguments of a call in the order of its signature.
class Arguments {
 public:
  static Result<Arguments> of(const Cursor& cursor, const Call& call,
                              std::span<const Signature> signatures, std::string_view family) {
    const auto signature = std::ranges::find(signatures, call.name.text, &Signature::name);
    if (signature == signatures.end()) {
      return cursor.fail_at(call.name,
                            fmt::format("unknown {} primitive {}; expected one of {}", family,
                                        quoted(call.name.text), known_names(signatures)));
    }
    Arguments arguments;
    if (signature->keys[0] == "*") {
      TRY(arguments.read_list(cursor, call));
      return arguments;
    }
    TRY(arguments.read_keys(cursor, call, *signature));
    return arguments;
  }

  const std::vector<std::string>& list() const { return list_; }
  const std::string& name(size_t i) const { return names_[i]; }
  int64_t integer(size_t i) const { return integers_[i]; }
  const Token& token(size_t i) const { return tokens_[i]; }

 private:
  Result<void> read_list(const Cursor& cursor, const Call& call) {
    for (const Argument& argument : call.arguments) {
      if (!argument.key.empty() || argument.is_integer)
        return cursor.fail_at(argument.token, fmt::format("{} takes names only", call.name.text));
      list_.emplace_back(argument.token.text);
    }
    return {};
  }

  Result<void> read_keys(const Cursor& cursor, const Call& call, const Signature& signature) {
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      const Argument& argument = call.arguments[i];
      const size_t slot = slot_of(argument, i, signature);
      if (slot == signature.keys.size() || signature.keys[slot].empty())
        return cursor.fail_at(
            argument.token,
            fmt::format("{} has no argument {}; expected {}", signature.name,
                        argument.key.empty() ? std::to_string(i + 1) : quoted(argument.key),
                        keys_of(signature)));
      if (filled_[slot])
        return cursor.fail_at(argument.token, fmt::format("{} has {} twice", signature.name,
                                                          bare(signature.keys[slot])));
      const bool wants_integer = signature.keys[slot].ends_with('#');
      if (wants_integer != argument.is_integer)
        return cursor.fail_at(
            argument.token,
            fmt::format("found {}, expected {} for {} of {}", quoted(argument.token.text),
                        wants_integer ? "an integer" : "a name", bare(signature.keys[slot]),
                        signature.name));
      filled_[slot] = true;
      tokens_[slot] = argument.token;
      integers_[slot] = argument.integer;
      if (!argument.is_integer) names_[slot] = argument.token.text;
    }
    for (size_t slot = 0; slot < signature.keys.size(); ++slot) {
      const std::string_view key = signature.keys[slot];
      if (!key.empty() && !key.ends_with('?') && !filled_[slot])
        return cursor.fail_at(call.name, fmt::format("{} lacks {}; expected {}", signature.name,
                                                     bare(key), keys_of(signature)));
    }
    return {};
  }

  static size_t slot_of(const Argument& argument, size_t position, const Signature& signature) {
    if (argument.key.empty()) return std::min(position, signature.keys.size());
    size_t slot = 0;
    while (slot < signature.keys.size() && bare(signature.keys[slot]) != argument.key) ++slot;
    return slot;
  }

  static std::string keys_of(const Signature& signature) {
    std::vector<std::string_view> keys;
    for (const std::string_view key : signature.keys) {
      if (!key.empty()) keys.push_back(bare(key));
    }
    return fmt::format("{}({})", signature.name, fmt::join(keys, ", "));
  }

  std::vector<std::string> list_;
  std::array<std::string, 3> names_;
  std::array<int64_t, 3> integers_{};
  std::array<Token, 3> tokens_;
  std::array<bool, 3> filled_{};
};

Result<LayoutPrimitive> parse_layout_primitive(Cursor& cursor) {
  const Call call = TRY(parse_call(cursor));
  const Arguments a = TRY(Arguments::of(cursor, call, kLayoutSignatures, "layout"));
  const std::string_view name = call.name.text;
  if (name == "split") return layout::Split{a.name(0), a.integer(1)};
  if (name == "reorder") return layout::Reorder{a.list()};
  if (name == "fuse") return layout::Fuse{a.name(0), a.name(1)};
  if (name == "pad") return layout::Pad{a.name(0), a.integer(1), a.integer(2)};
  if (name == "store_at") return layout::StoreAt{a.name(0), a.name(1)};
  return layout::Unfold{a.name(0), a.integer(1), a.integer(2)};
}

Result<TileScope> tile_scope(const Cursor& cursor, const Arguments& arguments, size_t i) {
  const Result<TileScope> scope = parse_tile_scope(arguments.name(i));
  if (!scope) return cursor.fail_at(arguments.token(i), scope.error().message);
  return *scope;
}

Result<LoopPrimitive> parse_loop_primitive(Cursor& cursor) {
  const Call call = TRY(parse_call(cursor));
  const Arguments a = TRY(Arguments::of(cursor, call, kLoopSignatures, "loop"));
  const std::string_view name = call.name.text;
  if (name == "split") return loop::Split{a.name(0), a.integer(1)};
  if (name == "reorder") return loop::Reorder{a.list()};
  if (name == "fuse") return loop::Fuse{a.name(0), a.name(1)};
  if (name == "vectorize") return loop::Vectorize{a.name(0)};
  if (name == "unroll") return loop::Unroll{a.name(0)};
  if (name == "parallel") return loop::Parallel{a.name(0)};
  if (name == "cache_write") {
    const std::string& stores = a.name(2);
    if (!stores.empty() && stores != "normal" && stores != "streaming")
      return cursor.fail_at(a.token(2),
                            fmt::format("found {}, expected normal or streaming", quoted(stores)));
    return loop::CacheWrite{a.name(0), a.name(1), stores == "streaming"};
  }
  if (name == "prefetch") return loop::Prefetch{a.name(0), a.name(1), a.integer(2)};
  if (name == "double_buffer") return loop::DoubleBuffer{a.name(0)};
  if (name == "compute_at") {
    if (a.name(2).empty()) return loop::ComputeAt{a.name(0), a.name(1)};
    return loop::ComputeAt{a.name(0), a.name(1), TRY(tile_scope(cursor, a, 2))};
  }
  if (name == "roll") return loop::Roll{a.name(0)};
  if (name == "inline") return loop::Inline{};
  if (name == "cache_read")
    return loop::CacheRead{a.name(0), a.name(1), TRY(tile_scope(cursor, a, 2))};
  if (name == "rfactor") return loop::RFactor{a.name(0)};
  const Result<ThreadAxis> axis = parse_thread_axis(a.name(1));
  if (!axis) return cursor.fail_at(a.token(1), axis.error().message);
  return loop::Bind{a.name(0), *axis};
}

Result<void> parse_algorithm_line(Cursor& cursor, const Token& word, Trace& trace) {
  if (trace.algorithm) return cursor.fail_at(word, "the trace has an algorithm already");
  if (!trace.layouts.empty() || !trace.loops.empty())
    return cursor.fail_at(word, "the algorithm comes after layouts or loops; it comes first");
  TRY(cursor.expect_symbol(":"));
  const Call call = TRY(parse_call(cursor));
  const Arguments a = TRY(Arguments::of(cursor, call, kAlgorithmSignatures, "algorithm"));
  trace.algorithm = algorithm::Winograd{a.integer(0)};
  return {};
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
    tensor.primitives.push_back(TRY(parse_layout_primitive(cursor)));
  if (cursor.accept_symbol(";")) {
    TRY(cursor.expect_word("scope"));
    tensor.scope = TRY(parse_scope(cursor));
  }
  trace.layouts.push_back(std::move(tensor));
  return {};
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
  if (cursor.peek().kind == TokenKind::name) {
    do {
      stage.primitives.push_back(TRY(parse_loop_primitive(cursor)));
    } while (cursor.accept_symbol(";"));
  }
  trace.loops.push_back(std::move(stage));
  return {};
}

}  // namespace

Result<Trace> parse_trace(std::string_view text) {
  Cursor cursor = TRY(Cursor::over(text, "trace"));
  Trace trace;
  while (!cursor.at_end()) {
    if (trace.layouts.size() + trace.loops.size() > kMaxLines)
      return cursor.unexpected(fmt::format("at most {} layouts and stages", kMaxLines));
    const Token word = cursor.peek();
    if (word.kind == TokenKind::line_end) {
      cursor.take();
    } else if (cursor.accept_name("algorithm")) {
      TRY(parse_algorithm_line(cursor, word, trace));
      TRY(cursor.expect_line_end());
    } else if (cursor.accept_name("layout")) {
      TRY(parse_layout_line(cursor, trace));
      TRY(cursor.expect_line_end());
    } else if (cursor.accept_name("loops")) {
      TRY(parse_loops_line(cursor, trace));
      TRY(cursor.expect_line_end());
    } else {
      return cursor.unexpected("\"algorithm\", \"layout\" or \"loops\"");
    }
  }
  return trace;
}

}  // namespace dovetail
