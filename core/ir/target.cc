// SPDX-License-Identifier: Apache-2.0
#include "core/ir/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "core/base/text.h"
#include "core/ir/lexer.h"

namespace dovetail {
namespace {

constexpr int kMostThreads = 256;
constexpr std::string_view kKnown =
    "cpu, cpu:threads=N, cpu:arch=NAME, opencl, opencl:PLATFORM or opencl:profile=FILE";

// As it is where that is readable; messages stay on one line whatever was given.
std::string shown(std::string_view text) {
  const bool plain =
      text.size() <= 60 && std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
  return plain ? std::string(text) : quoted(text);
}

template <typename Number>
Result<Number> number_of(std::string_view key, std::string_view text) {
  if (const auto number = read_number<Number>(text)) return *number;
  return fail(fmt::format("{}={}: expected an integer", key, shown(text)));
}

Result<void> set_cpu_option(std::string_view option, TargetName& name) {
  const size_t equals = option.find('=');
  const std::string_view key = option.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view() : option.substr(equals + 1);
  if (key == "threads") {
    name.threads = TRY(number_of<int>(key, value));
    if (name.threads < 1 || name.threads > kMostThreads) {
      return fail(fmt::format("threads={}: expected 1 to {}", shown(value), kMostThreads));
    }
  } else if (key == "arch" && !value.empty()) {
    name.arch = value;
  } else {
    return fail(
        fmt::format("option {} of target cpu: expected threads=N or arch=NAME", shown(option)));
  }
  return {};
}

// One field of a Target as text.
struct Field {
  std::function<std::string(const Target&)> print;
  std::function<Result<void>(std::string_view key, std::string_view text, Target&)> parse;
};

Field field_of(std::string Target::* member) {
  return {[member](const Target& target) { return target.*member; },
          [member](std::string_view, std::string_view text, Target& target) -> Result<void> {
            target.*member = text;
            return {};
          }};
}

template <typename Number>
Field field_of(Number Target::* member) {
  return {[member](const Target& target) { return fmt::format("{}", target.*member); },
          [member](std::string_view key, std::string_view text, Target& target) -> Result<void> {
            target.*member = TRY(number_of<Number>(key, text));
            return {};
          }};
}

Field field_of(bool Target::* member) {
  return {[member](const Target& target) { return std::string(target.*member ? "1" : "0"); },
          [member](std::string_view key, std::string_view text, Target& target) -> Result<void> {
            if (text != "0" && text != "1") {
              return fail(fmt::format("{}={}: expected 0 or 1", key, shown(text)));
            }
            target.*member = text == "1";
            return {};
          }};
}

// `1024x1024x64`
Field field_of(std::array<int64_t, 3> Target::* member) {
  return {
      [member](const Target& target) { return fmt::format("{}", fmt::join(target.*member, "x")); },
      [member](std::string_view key, std::string_view text, Target& target) -> Result<void> {
        const std::vector<std::string_view> parts = split(text, 'x');
        std::array<int64_t, 3>& sizes = target.*member;
        if (parts.size() != sizes.size()) {
          return fail(fmt::format("{}={}: expected {} numbers, as in 1024x1024x64", key,
                                  shown(text), sizes.size()));
        }
        for (size_t k = 0; k < sizes.size(); ++k) sizes[k] = TRY(number_of<int64_t>(key, parts[k]));
        return {};
      }};
}

Field name_field() {
  return {[](const Target& target) { return print(target.name); },
          [](std::string_view, std::string_view text, Target& target) -> Result<void> {
            target.name = TRY(parse_target_name(text));
            return {};
          }};
}

const std::map<std::string, Field, std::less<>>& fields() {
  static const std::map<std::string, Field, std::less<>> kTable = {
      {"name", name_field()},
      {"device", field_of(&Target::device)},
      {"driver", field_of(&Target::driver)},
      {"vector_lanes", field_of(&Target::vector_lanes)},
      {"vector_registers", field_of(&Target::vector_registers)},
      {"l1_bytes", field_of(&Target::l1_bytes)},
      {"l2_bytes", field_of(&Target::l2_bytes)},
      {"l3_bytes", field_of(&Target::l3_bytes)},
      {"llvm_cpu", field_of(&Target::llvm_cpu)},
      {"llvm_features", field_of(&Target::llvm_features)},
      {"llvm_triple", field_of(&Target::llvm_triple)},
      {"has_images", field_of(&Target::has_images)},
      {"image2d_max_width", field_of(&Target::image2d_max_width)},
      {"image2d_max_height", field_of(&Target::image2d_max_height)},
      {"image_array_max_layers", field_of(&Target::image_array_max_layers)},
      {"max_work_group_size", field_of(&Target::max_work_group_size)},
      {"max_work_item_sizes", field_of(&Target::max_work_item_sizes)},
      {"local_memory_bytes", field_of(&Target::local_memory_bytes)},
      {"compute_units", field_of(&Target::compute_units)},
      {"has_fp16", field_of(&Target::has_fp16)},
  };
  return kTable;
}

// A value is the rest of its line: a line break inside it (a driver's odd string) becomes a blank.
std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '\r', ' ');
  return text;
}

}  // namespace

Result<TargetName> parse_target_name(std::string_view text) {
  const size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  std::string_view rest =
      colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  TargetName name;
  if ((kind != "cpu" && kind != "opencl") || (rest.empty() && colon != std::string_view::npos)) {
    return fail(fmt::format("unknown target {}: expected {}", shown(text), kKnown));
  }
  if (kind == "opencl") {
    name.kind = TargetKind::opencl;
    constexpr std::string_view kProfile = "profile=";
    if (rest == kProfile)
      return fail(fmt::format("target {}: no file after profile=", shown(text)));
    const bool is_profile = rest.starts_with(kProfile);
    (is_profile ? name.profile : name.platform) = is_profile ? rest.substr(kProfile.size()) : rest;
    return name;
  }
  while (!rest.empty()) {
    const std::string_view option = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), option.size() + 1));
    TRY(set_cpu_option(option, name));
  }
  return name;
}

std::string print(const TargetName& name) {
  if (name.kind == TargetKind::opencl) {
    if (!name.profile.empty()) return "opencl:profile=" + name.profile;
    return name.platform.empty() ? "opencl" : "opencl:" + name.platform;
  }
  std::string options;
  if (name.threads != 1) options += fmt::format(",threads={}", name.threads);
  if (!name.arch.empty()) options += ",arch=" + name.arch;
  if (options.empty()) return "cpu";
  options.front() = ':';
  return "cpu" + options;
}

int64_t max_work_items(const Target& target, size_t axis) {
  const int64_t along = target.max_work_item_sizes[axis];
  return along > 0 ? std::min(along, target.max_work_group_size) : target.max_work_group_size;
}

std::string print(const Target& target) {
  std::string text;
  for (const auto& [key, field] : fields()) {
    text += fmt::format("{}={}\n", key, one_line(field.print(target)));
  }
  return text;
}

Result<Target> parse_target(std::string_view text) {
  Target target;
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.empty() || line.front() == '#') continue;
    const size_t equals = line.find('=');
    const std::string_view key = line.substr(0, equals);
    const auto field = fields().find(key);
    if (equals == std::string_view::npos || field == fields().end()) {
      return fail(fmt::format("line {} of a target: unknown field {}", number, shown(key)));
    }
    TRY(field->second.parse(key, line.substr(equals + 1), target));
  }
  return target;
}

}  // namespace dovetail
