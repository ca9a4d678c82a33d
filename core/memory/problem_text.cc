// SPDX-License-Identifier: Apache-2.0
#include "core/memory/problem_text.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>

#include "core/base/fail.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

constexpr std::array<std::string_view, 2> kAccessWords = {"rw", "ro"};
constexpr std::array<std::string_view, 10> kColumns = {
    "id", "lower", "upper", "size", "alignment", "pools", "offset", "access", "gaps", "hint"};
enum Column { kId, kLower, kUpper, kSize, kAlignment, kPools, kOffset, kAccess, kGaps, kHint };

// MiniMalloc's aliases.
constexpr std::pair<std::string_view, Column> kOtherWords[] = {
    {"buffer", kId}, {"buffer_id", kId}, {"begin", kLower}, {"start", kLower}, {"end", kUpper}};

std::optional<Column> column_of(std::string_view word) {
  const auto column = std::ranges::find(kColumns, word);
  if (column != kColumns.end()) return static_cast<Column>(column - kColumns.begin());
  for (const auto& [other, meant] : kOtherWords)
    if (other == word) return meant;
  return std::nullopt;
}

std::string_view without_blanks(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

struct CsvLine {
  int number;  // in the file, from 1
  std::vector<std::string_view> cells;
};

std::vector<CsvLine> csv_lines(std::string_view text) {
  std::vector<CsvLine> lines;
  int number = 0;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // a byte order mark
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (without_blanks(line).empty()) continue;
    CsvLine read{.number = number, .cells = split(line, ',')};
    for (std::string_view& cell : read.cells) cell = without_blanks(cell);
    lines.push_back(std::move(read));
  }
  return lines;
}

bool has_gaps(const PlanningProblem& problem) {
  return std::ranges::any_of(problem.buffers,
                             [](const LiveBuffer& buffer) { return !buffer.gaps.empty(); });
}

class ProblemReader {
 public:
  ProblemReader(std::string_view name, std::vector<Pool> pools)
      : name_(name), has_pools_(!pools.empty()) {
    problem_.pools = std::move(pools);
    for (size_t i = 0; i < problem_.pools.size(); ++i)
      pool_of_.emplace(problem_.pools[i].name, static_cast<int>(i));
  }

  Result<PlanningProblem> read(std::string_view text) {
    const std::vector<CsvLine> lines = csv_lines(text);
    if (lines.empty()) return fail("{}: nothing found; expected a line id,lower,upper,size", name_);
    TRY(read_header(lines.front()));
    for (size_t i = 1; i < lines.size(); ++i) TRY(read_buffer(lines[i]));
    if (problem_.pools.empty()) problem_.pools.push_back(Pool{});
    if (has_gaps(problem_)) problem_.conflicts = conflicts_with_gaps(problem_);
    if (const auto right = check_problem(problem_); !right)
      return fail("{}: {}", name_, right.error().message);
    return std::move(problem_);
  }

 private:
  Result<void> read_header(const CsvLine& line) {
    where_.fill(-1);
    for (size_t i = 0; i < line.cells.size(); ++i) {
      const std::optional<Column> column = column_of(line.cells[i]);
      if (!column)
        return fail("{}:{}: column '{}' found; expected some of: {}", name_, line.number,
                    line.cells[i], one_of(kColumns));
      int& place = where_[*column];
      if (place >= 0)
        return fail("{}:{}: column {} found twice; expected it once", name_, line.number,
                    kColumns[*column]);
      place = static_cast<int>(i);
      words_[*column] = line.cells[i];
    }
    for (const Column needed : {kId, kLower, kUpper, kSize})
      if (where_[needed] < 0)
        return fail("{}:{}: no column {} found; expected id,lower,upper,size", name_, line.number,
                    kColumns[needed]);
    width_ = line.cells.size();
    ends_are_used_ = words_[kUpper] == "end";
    return {};
  }

  std::string_view cell(const CsvLine& line, Column column) const {
    const int place = where_[column];
    return place < 0 ? std::string_view() : line.cells[static_cast<size_t>(place)];
  }

  Result<int64_t> number(const CsvLine& line, Column column) const {
    const auto value = read_number<int64_t>(cell(line, column));
    if (value) return *value;
    return fail("{}:{}: {} '{}' found; expected a number of 63 bits", name_, line.number,
                words_[column], cell(line, column));
  }

  // Half-open, whether the file has `upper` or `end`.
  Result<LiveInterval> interval(const CsvLine& line, int64_t lower, int64_t upper) const {
    const bool is_right = upper >= lower || (ends_are_used_ && upper == lower - 1);
    if (!is_right || (ends_are_used_ && upper == std::numeric_limits<int64_t>::max()))
      return fail("{}:{}: {} {} and {} {} found; expected {} <= {}", name_, line.number,
                  words_[kLower], lower, words_[kUpper], upper, words_[kLower], words_[kUpper]);
    return LiveInterval{lower, ends_are_used_ ? upper + 1 : upper};
  }

  // "12-14 20-21"
  Result<void> read_gaps(const CsvLine& line, LiveBuffer& buffer) {
    for (const std::string_view text : split(cell(line, kGaps), ' ')) {
      if (text.empty()) continue;
      if (text.find('@') != text.npos)
        return fail(
            "{}:{}: gap {} found, of some of the buffer's bytes, which is not supported; "
            "expected gaps of all of them, such as 12-14",
            name_, line.number, text);
      const size_t dash = text.find('-');
      const auto lower = read_number<int64_t>(text.substr(0, dash));
      const auto upper =
          read_number<int64_t>(dash == text.npos ? std::string_view() : text.substr(dash + 1));
      if (!lower || !upper)
        return fail("{}:{}: gap '{}' found; expected two times, such as 12-14", name_, line.number,
                    text);
      const LiveInterval gap = TRY(interval(line, *lower, *upper));
      if (gap.lower < buffer.lifetime.lower || gap.upper > buffer.lifetime.upper)
        return fail("{}:{}: gap {} found; expected one within the buffer's lifetime", name_,
                    line.number, text);
      buffer.gaps.push_back(gap);
    }
    return {};
  }

  Result<void> read_buffer(const CsvLine& line) {
    if (line.cells.size() != width_)
      return fail("{}:{}: {} cells found; expected {}, as the first line has", name_, line.number,
                  line.cells.size(), width_);
    LiveBuffer buffer{.id = std::string(cell(line, kId)), .bytes = TRY(number(line, kSize))};
    if (buffer.id.empty()) return fail("{}:{}: no id found; expected one", name_, line.number);
    if (!ids_.emplace(buffer.id, line.number).second)
      return fail("{}:{}: id {} found, as in line {}; expected each once", name_, line.number,
                  buffer.id, ids_.at(buffer.id));
    if (buffer.bytes < 0)
      return fail("{}:{}: size {} found; expected 0 or more bytes", name_, line.number,
                  buffer.bytes);
    const int64_t lower = TRY(number(line, kLower)), upper = TRY(number(line, kUpper));
    buffer.lifetime = TRY(interval(line, lower, upper));
    TRY(read_gaps(line, buffer));
    if (!cell(line, kAlignment).empty()) buffer.alignment = TRY(number(line, kAlignment));
    if (!cell(line, kOffset).empty()) buffer.offset = TRY(number(line, kOffset));
    TRY(read_pools(line, buffer));
    const std::string_view access = cell(line, kAccess);
    const auto word = word_to<PoolAccess>(kAccessWords, access.empty() ? "rw" : access);
    if (!word)
      return fail("{}:{}: access '{}' found; expected rw or ro", name_, line.number, access);
    buffer.access = *word;
    problem_.buffers.push_back(std::move(buffer));
    return {};
  }

  Result<void> read_pools(const CsvLine& line, LiveBuffer& buffer) {
    std::string names(cell(line, kPools));
    std::ranges::replace(names, ';', '|');
    if (names.empty()) return {};
    for (const std::string_view part : split(names, '|')) {
      const std::string pool(without_blanks(part));
      const auto known = pool_of_.find(pool);
      if (known != pool_of_.end()) {
        buffer.pools.push_back(known->second);
        continue;
      }
      if (has_pools_ || pool.empty())
        return fail("{}:{}: pool '{}' found; expected one of: {}", name_, line.number, pool,
                    one_of(problem_.pools, &Pool::name));
      buffer.pools.push_back(static_cast<int>(problem_.pools.size()));
      pool_of_.emplace(pool, buffer.pools.back());
      problem_.pools.push_back(Pool{.name = pool});
    }
    return {};
  }

  const std::string_view name_;
  const bool has_pools_;
  PlanningProblem problem_{.buffers = {}, .pools = {}};
  std::map<std::string, int, std::less<>> pool_of_;
  std::array<int, kColumns.size()> where_{};
  std::array<std::string_view, kColumns.size()> words_{};  // spelled as in the file
  bool ends_are_used_ = false;  // the column is end: the last time, inclusive
  size_t width_ = 0;
  std::unordered_map<std::string, int> ids_;  // id -> its line
};

std::string pool_names(const PlanningProblem& problem, const LiveBuffer& buffer) {
  std::string names;
  for (const int pool : buffer.pools)
    names += (names.empty() ? "" : "|") + problem.pools[static_cast<size_t>(pool)].name;
  return names;
}

std::string gaps_text(const LiveBuffer& buffer) {
  std::string text;
  for (const LiveInterval& gap : buffer.gaps)
    text += fmt::format("{}{}-{}", text.empty() ? "" : " ", gap.lower, gap.upper);
  return text;
}

}  // namespace

Result<Pool> parse_pool(std::string_view text, Pool unsaid) {
  const size_t colon = text.find(':');
  Pool pool = std::move(unsaid);
  pool.name = std::string(text.substr(0, colon));
  if (pool.name.empty() || pool.name.find_first_of(",;|") != std::string::npos)
    return fail("pool '{}': expected NAME:size=N,align=A,access=rw", text);
  if (colon == std::string_view::npos) return pool;
  for (const std::string_view setting : split(text.substr(colon + 1), ',')) {
    const size_t equals = std::min(setting.find('='), setting.size());
    const std::string_view key = setting.substr(0, equals);
    const std::string_view value = setting.substr(std::min(equals + 1, setting.size()));
    const auto bytes = read_number<int64_t>(value);
    const auto access = word_to<PoolAccess>(kAccessWords, value);
    if (key == "size" && bytes && *bytes >= 0) {
      pool.limit_bytes = *bytes;
    } else if (key == "align" && bytes && *bytes >= 1) {
      pool.alignment = *bytes;
    } else if (key == "access" && access) {
      pool.access = *access;
    } else {
      return fail("pool {}: '{}' found; expected size=N, align=A or access=rw|ro", pool.name,
                  setting);
    }
  }
  return pool;
}

Result<PlanningProblem> parse_problem(std::string_view text, std::string_view name,
                                      std::vector<Pool> pools) {
  return ProblemReader(name, std::move(pools)).read(text);
}

Result<std::vector<ConflictPair>> parse_conflicts(std::string_view text, std::string_view name,
                                                  const PlanningProblem& problem) {
  std::unordered_map<std::string_view, int> index_of;
  for (size_t i = 0; i < problem.buffers.size(); ++i)
    index_of.emplace(problem.buffers[i].id, static_cast<int>(i));
  const std::vector<CsvLine> lines = csv_lines(text);
  if (lines.empty() || lines.front().cells != std::vector<std::string_view>{"a", "b"})
    return fail("{}:1: no header found; expected a line a,b", name);
  std::vector<ConflictPair> pairs;
  for (size_t i = 1; i < lines.size(); ++i) {
    const auto& [number, cells] = lines[i];
    if (cells.size() != 2)
      return fail("{}:{}: {} cells found; expected two ids", name, number, cells.size());
    for (const std::string_view id : cells)
      if (!index_of.contains(id))
        return fail("{}:{}: id '{}' found; expected one of the problem's buffers", name, number,
                    id);
    if (cells[0] == cells[1]) continue;  // USMP's files have some such pairs
    pairs.emplace_back(index_of.at(cells[0]), index_of.at(cells[1]));
  }
  return pairs;
}

std::string print_problem(const PlanningProblem& problem) {
  const bool with_gaps = has_gaps(problem);
  std::string text = "id,lower,upper,size,alignment,pools,offset,access";
  text += with_gaps ? ",gaps\n" : "\n";
  for (const LiveBuffer& buffer : problem.buffers) {
    text += fmt::format("{},{},{},{},{},{},{},{}", buffer.id, buffer.lifetime.lower,
                        buffer.lifetime.upper, buffer.bytes, buffer.alignment,
                        pool_names(problem, buffer),
                        buffer.offset ? std::to_string(*buffer.offset) : "",
                        kAccessWords[static_cast<size_t>(buffer.access)]);
    text += with_gaps ? "," + gaps_text(buffer) + "\n" : "\n";
  }
  return text;
}

std::string print_plan(const PlanningProblem& problem, const Plan& plan) {
  PlanningProblem planned = problem;
  for (size_t i = 0; i < planned.buffers.size(); ++i) {
    planned.buffers[i].pools = {plan.placements[i].pool};
    planned.buffers[i].offset = plan.placements[i].offset;
  }
  return print_problem(planned);
}

std::string print_conflicts(const PlanningProblem& problem) {
  std::string text = "a,b\n";
  for (const auto& [a, b] : problem.conflicts.value_or(std::vector<ConflictPair>{}))
    text += fmt::format("{},{}\n", problem.buffers[static_cast<size_t>(a)].id,
                        problem.buffers[static_cast<size_t>(b)].id);
  return text;
}

}  // namespace dovetail
