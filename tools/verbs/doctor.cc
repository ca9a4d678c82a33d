// SPDX-License-Identifier: Apache-2.0
// The verb `doctor`: what this machine can do, how noisy it is, and what would help.
#include <fmt/format.h>

#include <cstdio>
#include <tuple>
#include <utility>
#include <vector>

#include "campaign/checkup.h"
#include "campaign/indented_json.h"
#include "core/backends/backends.h"
#include "core/base/files.h"
#include "report/tables/row_table.h"
#include "tools/command_line/result_json.h"
#include "tools/command_line/verb_parser.h"
#include "tools/output.h"

namespace dovetail {

auto fields_of(Of<Target> auto& device) {
  return std::tuple(Field{"target", print(device.name)}, Field{"device", device.device},
                    Field{"driver", device.driver}, Field{"compute_units", device.compute_units},
                    Field{"max_work_group_size", device.max_work_group_size},
                    Field{"max_work_item_sizes", device.max_work_item_sizes},
                    Field{"local_memory_bytes", device.local_memory_bytes},
                    Field{"has_images", device.has_images},
                    Field{"image2d_max_width", device.image2d_max_width},
                    Field{"image2d_max_height", device.image2d_max_height},
                    Field{"image_array_max_layers", device.image_array_max_layers},
                    Field{"has_fp16", device.has_fp16}, Field{"has_fp64", device.has_fp64});
}

namespace {

struct DoctorOptions {
  std::string profile;                // write the device's limits to this file
  std::optional<std::string> target;  // for --profile
};

constexpr Option<DoctorOptions> kDoctorOptions[] = {
    {"--profile", &DoctorOptions::profile, "write the target's limits to FILE"},
    {"--target", &DoctorOptions::target, "whose limits --profile writes (cpu)"},
};

// One level of the memory, with what of a cache is of use.
struct LevelRow : LevelBandwidth {
  std::optional<int64_t> effective_bytes = {};  // none for memory
};

auto fields_of(Of<LevelRow> auto& row) {
  const Presence if_cache = row.effective_bytes ? Presence::required : Presence::not_written;
  const auto kibibytes = scaled(1.0 / 1024), gigabytes = scaled(1e-9);
  return std::tuple(
      Field{"", row.level, Column{"one thread"}, Presence::not_written},
      Field{"bytes", row.bytes, Column{"array (KiB)", kibibytes}},
      Field{"read_bytes_per_second", row.read_bytes_per_second, Column{"read (GB/s)", gigabytes}},
      Field{"copy_bytes_per_second", row.copy_bytes_per_second, Column{"copy (GB/s)", gigabytes}},
      Field{"capacity_bytes",
            row.effective_bytes ? std::optional(row.capacity_bytes) : std::nullopt,
            Column{"cache (KiB)", kibibytes, "array (KiB)"}, if_cache},
      Field{"effective_bytes", row.effective_bytes,
            Column{"usable (KiB)", kibibytes, "array (KiB)"}, if_cache});
}

std::vector<LevelRow> levels_of(const Checkup& checkup) {
  std::vector<LevelRow> rows;
  for (const LevelBandwidth& level : checkup.levels) rows.push_back({level});
  for (size_t i = 0; i < checkup.effective_bytes.size(); ++i)
    rows[i].effective_bytes = checkup.effective_bytes[i];
  return rows;
}

std::string json_text(const Checkup& checkup) {
  std::vector<std::pair<std::string, LevelRow>> bandwidth;
  for (const LevelRow& row : levels_of(checkup)) bandwidth.emplace_back(row.level, row);
  return indented_json(std::tuple(
      Field{"cpu", checkup.cpu.device}, Field{"driver", checkup.cpu.driver},
      Field{"cores", checkup.cores}, Field{"devices", checkup.devices},
      Field{"peak_gflops", checkup.peak_gflops},
      Field{"peak_gflops_all_cores", checkup.peak_all_gflops}, Field{"bandwidth", bandwidth},
      Field{"noise", checkup.noise}, Field{"hints", checkup.hints}));
}

std::string device_text(const Target& device) {
  std::string text =
      fmt::format("{:9} {}, {}: ", device.name.backend, device.device, device.driver);
  if (device.compute_units > 1) text += fmt::format("{} compute units, ", device.compute_units);
  text += fmt::format("{} work-items a group", device.max_work_group_size);
  if (device.max_work_item_sizes[0] > 0)
    text += fmt::format(" ({})", fmt::join(device.max_work_item_sizes, " x "));
  text += fmt::format(", {} KiB local memory\n", device.local_memory_bytes / 1024);
  if (!device.has_images) return text + "          no images\n";
  return text + fmt::format("          images up to {} x {}, arrays of {} layers\n",
                            device.image2d_max_width, device.image2d_max_height,
                            device.image_array_max_layers);
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
  text += "\n" + print(table_of(levels_of(checkup)));
  text +=
      "usable: the largest array that one thread reads about as fast as the cache; less than the "
      "cache where\n        other programs or guests fill it, or where the next level is about as "
      "fast\n";
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
  put(json ? result_json("dovetail-doctor-1", json_text(checkup)) : text_of(checkup));
  return ExitCode::done;
}

}  // namespace

Result<ExitCode> doctor_verb(Arguments arguments) {
  return parse_and_run<DoctorOptions>(
      "doctor",
      "Measures what this machine can do and says what would help.\n\n"
      "  dovetail doctor\n"
      "  dovetail doctor --profile gpu.txt --target opencl\n",
      kDoctorOptions, run_doctor, std::move(arguments));
}

}  // namespace dovetail
