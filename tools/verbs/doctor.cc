// SPDX-License-Identifier: Apache-2.0
// The verb `doctor`: what this machine can do, how noisy it is, and what would help.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "campaign/resolve_target.h"
#include "core/base/core_split.h"
#include "core/base/cores.h"
#include "core/base/files.h"
#include "core/runtime/opencl_device.h"
#include "core/runtime/thread_pool.h"
#include "measure/machine_peak.h"
#include "report/tables/table.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kNoiseRepeats = 9;
constexpr double kQuietSpread = 0.03;  // a machine whose peak moves less than this is quiet

struct Checkup {
  Target cpu;  // its caches; without LLVM only defaults
  std::vector<int> cores;
  double peak_gflops = 0;              // one thread
  double peak_all_gflops = 0;          // all cores
  double noise = 0;                    // slowest peak measurement below the fastest, as a fraction
  std::vector<LevelBandwidth> levels;  // one thread
  std::vector<Target> devices;         // OpenCL
  std::string opencl_error;
  std::vector<std::string> hints;
};

// In threads of their own: a pool pins its caller.
void measure_cpu(Checkup& checkup) {
  std::thread([&] {
    ThreadPool pool(split_cores(physical_cores(), 1).timed);
    double slowest = 0;
    for (int i = 0; i < kNoiseRepeats; ++i) {
      const double gflops = measure_fma_gflops(pool);
      checkup.peak_gflops = std::max(checkup.peak_gflops, gflops);
      slowest = i == 0 ? gflops : std::min(slowest, gflops);
    }
    checkup.noise = 1 - slowest / checkup.peak_gflops;
    checkup.levels = measure_bandwidth(pool, checkup.cpu);
  }).join();
  std::thread([&] {
    ThreadPool pool(checkup.cores);
    checkup.peak_all_gflops = measure_fma_gflops(pool);
  }).join();
}

void find_devices(Checkup& checkup) {
  Result<std::vector<Target>> devices = list_opencl_devices();
  if (devices) {
    checkup.devices = std::move(*devices);
  } else {
    checkup.opencl_error = devices.error().message;
  }
}

bool is_pocl(const Target& device) {
  return device.driver.starts_with("Portable Computing Language") ||
         device.driver.starts_with("PoCL");
}

void add_hints(Checkup& checkup) {
  std::vector<std::string>& hints = checkup.hints;
  if (checkup.cores.size() < 2) {
    hints.push_back("one core only: builds and runs take turns, and disturb each other's times");
  }
  if (checkup.noise > kQuietSpread) {
    hints.push_back(fmt::format(
        "the FMA peak moved by {:.1f} %: other programs use the cores, or the clock changes; "
        "differences below that cannot be seen here",
        100 * checkup.noise));
  }
  const Result<std::string> governor =
      read_file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  if (governor && !governor->starts_with("performance")) {
    hints.push_back("the clock follows the load; `cpupower frequency-set -g performance` fixes it");
  }
  if (!checkup.opencl_error.empty()) hints.push_back("OpenCL: " + checkup.opencl_error);
  if (checkup.devices.empty() && checkup.opencl_error.empty()) {
    hints.push_back("no OpenCL device; PoCL (pocl-opencl-icd) makes the CPU one");
  }
  if (std::ranges::any_of(checkup.devices, is_pocl)) {
    hints.push_back(
        "PoCL reads images 7 to 30 times slower than buffers: it checks textures, it "
        "does not rank them");
  }
}

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
          {"has_fp16", device.has_fp16}};
}

std::string json_text(const Checkup& checkup) {
  Json devices = Json::array();
  for (const Target& device : checkup.devices) devices.push_back(device_json(device));
  Json bandwidth = Json::object();
  for (const LevelBandwidth& level : checkup.levels) {
    bandwidth[level.level] = {{"bytes", level.bytes},
                              {"read_bytes_per_second", level.read_bytes_per_second},
                              {"copy_bytes_per_second", level.copy_bytes_per_second}};
  }
  const Json json{{"version", DOVETAIL_VERSION},
                  {"cpu", checkup.cpu.device},
                  {"driver", checkup.cpu.driver},
                  {"cores", checkup.cores},
                  {"devices", std::move(devices)},
                  {"peak_gflops", checkup.peak_gflops},
                  {"peak_gflops_all_cores", checkup.peak_all_gflops},
                  {"bandwidth", std::move(bandwidth)},
                  {"noise", checkup.noise},
                  {"hints", checkup.hints}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
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

std::string text_of(const Checkup& checkup) {
  std::string text = fmt::format("dovetail  {}\n", DOVETAIL_VERSION);
  text += fmt::format("cpu       {}, {}, {} cores may be used\n", checkup.cpu.device,
                      checkup.cpu.driver, checkup.cores.size());
  text += fmt::format("peak      {:.1f} GFLOP/s FMA of one thread, {:.1f} of {}\n",
                      checkup.peak_gflops, checkup.peak_all_gflops, checkup.cores.size());
  text += fmt::format("noise     {:.1f} % between the slowest and the fastest of {} peaks\n",
                      100 * checkup.noise, kNoiseRepeats);
  for (const Target& device : checkup.devices) text += device_text(device);
  Table table({{"one thread", Align::left}, {"array (KiB)"}, {"read (GB/s)"}, {"copy (GB/s)"}});
  for (const LevelBandwidth& level : checkup.levels) {
    table.add_row({level.level, significant(static_cast<double>(level.bytes) / 1024),
                   significant(level.read_bytes_per_second * 1e-9),
                   significant(level.copy_bytes_per_second * 1e-9)});
  }
  text += "\n" + print(table);
  for (const std::string& hint : checkup.hints) text += "\nhint: " + hint;
  return checkup.hints.empty() ? text : text + "\n";
}

Result<ExitCode> write_profile(const DoctorOptions& options) {
  const Target target = TRY(resolve_target(options.target.value_or("opencl")));
  TRY(write_file(options.profile, print(target)));
  return ExitCode::done;
}

}  // namespace

Result<ExitCode> run_doctor(const DoctorOptions& options) {
  if (!options.profile.empty()) return write_profile(options);
  Checkup checkup;
  checkup.cores = allowed_cores();
  Result<Target> cpu = resolve_target("cpu");
  if (cpu) {
    checkup.cpu = std::move(*cpu);
  } else {
    checkup.hints.push_back(cpu.error().message);
    checkup.cpu.device = "CPU";
    checkup.cpu.driver = "no LLVM";
  }
  measure_cpu(checkup);
  find_devices(checkup);
  add_hints(checkup);
  std::fputs((options.json ? json_text(checkup) : text_of(checkup)).c_str(), stdout);
  return ExitCode::done;
}

}  // namespace dovetail
