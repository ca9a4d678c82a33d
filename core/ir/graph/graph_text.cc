// SPDX-License-Identifier: Apache-2.0
//
// The text form of a graph: print() and parse_graph().
#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/ir/graph/graph.h"
#include "core/ir/graph/name_text.h"

namespace dovetail {
namespace {

constexpr std::array<std::string_view, 5> kClassNames = {"complex", "elementwise", "reduction",
                                                         "data_movement", "unknown"};
// Always prints a fraction or an exponent, so that the value is not parsed as an integer.
std::string print_double(double value) {
  char buffer[32];
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  return text.find_first_of(".einfa") == std::string::npos ? text + ".0" : text;
}

struct AttributePrinter {
  std::string operator()(int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return print_double(value); }
  std::string operator()(const std::string& value) const {
    const std::string name = print_name(value);
    return name.starts_with('"') ? name : "\"" + name + "\"";
  }
  std::string operator()(const std::vector<int64_t>& values) const {
    return fmt::format("[{}]", fmt::join(values, ","));
  }
  std::string operator()(const std::vector<double>& values) const {
    std::vector<std::string> parts;
    for (const double value : values) parts.push_back(print_double(value));
    return fmt::format("[{}]", fmt::join(parts, ","));
  }
};

std::string print_tensor(const GraphTensor& tensor) {
  const std::string extents = tensor.shape ? fmt::format("{}", fmt::join(*tensor.shape, ",")) : "?";
  return fmt::format("{}: {}[{}]", print_name(tensor.name), name_of(tensor.type), extents);
}

std::string print_what(const GraphNode& node) {
  if (node.op) return print(*node.op);
  if (node.attributes.empty()) return print_name(node.type);
  std::vector<std::string> parts;
  for (const auto& [name, value] : node.attributes)
    parts.push_back(print_name(name) + "=" + std::visit(AttributePrinter{}, value));
  return fmt::format("{} {{{}}}", print_name(node.type), fmt::join(parts, ","));
}

std::string print_node(const Graph& graph, const GraphNode& node) {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  const auto tensor = [&](TensorId id) { return graph.tensors[static_cast<size_t>(id)]; };
  for (const TensorId id : node.inputs)
    inputs.push_back(id == kNoTensor ? "\"\"" : print_name(tensor(id).name));
  for (const TensorId id : node.outputs)
    outputs.push_back(id == kNoTensor ? "\"\"" : print_tensor(tensor(id)));
  return fmt::format("node {} = {} {} ({}) -> {}\n", print_name(node.name),
                     name_of(node.operator_class), print_what(node), fmt::join(inputs, ", "),
                     fmt::join(outputs, ", "));
}

// Reads one line from left to right; every read skips blanks first.
class LineReader {
 public:
  explicit LineReader(std::string_view line) : rest_(line) { skip(); }

  bool at_end() const { return rest_.empty(); }
  bool starts_with(std::string_view text) const { return rest_.starts_with(text); }
  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    skip();
    return true;
  }
  Result<void> expect(std::string_view text) {
    if (take(text)) return {};
    return fail("found {}; expected {}", found(), text);
  }
  // Up to the next blank.
  std::string_view word() {
    return take_prefix(std::min(rest_.find_first_of(" \t"), rest_.size()));
  }
  std::string_view peek_word() const { return rest_.substr(0, rest_.find_first_of(" \t")); }
  Result<std::string> name() {
    std::string taken = TRY(take_name(rest_));
    skip();
    return taken;
  }
  std::string_view number_text() {
    return take_prefix(std::min(rest_.find_first_not_of("0123456789+-.einfa"), rest_.size()));
  }
  std::string found() const {
    return rest_.empty() ? "the end of the line" : print_name(rest_.substr(0, 30));
  }

 private:
  void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r"), rest_.size())); }
  std::string_view take_prefix(size_t length) {
    const std::string_view text = rest_.substr(0, length);
    rest_.remove_prefix(length);
    skip();
    return text;
  }
  std::string_view rest_;
};

template <typename Number>
Result<Number> expect_number(std::string_view text) {
  if (const auto value = read_number<Number>(text)) return *value;
  return fail("found {}; expected a number", print_name(text));
}

bool is_integer(std::string_view text) {
  return text.find_first_not_of("0123456789-") == std::string_view::npos;
}

Result<Attribute> read_list(LineReader& reader) {
  std::vector<std::string> texts;
  if (!reader.take("]")) {
    do texts.emplace_back(reader.number_text());
    while (reader.take(","));
    TRY(reader.expect("]"));
  }
  std::vector<int64_t> integers;
  std::vector<double> doubles;
  const bool whole = std::ranges::all_of(texts, is_integer);
  for (const std::string& text : texts)
    if (whole)
      integers.push_back(TRY(expect_number<int64_t>(text)));
    else
      doubles.push_back(TRY(expect_number<double>(text)));
  if (whole) return Attribute(integers);
  return Attribute(doubles);
}

Result<Attribute> read_attribute(LineReader& reader) {
  if (reader.take("[")) return read_list(reader);
  if (reader.starts_with("\"")) return Attribute(TRY(reader.name()));
  const std::string_view text = reader.number_text();
  if (is_integer(text)) return Attribute(TRY(expect_number<int64_t>(text)));
  return Attribute(TRY(expect_number<double>(text)));
}

Result<std::vector<int64_t>> read_extents(LineReader& reader) {
  std::vector<int64_t> shape;
  int64_t count = 1;
  if (reader.take("]")) return shape;
  do {
    const int64_t extent = TRY(expect_number<int64_t>(reader.number_text()));
    if (extent < 0 || extent > kMaxTensorElements / std::max<int64_t>(count, 1))
      return fail("found extent {}; expected 0 or more, at most 2^40 elements in all", extent);
    count *= extent;
    shape.push_back(extent);
  } while (reader.take(","));
  TRY(reader.expect("]"));
  return shape;
}

class GraphParser {
 public:
  Result<void> line(std::string_view text) {
    LineReader reader(text);
    if (reader.at_end() || reader.starts_with("#")) return {};
    const std::string_view keyword = reader.word();
    if (keyword == "graph")
      graph_.name = TRY(reader.name());
    else if (keyword == "input")
      graph_.inputs.push_back(TRY(read_tensor(reader, false)));
    else if (keyword == "constant")
      TRY(read_tensor(reader, true));
    else if (keyword == "node")
      TRY(read_node(reader));
    else if (keyword == "output")
      graph_.outputs.push_back(TRY(read_use(reader)));
    else
      return fail("found {}; expected graph, input, constant, node or output", print_name(keyword));
    if (!reader.at_end()) return fail("found {}; expected the end of the line", reader.found());
    return {};
  }

  Result<Graph> finish() {
    if (graph_.outputs.empty()) return fail("found no output; expected lines: output NAME");
    TRY(check_graph(graph_));
    return compact(graph_);
  }

 private:
  Result<TensorId> read_tensor(LineReader& reader, bool constant) {
    GraphTensor tensor{.name = TRY(reader.name()), .shape = {}, .constant = constant, .data = {}};
    if (tensor.name.empty()) return kNoTensor;
    TRY(reader.expect(":"));
    const std::string word = TRY(reader.name());
    const auto type = element_type_named(word);
    if (!type) return fail("tensor {} has type {}; expected f32, f16, i64, …", tensor.name, word);
    tensor.type = *type;
    TRY(reader.expect("["));
    if (reader.take("?"))
      TRY(reader.expect("]"));
    else
      tensor.shape = TRY(read_extents(reader));
    const auto id = static_cast<TensorId>(graph_.tensors.size());
    if (!ids_.emplace(tensor.name, id).second)
      return fail("tensor {} is defined twice; expected it once", tensor.name);
    graph_.tensors.push_back(std::move(tensor));
    return id;
  }

  Result<TensorId> read_use(LineReader& reader) {
    const std::string name = TRY(reader.name());
    if (name.empty()) return kNoTensor;
    const auto found = ids_.find(name);
    if (found != ids_.end()) return found->second;
    return fail("tensor {} is not defined; expected a line above to define it", name);
  }

  Result<void> read_class(LineReader& reader, GraphNode& node) {
    const std::string_view word = reader.word();
    const auto named = word_to<OperatorClass>(kClassNames, word);
    if (!named)
      return fail(
          "node {} is {}; expected complex, elementwise, reduction, data_movement or unknown",
          node.name, print_name(word));
    node.operator_class = *named;
    return {};
  }

  Result<void> read_what(LineReader& reader, GraphNode& node) {
    const bool is_spec =
        !reader.starts_with("\"") && reader.peek_word().find(':') != std::string_view::npos;
    if (is_spec) {
      if (node.operator_class != OperatorClass::complex)
        return fail("node {} has a spec; expected it of class complex", node.name);
      node.op = TRY(parse_operator(reader.word()));
      node.type = name_of(node.op->kind);
      return {};
    }
    node.type = TRY(reader.name());
    if (!reader.take("{")) return {};
    do {
      const std::string key = TRY(reader.name());
      TRY(reader.expect("="));
      if (!node.attributes.emplace(key, TRY(read_attribute(reader))).second)
        return fail("attribute {} is given twice; expected it once", key);
    } while (reader.take(","));
    return reader.expect("}");
  }

  Result<void> read_node(LineReader& reader) {
    GraphNode node;
    node.name = TRY(reader.name());
    TRY(reader.expect("="));
    TRY(read_class(reader, node));
    TRY(read_what(reader, node));
    TRY(reader.expect("("));
    if (!reader.take(")")) {
      do node.inputs.push_back(TRY(read_use(reader)));
      while (reader.take(","));
      TRY(reader.expect(")"));
    }
    TRY(reader.expect("->"));
    do node.outputs.push_back(TRY(read_tensor(reader, false)));
    while (reader.take(","));
    graph_.nodes.push_back(std::move(node));
    return {};
  }

  Graph graph_;
  std::map<std::string, TensorId> ids_;
};

}  // namespace

std::string_view name_of(OperatorClass operator_class) {
  return kClassNames[static_cast<size_t>(operator_class)];
}

std::string print(const Graph& graph) {
  std::string text = fmt::format("graph {}\n", print_name(graph.name));
  for (const TensorId id : graph.inputs)
    text += fmt::format("input {}\n", print_tensor(graph.tensors[static_cast<size_t>(id)]));
  for (const GraphTensor& tensor : graph.tensors)
    if (tensor.constant) text += fmt::format("constant {}\n", print_tensor(tensor));
  for (const GraphNode& node : graph.nodes) text += print_node(graph, node);
  for (const TensorId id : graph.outputs)
    text += fmt::format("output {}\n", print_name(graph.tensors[static_cast<size_t>(id)].name));
  return text;
}

Result<Graph> parse_graph(std::string_view text, std::string_view file) {
  GraphParser parser;
  size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    const Result<void> read = parser.line(line);
    if (!read) return fail("{}:{}: {}", file, number, read.error().message);
  }
  auto graph = parser.finish();
  if (!graph) return fail("{}: {}", file, graph.error().message);
  return graph;
}

Result<Graph> read_graph(const std::string& path) {
  if (const std::string_view found = what_else_than_plain(path); !found.empty())
    return fail("graph {}: found {}; expected a file", path, found);
  const Result<std::string> text = read_file(path);
  std::error_code ignored;
  if (!text && !std::filesystem::exists(path, ignored)) return fail("graph {}: no such file", path);
  if (!text || text->empty())
    return fail("graph {}: cannot read it; expected a file as `show` prints", path);
  return parse_graph(*text, path);
}

}  // namespace dovetail
