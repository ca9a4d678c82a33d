// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/filled_text.h"

#include "core/base/check.h"

namespace dovetail {
namespace {

const std::string& word_of(std::string_view name, const TextWords& words) {
  const auto found = words.find(name);
  CHECK(found != words.end(), "no word for @" + std::string(name) + "@");
  return found->second;
}

// Whether @…@ from `begin` to before `end` has its line for itself.
bool is_whole_line(std::string_view text, size_t begin, size_t end) {
  return (begin == 0 || text[begin - 1] == '\n') && end < text.size() && text[end] == '\n';
}

}  // namespace

std::string filled(std::string_view text, const TextWords& words) {
  std::string out;
  size_t done = 0;
  while (true) {
    const size_t begin = text.find('@', done);
    out += text.substr(done, begin - done);
    if (begin == std::string_view::npos) return out;
    const size_t close = text.find('@', begin + 1);
    CHECK(close != std::string_view::npos, "a template with half a name");
    out += word_of(text.substr(begin + 1, close - begin - 1), words);
    done = close + 1;
    if (is_whole_line(text, begin, done)) ++done;
  }
}

}  // namespace dovetail
