// SPDX-License-Identifier: Apache-2.0
#include "tests/support/golden.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

namespace dovetail::testing {
namespace {

namespace fs = std::filesystem;

bool update_requested = false;

bool update_golden() {
  const char* variable = std::getenv("DOVETAIL_UPDATE_GOLDEN");
  return update_requested || (variable != nullptr && std::string_view(variable) == "1");
}

std::optional<std::string> read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

::testing::AssertionResult write_golden(const fs::path& path, std::string_view text) {
  fs::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) return ::testing::AssertionFailure() << "cannot write " << path;
  return ::testing::AssertionSuccess();
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

void set_update_golden(bool update) { update_requested = update; }
fs::path source_dir() { return DOVETAIL_SOURCE_DIR; }
fs::path binary_dir() { return DOVETAIL_BINARY_DIR; }

std::string source_file(std::string_view path) {
  const auto text = read_file(source_dir() / path);
  if (!text) ADD_FAILURE() << path << " does not exist";
  return text.value_or("");
}

// The common head and tail are left out but for the context; that is enough for texts that differ
// in one place, and right, if long, for the others.
std::string line_diff(std::string_view expected, std::string_view actual) {
  constexpr size_t kContext = 2;
  const auto a = split_lines(expected);
  const auto b = split_lines(actual);
  const size_t shorter = std::min(a.size(), b.size());
  size_t head = 0;
  while (head < shorter && a[head] == b[head]) ++head;
  size_t tail = 0;
  while (tail < shorter - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;

  std::ostringstream out;
  const size_t first = head - std::min(head, kContext);
  out << "at line " << head + 1 << ":\n";
  for (size_t i = first; i < head; ++i) out << "  " << a[i] << '\n';
  for (size_t i = head; i < a.size() - tail; ++i) out << "- " << a[i] << '\n';
  for (size_t i = head; i < b.size() - tail; ++i) out << "+ " << b[i] << '\n';
  const size_t after = a.size() - tail;
  for (size_t i = after; i < std::min(a.size(), after + kContext); ++i) out << "  " << a[i] << '\n';
  if (head == a.size() && head == b.size()) out << "(only the newline at the end differs)\n";
  return out.str();
}

::testing::AssertionResult matches_golden(std::string_view actual, std::string_view path) {
  const fs::path file = source_dir() / "tests" / "golden" / (std::string(path) + ".txt");
  if (update_golden()) return write_golden(file, actual);
  const auto expected = read_file(file);
  const std::string name = "tests/golden/" + std::string(path) + ".txt";
  if (!expected) {
    return ::testing::AssertionFailure()
           << name << " does not exist; run with --update-golden to write it. Actual text:\n"
           << actual;
  }
  if (*expected == actual) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << name << " (-) and the actual text (+) differ " << line_diff(*expected, actual)
         << "run with --update-golden if this is intended";
}

}  // namespace dovetail::testing
