// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/log_header.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <limits>
#include <random>

#include "core/base/text.h"
#include "core/record/line/fields.h"
#include "core/record/line/log_line.h"

namespace dovetail {

namespace {

// "PoCL 3.1" -> "pocl": the driver without its version.
std::string driver_family(const std::string& driver) {
  std::string family = driver.substr(0, driver.find_first_of(" \t"));
  std::transform(family.begin(), family.end(), family.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return family;
}

// "x86_64-pc-linux-gnu" with 16 lanes -> "x86_64/16".
std::string instruction_set(const Target& target) {
  const std::string arch = target.llvm_triple.substr(0, target.llvm_triple.find('-'));
  return arch + "/" + std::to_string(vector_lanes(target));
}

}  // namespace

DeviceFacets facets_of(const Target& target) {
  DeviceFacets facets;
  facets.name = target.device;
  facets.family = runs_threads(target) ? instruction_set(target) : driver_family(target.driver);
  const std::string facts = print(target);
  for (const std::string_view line : split(facts, '\n')) {
    const size_t equals = line.find('=');
    const std::string_view key = line.substr(0, equals);
    // Stored elsewhere: in the header, or in name and family.
    if (equals == line.npos || key == "device" || key == "driver" || key == "name") continue;
    facets.more.emplace(key, line.substr(equals + 1));
  }
  return facets;
}

std::optional<ExecutionModel> execution_of(const DeviceFacets& facets) {
  std::string facts;
  for (const char* fact : {"execution", "max_work_group_size"})
    if (const auto found = facets.more.find(fact); found != facets.more.end())
      facts += found->first + "=" + found->second + "\n";
  const Result<Target> target = parse_target(facts);
  if (facts.empty() || !target) return std::nullopt;
  return target->execution;
}

std::optional<Target> target_of(const DeviceFacets& facets) {
  for (const char* fact : {"vector_registers", "l1_bytes", "l2_bytes", "l3_bytes"})
    if (!facets.more.contains(fact)) return std::nullopt;
  if (!facets.more.contains("vector_bytes") && !facets.more.contains("vector_lanes"))
    return std::nullopt;
  std::string facts = "device=" + facets.name + "\n";
  for (const auto& [key, value] : facets.more) facts += key + "=" + value + "\n";
  Result<Target> target = parse_target(facts);
  return target ? std::optional(*std::move(target)) : std::nullopt;
}

// Bytes or GFLOPs a second: keeps times that follow from rates finite.
constexpr double kMostOfAnyRate = 1e18;

auto fields_of(Of<Layer> auto& layer) {
  return std::tuple(Field{"name", layer.name}, Field{"spec", layer.spec},
                    Field{"nodes", layer.nodes, AtLeast{0}, Presence::may_lack},
                    unless_empty("model", layer.model));
}

auto fields_of(Of<Machine::Level> auto& level) {
  return std::tuple(
      Field{"capacity_bytes", level.capacity_bytes, AtLeast{1}, Presence::unless_empty},
      Field{"bytes_per_second", level.bytes_per_second, Within{1, kMostOfAnyRate}});
}

auto fields_of(Of<Machine::Stream> auto& stream) {
  return std::tuple(Field{"read_bytes", stream.read_bytes, AtLeast{0}},
                    Field{"written_bytes", stream.written_bytes, AtLeast{0}},
                    Field{"bytes_per_second", stream.bytes_per_second, Within{1, kMostOfAnyRate}});
}

auto fields_of(Of<Machine> auto& machine) {
  return std::tuple(Field{"peak_gflops", machine.peak_gflops, Within{1e-3, kMostOfAnyRate},
                          Presence::unless_empty},
                    unless_empty("levels", machine.levels),
                    unless_empty("streams", machine.streams));
}

namespace {

auto opening_fields(Of<LogHeader> auto& header) {
  return std::tuple(Field{"tool", header.tool}, Field{"campaign", header.campaign, AtLeast{1}},
                    Field{"id", header.id}, Field{"started", header.started},
                    Field{"target", header.target});
}

auto closing_fields(Of<LogHeader> auto& header) {
  return std::tuple(
      unless_empty("workloads", header.workloads), unless_empty("shapes", header.shapes),
      unless_empty("constants", header.constants), unless_empty("layers", header.layers),
      unless_empty("machine", header.machine), Field{"seed", header.seed},
      Field{"distilled_from", header.distilled_from, AtLeast{0}, Presence::unless_empty});
}

std::string print_device(const DeviceFacets& device) {
  JsonWriter writer;
  writer.text("name", device.name);
  writer.text("family", device.family);
  for (const auto& [name, value] : device.more) writer.text(name, value);
  return std::move(writer).finish();
}

std::string print_options(const Options& options) {
  JsonWriter writer;
  for (const auto& [name, value] : options) writer.raw(name, print(value));
  return std::move(writer).finish();
}

DeviceFacets parse_device(JsonFields fields) {
  DeviceFacets device;
  device.name = fields.text("name");
  device.family = fields.text("family");
  for (const auto& [name, value] : fields.rest()) device.more.emplace(name, fields.text(name));
  return device;
}

OptionValue parse_option(JsonFields& fields, const std::string& name) {
  switch (fields.kind(name)) {
    case JsonKind::boolean: return fields.boolean(name);
    case JsonKind::integer: return fields.integer(name, std::numeric_limits<int64_t>::min());
    case JsonKind::real: return fields.real(name);
    case JsonKind::list: return fields.texts(name);
    default: return fields.text(name);
  }
}

Options parse_options(JsonFields fields) {
  Options options;
  for (const std::string& name : fields.names()) options.emplace(name, parse_option(fields, name));
  return options;
}

// Keeps only what differs between two lists "NAME:KEY=VALUE,…" of one name, for readable messages.
void drop_common_parts(std::string& a, std::string& b) {
  const size_t colon = a.find(':');
  if (colon == a.npos || a.substr(0, colon + 1) != b.substr(0, colon + 1)) return;
  const auto parts_of = [&](const std::string& text) {
    return split(std::string_view(text).substr(colon + 1, text.size() - colon - 2), ',');
  };
  const auto rest_of = [&](const auto& parts, const auto& others) {
    std::string rest;
    for (const std::string_view part : parts) {
      if (std::ranges::find(others, part) != others.end()) continue;
      rest += fmt::format("{}{}", rest.empty() ? "" : ",", part);
    }
    return a.substr(0, colon + 1) + rest + "\"";
  };
  const auto in_a = parts_of(a), in_b = parts_of(b);
  std::string rest_a = rest_of(in_a, in_b);
  std::string rest_b = rest_of(in_b, in_a);
  a = std::move(rest_a);
  b = std::move(rest_b);
}

// "NAME is OLD in the log, NEW now", when they differ.
void compare(std::vector<std::string>& out, std::string_view name, const std::string& in_log,
             const std::string& now) {
  if (in_log == now) return;
  out.push_back(fmt::format("{} is {} in the log, {} now", name,
                            in_log.empty() ? "not set" : in_log, now.empty() ? "not set" : now));
}

std::string count_text(const std::optional<int64_t>& count) {
  return count ? std::to_string(*count) : "";
}

std::string option_text(const Options& options, const std::string& name) {
  const auto found = options.find(name);
  return found == options.end() ? "" : print(found->second);
}

// Options that limit how much is measured.
bool is_limit(const std::string& option) {
  constexpr std::string_view kLimits[] = {"trials",   "seconds",      "patience",
                                          "schedule", "total_trials", "total_seconds"};
  return std::ranges::find(kLimits, option) != std::end(kLimits);
}

void compare_tasks(std::vector<std::string>& out, const Options& in_log, const Options& now) {
  const std::vector<std::string> known = tasks_of(now);
  std::vector<std::string> missing = tasks_of(in_log);
  std::erase_if(missing, [&](const std::string& task) {
    return std::ranges::find(known, task) != known.end();
  });
  if (missing.empty()) return;
  const std::string others =
      missing.size() > 1 ? fmt::format(" (and {} more)", missing.size() - 1) : "";
  out.push_back(
      fmt::format("task {}{} is in the log, and not among those now", missing.front(), others));
}

}  // namespace

std::string print(const OptionValue& value) {
  return std::visit([](const auto& held) { return json_of(held); }, value);
}

std::string print(const LogHeader& header) {
  JsonWriter writer;
  writer.integer("schema", kSchema);
  write_fields(writer, opening_fields(header));
  writer.raw("device", print_device(header.device));
  writer.text("driver", header.driver);
  writer.raw("options", print_options(header.options));
  write_fields(writer, closing_fields(header));
  if (!header.experiment.empty()) writer.raw("experiment", json_on_one_line(header.experiment));
  writer.unknown(header.unknown);
  return seal_line(std::move(writer).finish());
}

std::vector<std::string> tasks_of(const Options& options) {
  const auto found = options.find("tasks");
  if (found == options.end()) return {};
  const auto* tasks = std::get_if<std::vector<std::string>>(&found->second);
  return tasks != nullptr ? *tasks : std::vector<std::string>();
}

std::string LogHeader::name_of(const std::string& spec) const {
  const auto found = std::ranges::find(layers, spec, &Layer::spec);
  return found == layers.end() ? "" : found->name;
}

bool is_header(std::string_view object) {
  // Nearly every line is a record: reject it without parsing.
  if (object.find("\"schema\"") == std::string_view::npos) return false;
  const auto fields = JsonFields::parse(object);
  return fields.has_value() && fields->has("schema");
}

namespace {

Result<int> schema_of(JsonFields& fields) {
  const int64_t schema = fields.integer("schema", 1);
  TRY(fields.check());
  return int(std::min<int64_t>(schema, std::numeric_limits<int>::max()));
}

}  // namespace

bool is_newer_schema(std::string_view object) {
  auto fields = JsonFields::parse(object);
  if (!fields || !fields->has("schema")) return false;
  const auto schema = schema_of(*fields);
  return schema.has_value() && *schema > kSchema;
}

Result<LogHeader> parse_header(std::string_view object) {
  LogHeader header;
  auto as_written = TRY(JsonFields::parse(object));
  const int schema = TRY(schema_of(as_written));
  auto fields = TRY(JsonFields::parse(TRY(migrate(std::string(object), schema))));
  fields.integer("schema", 1);  // marks it as known; migrated by now
  header.schema = schema;
  read_fields(fields, opening_fields(header));
  header.device = parse_device(fields.object("device"));
  header.driver = fields.text("driver");
  header.options = parse_options(fields.object("options"));
  read_fields(fields, closing_fields(header));
  header.experiment = fields.raw("experiment");
  header.unknown = fields.rest();
  TRY(fields.check());
  return header;
}

std::vector<std::string> model_files(const LogHeader& header) {
  std::vector<std::string> models;
  for (const std::string& workload : header.workloads)
    if (workload.ends_with(".onnx") || workload.ends_with(".graph")) models.push_back(workload);
  return models;
}

LogHeader started_now(LogHeader header) {
  const auto now = std::chrono::system_clock::now();
  header.started =
      fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(now)));
  std::random_device entropy;
  header.id = fmt::format("{:08x}{:08x}", entropy(), entropy());
  return header;
}

std::vector<std::string> differences(const LogHeader& in_log, const LogHeader& now) {
  std::vector<std::string> found;
  compare(found, "target", in_log.target, now.target);
  compare(found, "device name", in_log.device.name, now.device.name);
  compare(found, "device family", in_log.device.family, now.device.family);
  compare(found, "driver", in_log.driver, now.driver);
  compare(found, "seed", std::to_string(in_log.seed), std::to_string(now.seed));
  compare(found, "distilled_from", count_text(in_log.distilled_from),
          count_text(now.distilled_from));
  const bool can_grow = !in_log.options.contains("agent_goes_on");
  if (can_grow) compare_tasks(found, in_log.options, now.options);
  Options all = in_log.options;
  all.insert(now.options.begin(), now.options.end());
  for (const auto& [name, any_value] : all) {
    if (can_grow && (is_limit(name) || name == "tasks")) continue;
    std::string old_text = option_text(in_log.options, name);
    std::string new_text = option_text(now.options, name);
    if (name == "strategy" && old_text != new_text) drop_common_parts(old_text, new_text);
    compare(found, "option " + name, old_text, new_text);
  }
  return found;
}

}  // namespace dovetail
