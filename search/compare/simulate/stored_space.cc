// SPDX-License-Identifier: Apache-2.0
#include "search/compare/simulate/stored_space.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/base/text.h"
#include "search/strategies/points/points.h"

namespace dovetail {
namespace {

// As in a file: "0 16 2".
std::string numbers_text(const std::vector<int64_t>& numbers) {
  return fmt::format("{}", fmt::join(numbers, " "));
}

Result<std::vector<int64_t>> numbers_of(const std::string& text) {
  std::vector<int64_t> numbers;
  if (text.empty()) return numbers;
  for (const std::string_view word : split(text, ' ')) {
    const std::optional<int64_t> number = read_number<int64_t>(word);
    if (!number) return fail("found '{}', expected whole numbers", text);
    numbers.push_back(*number);
  }
  return numbers;
}

// A prefix tree over all points, in their order.
class PointTree {
 public:
  // Fails for a duplicate point, or one apart from others with the same prefix.
  static Result<PointTree> of(std::vector<Point> points) {
    PointTree tree(std::move(points));
    TRY(tree.grow(0, tree.points_.size(), 0));
    return tree;
  }

  size_t size() const { return points_.size(); }
  const Point& point(size_t row) const { return points_[row]; }

  // The values at position k of the points with the prefix `earlier`.
  std::vector<int64_t> domain(const Point& earlier, size_t k) const {
    const Node& node = node_at(earlier, k);
    if (node.column > k) return {points_[node.first][k]};
    std::vector<int64_t> values;
    for (const size_t child : node.children) values.push_back(points_[nodes_[child].first][k]);
    return values;
  }

  size_t row_of(const Point& point) const { return node_at(point, point.size()).first; }

 private:
  // Points that are alike before `column`, and differ there.
  struct Node {
    size_t first = 0;  // index of the first point
    size_t column = 0;
    std::vector<size_t> children;
  };

  explicit PointTree(std::vector<Point> points) : points_(std::move(points)) {}

  const Node& node_at(const Point& begin, size_t length) const {
    const Node* node = &nodes_.back();  // the root is grown last
    while (node->column < length) {
      const auto child = std::ranges::find_if(node->children, [&](size_t at) {
        return points_[nodes_[at].first][node->column] == begin[node->column];
      });
      CHECK(child != node->children.end(), "a point that begins as none of the space");
      node = &nodes_[*child];
    }
    return *node;
  }

  // Makes the node of the points [first, last), which are alike before `column`.
  Result<size_t> grow(size_t first, size_t last, size_t column) {
    const size_t length = points_[first].size();
    const auto differs = [&](size_t k) {
      return std::any_of(points_.begin() + static_cast<ptrdiff_t>(first) + 1,
                         points_.begin() + static_cast<ptrdiff_t>(last),
                         [&](const Point& point) { return point[k] != points_[first][k]; });
    };
    while (column < length && !differs(column)) ++column;
    if (column == length && last - first > 1)
      return fail("rows {} and {} are one point", first + 1, first + 2);
    Node node{.first = first, .column = column, .children = {}};
    std::unordered_set<int64_t> seen;
    for (size_t row = first; column < length && row < last;) {
      const int64_t value = points_[row][column];
      if (!seen.insert(value).second)
        return fail("row {} stands apart from those that begin like it", row + 1);
      size_t end = row + 1;
      while (end < last && points_[end][column] == value) ++end;
      node.children.push_back(TRY(grow(row, end, column + 1)));
      row = end;
    }
    nodes_.push_back(std::move(node));
    return nodes_.size() - 1;
  }

  std::vector<Point> points_;
  std::vector<Node> nodes_;
};

// The traces of a file, by row, as numbers of their lines.
struct StoredTraces {
  std::vector<std::string> lines;
  std::vector<std::string> of_row;

  Result<std::string> text(size_t row) const {
    std::string text;
    for (const int64_t line : TRY(numbers_of(of_row[row]))) {
      if (line < 0 || line >= std::ssize(lines))
        return fail("line {} of a trace, expected one of {}", line, lines.size());
      text += lines[static_cast<size_t>(line)] + "\n";
    }
    return text;
  }
  Result<Trace> read(size_t row) const { return parse_trace(TRY(text(row))); }
  bool all_lines_parse() const {
    return std::ranges::all_of(
        lines, [](const std::string& line) { return parse_trace(line + "\n").has_value(); });
  }
};

struct Rows {
  std::vector<Point> points;
  std::vector<std::string> traces;
  std::vector<const PointResult*> results;  // null: unmeasured
};

// The column of each parameter in measured points; empty: one value for all points.
Result<std::vector<std::optional<size_t>>> columns_of(const MeasuredSpace& measured) {
  std::vector<std::optional<size_t>> columns;
  size_t used = 0;
  for (const StoredParameter& parameter : measured.stored.parameters) {
    const auto at = std::ranges::find(measured.parameters, parameter.name);
    const bool has_column = at != measured.parameters.end();
    if (has_column == parameter.value.has_value())
      return fail("parameter {} has {}; expected a value for all points, or one in each",
                  parameter.name, has_column ? "both" : "no value");
    columns.push_back(has_column
                          ? std::optional(static_cast<size_t>(at - measured.parameters.begin()))
                          : std::nullopt);
    used += has_column ? 1 : 0;
  }
  if (used == measured.parameters.size()) return columns;
  return fail("{} parameters of {} in the points are none of the space",
              measured.parameters.size() - used, measured.parameters.size());
}

// Measured and unmeasured points, merged in the order of the space.
Result<Rows> rows_of(const MeasuredSpace& measured) {
  const std::vector<std::optional<size_t>> columns = TRY(columns_of(measured));
  const StoredSpace& stored = measured.stored;
  Rows rows;
  const auto add = [&rows](Point values, const std::string& trace, const PointResult* result) {
    rows.points.push_back(std::move(values));
    rows.traces.push_back(trace);
    rows.results.push_back(result);
  };
  const auto values_of = [&](const PointResult& point) {
    Point values;
    for (size_t k = 0; k < columns.size(); ++k)
      values.push_back(columns[k] ? point.values[*columns[k]] : *stored.parameters[k].value);
    return values;
  };
  auto point = measured.points.begin();
  for (const UnmeasuredPoint& other : stored.unmeasured) {
    for (; std::ssize(rows.points) < other.row && point != measured.points.end(); ++point)
      add(values_of(*point), point->trace, &*point);
    if (std::ssize(rows.points) != other.row)
      return fail("an unmeasured point is row {}; expected {}", other.row, rows.points.size());
    add(TRY(numbers_of(other.values)), other.trace, nullptr);
  }
  for (; point != measured.points.end(); ++point) add(values_of(*point), point->trace, &*point);
  if (rows.points.empty()) return fail("no points; expected one or more");
  for (size_t row = 0; row < rows.points.size(); ++row)
    if (rows.points[row].size() != columns.size())
      return fail("row {} has {} values; expected {}", row + 1, rows.points[row].size(),
                  columns.size());
  return rows;
}

// Each trace must parse, and must be the one that was measured. A trace's hash is that of its text:
// if all lines parse, a text with the hash of a measured trace is that trace, and only the others
// are parsed. There are some twenty points for each line.
Result<void> check_traces(const Rows& rows, const StoredTraces& traces) {
  const bool lines_parse = traces.all_lines_parse();
  for (size_t row = 0; row < rows.results.size(); ++row) {
    const Result<std::string> text = traces.text(row);
    if (lines_parse && text && rows.results[row] != nullptr &&
        hash_of_text(*text) == rows.results[row]->trace_hash)
      continue;
    const Result<Trace> trace = traces.read(row);
    if (!trace) return fail("row {}: {}", row + 1, trace.error().message);
    if (rows.results[row] != nullptr && hash(*trace) != rows.results[row]->trace_hash)
      return fail("row {}: its trace is {:016x}; expected {:016x}, which was measured", row + 1,
                  hash(*trace), rows.results[row]->trace_hash);
  }
  return {};
}

Result<Parameter> parameter_of(const StoredParameter& stored, size_t position,
                               const std::shared_ptr<const PointTree>& tree) {
  Parameter parameter;
  parameter.kind = TRY(parse_parameter_kind(stored.kind));
  parameter.decides = decides(parameter.kind);
  parameter.tensor = stored.tensor;
  parameter.axis = stored.axis;
  if (stored.input) parameter.input = static_cast<size_t>(*stored.input);
  parameter.algorithm = stored.algorithm;
  parameter.name = stored.name;
  parameter.meaning = stored.meaning;
  parameter.labels = stored.labels;
  parameter.off_percent = static_cast<int>(std::min<int64_t>(stored.off_percent, 100));
  const auto is_earlier = [&](int64_t other) { return other < static_cast<int64_t>(position); };
  for (const int64_t earlier : stored.depends_on) {
    if (!is_earlier(earlier)) return fail("parameter {} depends on a later one", stored.name);
    parameter.depends_on.push_back(static_cast<size_t>(earlier));
  }
  for (const auto& [earlier, value] : stored.only_with) {
    if (!is_earlier(earlier)) return fail("parameter {} depends on a later one", stored.name);
    parameter.only_with.push_back({static_cast<size_t>(earlier), value});
  }
  parameter.domain = [tree, position](const Point& earlier) {
    return tree->domain(earlier, position);
  };
  return parameter;
}

// Space counts points by domains; one domain with `points` values gives this space's count.
std::vector<std::vector<Parameter>> counted(size_t points) {
  Parameter rows;
  rows.domain = [points](const Point&) { return std::vector<int64_t>(points); };
  return {{std::move(rows)}};
}

StoredParameter stored(const Parameter& parameter, int64_t by_default) {
  StoredParameter result{.name = parameter.name,
                         .kind = std::string(print(parameter.kind)),
                         .tensor = parameter.tensor,
                         .axis = parameter.axis,
                         .algorithm = parameter.algorithm,
                         .meaning = parameter.meaning,
                         .input = {},
                         .depends_on = {parameter.depends_on.begin(), parameter.depends_on.end()},
                         .labels = parameter.labels,
                         .only_with = {},
                         .off_percent = parameter.off_percent,
                         .by_default = by_default,
                         .value = {}};
  if (parameter.input) result.input = static_cast<int64_t>(*parameter.input);
  for (const auto& [earlier, value] : parameter.only_with)
    result.only_with.push_back({static_cast<int64_t>(earlier), value});
  return result;
}

// Numbers the lines of texts, and adds new lines to the list.
class LineNumbers {
 public:
  explicit LineNumbers(std::vector<std::string>& lines) : lines_(lines) {}

  std::string of(const Trace& trace) {
    std::vector<int64_t> numbers;
    const std::string text = print(trace);
    for (const std::string_view line : split(text, '\n')) {
      if (line.empty()) continue;
      const auto [at, is_new] = numbers_.try_emplace(std::string(line), std::ssize(lines_));
      if (is_new) lines_.emplace_back(line);
      numbers.push_back(at->second);
    }
    return numbers_text(numbers);
  }

 private:
  std::vector<std::string>& lines_;
  std::unordered_map<std::string, int64_t> numbers_;
};

}  // namespace

void store_space(const Space& space, MeasuredSpace& measured) {
  StoredSpace& into = measured.stored = {};
  LineNumbers lines(into.lines);
  std::vector<std::optional<int64_t>> value(space.parameters().size());
  size_t next = 0;  // next measured point
  int64_t row = 0;
  for (std::optional<Point> at = first_point(space); at; at = next_point(space, *at), ++row) {
    const Trace trace = space.decode(*at);
    const bool is_measured =
        next < measured.points.size() && measured.points[next].trace_hash == hash(trace);
    if (!is_measured) {
      into.unmeasured.push_back(
          {.row = row, .values = numbers_text(*at), .trace = lines.of(trace)});
      continue;
    }
    measured.points[next++].trace = lines.of(trace);
    for (size_t k = 0; k < value.size(); ++k) value[k] = (*at)[k];
  }
  CHECK(next == measured.points.size(), "measured points in the order of their space");
  for (size_t k = 0; k < value.size(); ++k) {
    const Parameter& parameter = space.parameters()[k];
    into.parameters.push_back(stored(parameter, space.default_point()[k]));
    if (std::ranges::count(measured.parameters, parameter.name) == 0)
      into.parameters.back().value = value[k];
  }
}

bool has_stored_space(const MeasuredSpace& measured) { return !measured.stored.parameters.empty(); }

Result<Space> stored_space(const MeasuredSpace& measured, const Target& target) {
  Rows rows = TRY(rows_of(measured));
  const auto traces = std::make_shared<const StoredTraces>(measured.stored.lines, rows.traces);
  TRY(check_traces(rows, *traces));
  const auto tree = std::make_shared<const PointTree>(TRY(PointTree::of(std::move(rows.points))));
  std::vector<Parameter> parameters;
  Point default_point;
  for (const StoredParameter& parameter : measured.stored.parameters) {
    const size_t position = parameters.size();
    const std::vector<int64_t> domain = tree->domain(default_point, position);
    if (std::ranges::count(domain, parameter.by_default) == 0)
      return fail("the default point is none of the space: {}={}", parameter.name,
                  parameter.by_default);
    parameters.push_back(TRY(parameter_of(parameter, position, tree)));
    default_point.push_back(parameter.by_default);
  }
  const auto decode = [traces, tree](const Point& point) {
    Result<Trace> trace = traces->read(tree->row_of(point));
    CHECK(trace.has_value(), "all traces were read before");
    return *std::move(trace);
  };
  return Space(TRY(parse_task_spec(measured.task)), target, std::move(parameters), decode,
               std::move(default_point), counted(tree->size()));
}

}  // namespace dovetail
