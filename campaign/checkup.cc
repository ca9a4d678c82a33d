// SPDX-License-Identifier: Apache-2.0
#include "campaign/checkup.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "core/backends/backends.h"
#include "core/base/cores.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/codegen/llvm/cpu_target.h"
#include "core/runtime/thread_pool.h"
#include "measure/machine/effective_cache.h"

namespace dovetail {
namespace {

constexpr double kQuietSpread = 0.03;  // a machine whose peak moves less than this is quiet

void measure_effective(ThreadPool& pool, Checkup& checkup) {
  const std::vector<LevelBandwidth>& levels = checkup.levels;
  for (size_t i = 0; i + 1 < levels.size(); ++i) {
    const CacheRates rates{.capacity_bytes = levels[i].capacity_bytes,
                           .bytes_per_second = levels[i].read_bytes_per_second,
                           .next_bytes_per_second = levels[i + 1].read_bytes_per_second};
    const auto rate_of = [&](int64_t bytes) { return measure_read(pool, bytes); };
    checkup.effective_bytes.push_back(effective_bytes(rates, rate_of));
  }
}

// Uses separate threads, because a ThreadPool pins its caller.
void measure_cpu(Checkup& checkup) {
  std::thread([&] {
    ThreadPool pool(split_cores(physical_cores(), 1).timed);
    double slowest = 0;
    for (int i = 0; i < Checkup::kNoiseRepeats; ++i) {
      const double gflops = measure_fma_gflops(pool);
      checkup.peak_gflops = std::max(checkup.peak_gflops, gflops);
      slowest = i == 0 ? gflops : std::min(slowest, gflops);
    }
    checkup.noise = 1 - slowest / checkup.peak_gflops;
    checkup.levels = measure_bandwidth(pool, checkup.cpu);
    measure_effective(pool, checkup);
  }).join();
  std::thread([&] {
    ThreadPool pool(checkup.cores);
    checkup.peak_all_gflops = measure_fma_gflops(pool);
  }).join();
}

// Every device but the CPU itself, which is measured.
void find_devices(Checkup& checkup) {
  for (const Backend* backend : backends()) {
    Result<std::vector<Target>> devices = backend->devices();
    if (!devices) {
      checkup.hints.push_back(fmt::format("{}: {}", backend->name(), devices.error().message));
      continue;
    }
    for (Target& device : *devices)
      if (!runs_threads(device)) checkup.devices.push_back(std::move(device));
  }
}

void add_hints(Checkup& checkup) {
  std::vector<std::string>& hints = checkup.hints;
  if (const auto cpu = cpu_by_features(checkup.cpu)) {
    hints.push_back(
        fmt::format("{} is LLVM's name for this CPU; its features ({}) are rather those of {}",
                    checkup.cpu.llvm_cpu, first_names(cpu->beyond), cpu->cpu));
  }
  if (checkup.cores.size() < 2)
    hints.push_back("one core only: builds and runs take turns, and disturb each other's times");
  if (checkup.noise > kQuietSpread) {
    hints.push_back(fmt::format(
        "the FMA peak moved by {:.1f} %: other programs use the cores, or the clock changes; "
        "differences below that cannot be seen here",
        100 * checkup.noise));
  }
  if (const std::vector<int64_t>& caches = checkup.effective_bytes; !caches.empty()) {
    const int64_t last = checkup.levels[caches.size() - 1].capacity_bytes;
    if (2 * caches.back() < last) {
      hints.push_back(fmt::format(
          "one core has {} KiB of the last cache's {}: other programs or guests fill it; models "
          "with more constants than that run as --cache network:memory",
          caches.back() / 1024, last / 1024));
    }
  }
  const Result<std::string> governor =
      read_file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  if (governor && !governor->starts_with("performance"))
    hints.push_back("the clock follows the load; `cpupower frequency-set -g performance` fixes it");
  const auto is_opencl = [](const Target& device) {
    return backend_of(device).code_form() == CodeForm::opencl_source;
  };
  if (std::ranges::none_of(checkup.devices, is_opencl))
    hints.push_back("no OpenCL device; PoCL (pocl-opencl-icd) makes the CPU one");
  const auto is_pocl = [&](const Target& device) {
    return is_opencl(device) && backend_of(device).is_this_host(device);
  };
  if (std::ranges::any_of(checkup.devices, is_pocl)) {
    hints.push_back(
        "PoCL reads images 7 to 30 times slower than buffers: it checks textures, it "
        "does not rank them");
  }
}

}  // namespace

Checkup check_up() {
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
  return checkup;
}

}  // namespace dovetail
