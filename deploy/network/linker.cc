// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/linker.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>

namespace dovetail {
namespace {

// The name with only letters, digits, dots and underscores, a letter first.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    plain += is_plain ? c : '_';
  }
  const bool starts_well =
      !plain.empty() && std::isalpha(static_cast<unsigned char>(plain[0])) != 0;
  return starts_well ? plain : "t" + plain;
}

}  // namespace

size_t Linker::hold(Buffer buffer, std::string_view name, std::vector<std::string> tensors) {
  buffer.name = buffer.tensor = free_name(name);
  network_.buffers.push_back({std::move(buffer), std::move(tensors)});
  return network_.buffers.size() - 1;
}

size_t Linker::constant(Buffer buffer, std::string_view name, std::vector<std::string> tensors) {
  const std::string key = fmt::format("{} {} {}", fmt::join(tensors, "\n"), name_of(buffer.dtype),
                                      print(buffer.layout, "T"));
  const auto [found, is_new] = constants_.try_emplace(key, network_.buffers.size());
  if (is_new) hold(std::move(buffer), name, std::move(tensors));
  return found->second;
}

void Linker::call(std::string name, const std::string& key, const Program& program,
                  std::vector<size_t> buffers) {
  const auto [found, is_new] = programs_.try_emplace(key, network_.programs.size());
  if (is_new) network_.programs.push_back(program);
  network_.calls.push_back(
      {.name = std::move(name), .program = found->second, .buffers = std::move(buffers)});
}

std::string Linker::free_name(std::string_view wanted) {
  const std::string plain = plain_name(wanted);
  std::string name = plain;
  for (int next = 2; !names_.insert(name).second; ++next) name = fmt::format("{}.{}", plain, next);
  return name;
}

}  // namespace dovetail
