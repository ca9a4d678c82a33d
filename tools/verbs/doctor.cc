// SPDX-License-Identifier: Apache-2.0
// The verb `doctor`: what this machine can do, how noisy it is, and what would help.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "campaign/checkup.h"
#include "campaign/indented_json.h"
#include "core/backends/backends.h"
#include "core/base/files.h"
#include "report/tables/data_table.h"
#include "tools/command_line/verb_parser.h"
#include "tools/output.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

struct DoctorOptions {
  std::string profile;                // write the device's limits to this file
  std::optional<std::string> target;  // for --profile
};

constexpr Option<DoctorOptions> kDoctorOptions[] = {
    {"--profile", &DoctorOptions::profile, "write the target's limits to FILE"},
    {"--target", &DoctorOptions::target, "whose limits --profile writes (cpu)"},
};

Json device_json(const Target& device) {
  return {{"target", print(device.name)},
          {"device", device.device},
          {"driver", device.driver},
          {"compute_units", device.compute_units},
          {"max_work_group_size", device.max_work_group_size},
          {"max_work_item_sizes", device.max_work_item_sizes},
          {"local_memory_bytes", device.local_memory_bytes},
          {"has_images", device.has_images},
          {"image2d_max_width", device.image2d_max_width},
          {"image2d_max_height", device.image2d_max_height},
          {"image_array_max_layers", device.image_array_max_layers},
          {"has_fp16", device.has_fp16},
          {"has_fp64", device.has_fp64}};
}

std::string json_text(const Checkup& checkup) {
  Json devices = Json::array();
  for (const Target& device : checkup.devices) devices.push_back(device_json(device));
  Json bandwidth = Json::object();
  for (size_t i = 0; i < checkup.levels.size(); ++i) {
    const LevelBandwidth& level = checkup.levels[i];
    Json& json = bandwidth[level.level];
    json = {{"bytes", level.bytes},
            {"read_bytes_per_second", level.read_bytes_per_second},
            {"copy_bytes_per_second", level.copy_bytes_per_second}};
    if (i >= checkup.effective_bytes.size()) continue;
    json["capacity_bytes"] = level.capacity_bytes;
    json["effective_bytes"] = checkup.effective_bytes[i];
  }
  return indented_json(Json{{"version", DOVETAIL_VERSION},
                            {"cpu", checkup.cpu.device},
                            {"driver", checkup.cpu.driver},
                            {"cores", checkup.cores},
                            {"devices", std::move(devices)},
                            {"peak_gflops", checkup.peak_gflops},
                            {"peak_gflops_all_cores", checkup.peak_all_gflops},
                            {"bandwidth", std::move(bandwidth)},
                            {"noise", checkup.noise},
                            {"hints", checkup.hints}});
}

std::string device_text(const Target& device) {
  std::string text = fmt::format(
      "opencl    {}, {}: {} compute units, {} work-items a group ({}), {} KiB local memory\n",
      device.device, device.driver, device.compute_units, device.max_work_group_size,
      fmt::join(device.max_work_item_sizes, " x "), device.local_memory_bytes / 1024);
  if (!device.has_images) return text + "          no images\n";
  return text + fmt::format("          images up to {} x {}, arrays of {} layers\n",
                            device.image2d_max_width, device.image2d_max_height,
                            device.image_array_max_layers);
}

struct LevelRow : LevelBandwidth {
  std::optional<int64_t> effective_bytes = {};  // none for memory
};

std::string levels_text(const Checkup& checkup) {
  std::vector<LevelRow> rows;
  for (const LevelBandwidth& level : checkup.levels) {
    LevelRow row{level};
    const size_t number = rows.size();
    if (number < checkup.effective_bytes.size())
      row.effective_bytes = checkup.effective_bytes[number];
    rows.push_back(std::move(row));
  }
  constexpr double kKibibytes = 1.0 / 1024;
  const auto scaled = [](auto LevelBandwidth::* value, double factor) {
    return [=](const LevelRow& row) {
      return significant_cell(static_cast<double>(row.*value) * factor);
    };
  };
  const auto of_cache = [](bool is_measured) {
    return [=](const LevelRow& row) {
      if (!row.effective_bytes) return significant_cell(std::optional<double>());
      const int64_t bytes = is_measured ? *row.effective_bytes : row.capacity_bytes;
      return significant_cell(static_cast<double>(bytes) * kKibibytes);
    };
  };
  return print_rows<LevelRow>(
      rows, {{"one thread", [](const LevelRow& row) { return row.level; }},
             {"cache (KiB)", of_cache(false)},
             {"effective (KiB)", of_cache(true)},
             {"array (KiB)", scaled(&LevelBandwidth::bytes, kKibibytes)},
             {"read (GB/s)", scaled(&LevelBandwidth::read_bytes_per_second, 1e-9)},
             {"copy (GB/s)", scaled(&LevelBandwidth::copy_bytes_per_second, 1e-9)}});
}

std::string text_of(const Checkup& checkup) {
  std::string text = fmt::format("dovetail  {}\n", DOVETAIL_VERSION);
  text += fmt::format("cpu       {}, {}, {} cores may be used\n", checkup.cpu.device,
                      checkup.cpu.driver, checkup.cores.size());
  text += fmt::format("peak      {:.1f} GFLOP/s FMA of one thread, {:.1f} of {}\n",
                      checkup.peak_gflops, checkup.peak_all_gflops, checkup.cores.size());
  text += fmt::format("noise     {:.1f} % between the slowest and the fastest of {} peaks\n",
                      100 * checkup.noise, Checkup::kNoiseRepeats);
  for (const Target& device : checkup.devices) text += device_text(device);
  text += "\n" + levels_text(checkup);
  for (const std::string& hint : checkup.hints) text += "\nhint: " + hint;
  return checkup.hints.empty() ? text : text + "\n";
}

Result<ExitCode> write_profile(const DoctorOptions& options) {
  const Target target = TRY(resolve_target(options.target.value_or("opencl")));
  TRY(write_file(options.profile, print(target)));
  return ExitCode::done;
}

Result<ExitCode> run_doctor(const DoctorOptions& options, bool json) {
  if (options.target && options.profile.empty())
    return fail("doctor: --target needs --profile FILE");
  if (!options.profile.empty()) return write_profile(options);
  const Checkup checkup = check_up();
  put(json ? json_text(checkup) : text_of(checkup));
  return ExitCode::done;
}

}  // namespace

Result<ExitCode> doctor_verb(Arguments arguments) {
  return parse_and_run<DoctorOptions>(
      "doctor",
      "Measures what this machine can do and says what would help.\n\n"
      "  dovetail doctor --target cpu:threads=2\n",
      kDoctorOptions, run_doctor, std::move(arguments));
}

}  // namespace dovetail
