// SPDX-License-Identifier: Apache-2.0
//
// network := 'network' NAME section*
// section := 'program' number LF program | 'storage' LF buffer* holds* | 'calls' LF call*
// holds   := 'holds' buffer NAME*
// call    := 'call' NAME number buffer*
// program and buffer are parsed by core/ir/program/program_parse.cc; a NAME may be quoted.
#include <algorithm>
#include <charconv>
#include <map>

#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/ir/graph/name_text.h"
#include "core/ir/network/network_program.h"

namespace dovetail {
namespace {

class NetworkParser {
 public:
  explicit NetworkParser(std::string_view text) : lines_(split(text, '\n')) {
    if (lines_.back().empty()) lines_.pop_back();
    start_line();
  }

  Result<NetworkProgram> parse() {
    TRY(expect_word("network"));
    network_.name = TRY(name());
    TRY(end_line());
    while (next_ < lines_.size()) TRY(section());
    return std::move(network_);
  }

 private:
  Result<void> section() {
    if (take_word("program")) return program_section();
    if (take_word("storage")) return storage_section();
    if (take_word("calls")) return call_section();
    return error("expected program, storage or calls");
  }

  Result<void> program_section() {
    const size_t expected = network_.programs.size();
    if (TRY(number()) != expected) return error(fmt::format("expected program {}", expected));
    TRY(end_line());
    network_.programs.push_back(TRY(program_until({"program", "storage", "calls"})));
    return {};
  }

  Result<void> storage_section() {
    TRY(end_line());
    const Program held = TRY(program_until({"holds", "calls"}));
    if (!held.kernels.empty()) return error("found a kernel in the storage; expected buffers");
    for (const Buffer& buffer : held.buffers) {
      numbers_[buffer.name] = network_.buffers.size();
      network_.buffers.push_back({buffer, {}});
    }
    while (take_word("holds")) {
      std::vector<std::string>& tensors = network_.buffers[TRY(buffer_number())].tensors;
      while (!rest_.empty()) tensors.push_back(TRY(name()));
      TRY(end_line());
    }
    return {};
  }

  Result<void> call_section() {
    TRY(end_line());
    while (take_word("call")) {
      NetworkCall call{.name = TRY(name()), .program = TRY(number()), .buffers = {}};
      while (!rest_.empty()) call.buffers.push_back(TRY(buffer_number()));
      TRY(end_line());
      network_.calls.push_back(std::move(call));
    }
    return {};
  }

  // Parses the lines up to one that begins with any of these words. Empty lines in front of them
  // keep the line numbers in errors right.
  Result<Program> program_until(std::initializer_list<std::string_view> words) {
    std::string text(next_, '\n');
    const auto ends = [&](std::string_view line) {
      return std::ranges::any_of(words, [&](std::string_view w) { return line.starts_with(w); });
    };
    for (; next_ < lines_.size() && !ends(lines_[next_]); ++next_)
      text += std::string(lines_[next_]) + "\n";
    start_line();
    return parse_program(text);
  }

  void start_line() { rest_ = next_ < lines_.size() ? lines_[next_] : std::string_view(); }
  bool take_word(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    skip();
    return true;
  }
  Result<void> expect_word(std::string_view word) {
    if (take_word(word)) return {};
    return error(fmt::format("expected {}", word));
  }
  Result<std::string> name() {
    Result<std::string> taken = take_name(rest_);
    if (!taken) return error(taken.error().message);
    skip();
    return taken;
  }
  Result<size_t> number() {
    const std::string text = TRY(name());
    size_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code == std::errc() && end == text.data() + text.size()) return value;
    return error(fmt::format("found {}; expected a number", print_name(text)));
  }
  Result<size_t> buffer_number() {
    const std::string text = TRY(name());
    const auto found = numbers_.find(text);
    if (found != numbers_.end()) return found->second;
    return error(fmt::format("found {}; expected a buffer of the storage", print_name(text)));
  }
  Result<void> end_line() {
    if (!rest_.empty())
      return error(fmt::format("found {}; expected the end of the line", print_name(rest_)));
    ++next_;
    start_line();
    return {};
  }
  void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r"), rest_.size())); }

  Unexpected error(std::string_view what) const {
    return fail("network: line {}: {}", next_ + 1, what);
  }

  std::vector<std::string_view> lines_;
  size_t next_ = 0;
  std::string_view rest_;  // unread part of the next line
  NetworkProgram network_;
  std::map<std::string, size_t, std::less<>> numbers_;
};

}  // namespace

std::string print(const NetworkProgram& network) {
  std::string text = fmt::format("network {}\n", print_name(network.name));
  for (size_t p = 0; p < network.programs.size(); ++p)
    text += fmt::format("program {}\n{}", p, print(network.programs[p]));
  Program held;
  for (const NetworkBuffer& buffer : network.buffers) held.buffers.push_back(buffer.buffer);
  text += "storage\n" + print(held);
  for (const NetworkBuffer& held_buffer : network.buffers) {
    if (held_buffer.tensors.empty()) continue;
    text += "holds " + held_buffer.buffer.name;
    for (const std::string& tensor : held_buffer.tensors) text += " " + print_name(tensor);
    text += "\n";
  }
  text += "calls\n";
  for (const NetworkCall& call : network.calls) {
    text += fmt::format("call {} {}", print_name(call.name), call.program);
    for (const size_t b : call.buffers) text += " " + network.buffers[b].buffer.name;
    text += "\n";
  }
  return text;
}

Result<NetworkProgram> parse_network(std::string_view text) { return NetworkParser(text).parse(); }

}  // namespace dovetail
