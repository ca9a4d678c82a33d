// SPDX-License-Identifier: Apache-2.0
#include "core/ir/target.h"

#include <algorithm>
#include <charconv>
#include <concepts>
#include <map>
#include <string_view>
#include <variant>

#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/ir/lexer.h"

namespace dovetail {
namespace {

constexpr int kMostThreads = 256;

// The text itself if it is short and printable, else quoted, so that messages stay on one line.
std::string shown(std::string_view text) {
  const bool plain =
      text.size() <= 60 && std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
  return plain ? std::string(text) : quoted(text);
}

template <typename Number>
Result<Number> number_of(std::string_view key, std::string_view text) {
  if (const auto number = read_number<Number>(text)) return *number;
  return fail("{}={}: expected an integer", key, shown(text));
}

constexpr std::string_view kThreads = "threads", kArch = "arch";

bool is_option(std::string_view text) {
  const std::string_view key = text.substr(0, text.find('='));
  return key.size() < text.size() && (key == kThreads || key == kArch);
}

Result<void> set_option(std::string_view option, TargetName& name) {
  const size_t equals = option.find('=');
  const std::string_view key = option.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view() : option.substr(equals + 1);
  if (key == kThreads) {
    name.threads = TRY(number_of<int>(key, value));
    if (name.threads < 1 || name.threads > kMostThreads)
      return fail("threads={}: expected 1 to {}", shown(value), kMostThreads);
  } else if (key == kArch && !value.empty()) {
    name.arch = value;
  } else {
    return fail("option {} of target {}: expected threads=N or arch=NAME", shown(option),
                name.backend);
  }
  return {};
}

// Conversion of a Target's fields to and from text, by their types.
std::string field_text(const std::string& text) { return text; }
std::string field_text(std::integral auto number) { return fmt::format("{:d}", number); }
std::string field_text(const std::array<int64_t, 3>& sizes) {  // 1024x1024x64
  return fmt::format("{}", fmt::join(sizes, "x"));
}
std::string field_text(const TargetName& name) { return print(name); }

Result<void> read_field(std::string_view, std::string_view text, std::string& value) {
  value = text;
  return {};
}

template <typename Number>
Result<void> read_field(std::string_view key, std::string_view text, Number& number) {
  number = TRY(number_of<Number>(key, text));
  return {};
}

Result<void> read_field(std::string_view key, std::string_view text, bool& flag) {
  if (text != "0" && text != "1") return fail("{}={}: expected 0 or 1", key, shown(text));
  flag = text == "1";
  return {};
}

Result<void> read_field(std::string_view key, std::string_view text,
                        std::array<int64_t, 3>& sizes) {
  const std::vector<std::string_view> parts = split(text, 'x');
  if (parts.size() != sizes.size())
    return fail("{}={}: expected {} numbers, as in 1024x1024x64", key, shown(text), sizes.size());
  for (size_t k = 0; k < sizes.size(); ++k) sizes[k] = TRY(number_of<int64_t>(key, parts[k]));
  return {};
}

Result<void> read_field(std::string_view, std::string_view text, TargetName& name) {
  name = TRY(parse_target_name(text));
  return {};
}

constexpr std::array<std::string_view, 2> kExecutions = {"threads", "work_groups"};

std::string field_text(ExecutionModel execution) {
  return std::string(kExecutions[static_cast<size_t>(execution)]);
}

Result<void> read_field(std::string_view key, std::string_view text, ExecutionModel& execution) {
  const auto word = word_to<ExecutionModel>(kExecutions, text);
  if (!word) return fail("{}={}: expected {}", key, shown(text), one_of(kExecutions));
  execution = *word;
  return {};
}

using Field =
    std::variant<std::string Target::*, bool Target::*, int Target::*, int64_t Target::*,
                 std::array<int64_t, 3> Target::*, TargetName Target::*, ExecutionModel Target::*>;

const std::map<std::string, Field, std::less<>>& fields() {
  static const std::map<std::string, Field, std::less<>> kTable = {
      {"name", &Target::name},
      {"device", &Target::device},
      {"driver", &Target::driver},
      {"execution", &Target::execution},
      {"buffer_alignment", &Target::buffer_alignment},
      {"vector_bytes", &Target::vector_bytes},
      {"vector_registers", &Target::vector_registers},
      {"l1_bytes", &Target::l1_bytes},
      {"l2_bytes", &Target::l2_bytes},
      {"l3_bytes", &Target::l3_bytes},
      {"llvm_cpu", &Target::llvm_cpu},
      {"llvm_features", &Target::llvm_features},
      {"llvm_triple", &Target::llvm_triple},
      {"has_images", &Target::has_images},
      {"image2d_max_width", &Target::image2d_max_width},
      {"image2d_max_height", &Target::image2d_max_height},
      {"image_array_max_layers", &Target::image_array_max_layers},
      {"max_work_group_size", &Target::max_work_group_size},
      {"max_work_item_sizes", &Target::max_work_item_sizes},
      {"local_memory_bytes", &Target::local_memory_bytes},
      {"lockstep_work_items", &Target::lockstep_work_items},
      {"unit_registers", &Target::unit_registers},
      {"unit_work_items", &Target::unit_work_items},
      {"unit_local_bytes", &Target::unit_local_bytes},
      {"compute_units", &Target::compute_units},
      {"has_fp16", &Target::has_fp16},
      {"has_fp64", &Target::has_fp64},
  };
  return kTable;
}

// A value is the rest of its line: a line break inside it (a driver's odd string) becomes a blank.
std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '\r', ' ');
  return text;
}

// 4 for "znver4"; 0 for other CPUs.
int zen_generation(const Target& target) {
  constexpr std::string_view kZen = "znver";
  const std::string& cpu = target.llvm_cpu;
  int generation = 0;
  if (cpu.starts_with(kZen))
    std::from_chars(cpu.data() + kZen.size(), cpu.data() + cpu.size(), generation);
  return generation;
}

}  // namespace

Result<TargetName> parse_target_name(std::string_view text) {
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  const size_t colon = text.find(':');
  const std::string_view backend = text.substr(0, colon);
  std::string_view rest =
      colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  if (backend.empty() || !std::ranges::all_of(backend, is_word) ||
      (rest.empty() && colon != std::string_view::npos))
    return fail(
        "unknown target {}: expected cpu, opencl or another backend, and after a colon its "
        "options or device",
        shown(text));
  TargetName name;
  name.backend = backend;
  constexpr std::string_view kProfile = "profile=";
  if (rest == kProfile) return fail("target {}: no file after profile=", shown(text));
  if (rest.starts_with(kProfile)) {
    name.profile = rest.substr(kProfile.size());
    return name;
  }
  if (!is_option(rest.substr(0, rest.find(',')))) {
    name.device = rest;
    return name;
  }
  while (!rest.empty()) {
    const std::string_view option = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), option.size() + 1));
    TRY(set_option(option, name));
  }
  return name;
}

std::string print(const TargetName& name) {
  if (!name.profile.empty()) return name.backend + ":profile=" + name.profile;
  std::string options;
  if (!name.device.empty()) options += "," + name.device;
  if (name.threads != 1) options += fmt::format(",threads={}", name.threads);
  if (!name.arch.empty()) options += ",arch=" + name.arch;
  if (options.empty()) return name.backend;
  options.front() = ':';
  return name.backend + options;
}

bool adds_beside_multiplying(const Target& target) { return zen_generation(target) > 0; }

bool spreads_while_loading(const Target& target) {
  return zen_generation(target) >= 5 && vector_lanes(target) >= 16;
}

int64_t max_work_items(const Target& target, size_t axis) {
  const int64_t along = target.max_work_item_sizes[axis];
  return along > 0 ? std::min(along, target.max_work_group_size) : target.max_work_group_size;
}

std::string print(const Target& target) {
  std::string text;
  for (const auto& [key, field] : fields()) {
    const auto value = [&](const auto member) { return field_text(target.*member); };
    text += fmt::format("{}={}\n", key, one_line(std::visit(value, field)));
  }
  return text;
}

Result<Target> parse_target(std::string_view text) {
  Target target;
  bool has_execution = false;
  int number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const size_t equals = line.find('=');
    const std::string_view key = line.substr(0, equals);
    if (key == "vector_lanes" && equals != std::string_view::npos) {
      const int lanes = TRY(number_of<int>(key, line.substr(equals + 1)));
      target.vector_bytes = lanes * static_cast<int>(bytes_of(ElementType::f32));
      continue;
    }
    const auto field = fields().find(key);
    if (equals == std::string_view::npos || field == fields().end())
      return fail("line {} of a target: unknown field {}", number, shown(key));
    has_execution |= key == "execution";
    const auto read_value = [&](const auto member) {
      return read_field(key, line.substr(equals + 1), target.*member);
    };
    TRY(std::visit(read_value, field->second));
  }
  if (!has_execution && target.max_work_group_size > 1)
    target.execution = ExecutionModel::work_groups;
  return target;
}

}  // namespace dovetail
