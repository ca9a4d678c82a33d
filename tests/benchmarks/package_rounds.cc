// SPDX-License-Identifier: Apache-2.0
// package_rounds MODEL LOG [THREADS]: a package of a network beside `run`, in one process, turn by
// turn, on the same cores: both times, the median of the ratios of 60 rounds, what NAME_init takes.
//
//   build/release/tests/package_rounds build/models/resnet18.onnx results/networks/logs/….jsonl.gz
//   resnet18  run 14.92 ms  package 14.95 ms  ratio 1.001 (0.996 .. 1.006)  init 0.4 us  same bytes
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "campaign/package/build_package.h"
#include "campaign/run/judged_variants.h"
#include "campaign/run/network_trials.h"
#include "campaign/run/prepared_network.h"
#include "core/backends/backends.h"
#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/base/statistics.h"
#include "core/ir/program/buffer_values.h"
#include "core/runtime/huge_pages.h"
#include "core/runtime/thread_pool.h"

namespace dovetail {
namespace {

constexpr int kRounds = 60;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void share(void* pool, CpuKernel kernel, void* const* tables, int64_t extent) {
  static_cast<ThreadPool*>(pool)->parallel_for(kernel, tables, extent);
}

// Its structs hold words alone, pointers, in a fixed order.
struct LoadedPackage {
  int (*init)(const void** model, const void* weights, size_t bytes);
  int (*run)(const void* const* model, const void* const* inputs, void* const* outputs,
             void* workspace);
  const void* model[7];
  HugePages weights_memory, workspace_memory, tensor_memory;
  std::vector<const void*> inputs;
  std::vector<void*> outputs;
  std::vector<size_t> output_bytes;
  std::byte* workspace = nullptr;
  double init_seconds = 0;
};

Result<void> open_package(const std::string& folder, const Build& build, LoadedPackage& package) {
  const std::string library = folder + "/network.so";
  const std::string link = fmt::format(
      "cc -shared -o {0} -Wl,--whole-archive {1}/lib/libnetwork.a -Wl,--no-whole-archive", library,
      folder);
  if (std::system(link.c_str()) != 0) return fail("{} failed", link);
  void* const code = dlopen(library.c_str(), RTLD_NOW);
  if (code == nullptr) return fail("{}", dlerror());
  package.init = reinterpret_cast<decltype(package.init)>(dlsym(code, "network_init"));
  package.run = reinterpret_cast<decltype(package.run)>(dlsym(code, "network_run"));
  const std::string weights = TRY(read_file(folder + "/share/network/network.weights"));
  std::byte* const held = TRY(package.weights_memory.at_least(weights.size())).data();
  std::ranges::copy(std::as_bytes(std::span(weights)), held);
  package.workspace =
      TRY(package.workspace_memory.at_least(static_cast<uint64_t>(build.sizes.workspace[0].bytes)))
          .data();
  const double start = seconds_now();
  const int status = package.init(package.model, held, weights.size());
  package.init_seconds = seconds_now() - start;
  return status == 0 ? Result<void>() : fail("network_init gives {}", status);
}

// Aligned tensors, as a program of one's own may have them.
Result<void> give_tensors(const Graph& graph, const std::vector<NDArray>& inputs,
                          LoadedPackage& package) {
  std::vector<size_t> sizes;
  for (const NDArray& input : inputs) sizes.push_back(input.bytes().size());
  for (const TensorId id : graph.outputs) {
    const GraphTensor& tensor = graph.tensors[static_cast<size_t>(id)];
    sizes.push_back(static_cast<size_t>(num_elements(*tensor.shape) * bytes_of(tensor.type)));
    package.output_bytes.push_back(sizes.back());
  }
  size_t all = 0;
  for (const size_t size : sizes) all += (size + 63) / 64 * 64;
  std::byte* at = TRY(package.tensor_memory.at_least(all)).data();
  for (size_t i = 0; i < sizes.size(); at += (sizes[i++] + 63) / 64 * 64) {
    if (i >= inputs.size()) {
      package.outputs.push_back(at);
      continue;
    }
    std::ranges::copy(inputs[i].bytes(), at);
    package.inputs.push_back(at);
  }
  return {};
}

struct Rounds {
  std::vector<double> ours, package, ratios;
};

Result<Rounds> rounds_of(LoadedNetwork& network, LoadedPackage& package) {
  Rounds rounds;
  for (int round = -3; round < kRounds; ++round) {
    const double ours = TRY(network.run());
    const double start = seconds_now();
    const int status = package.run(package.model, package.inputs.data(), package.outputs.data(),
                                   package.workspace);
    const double theirs = seconds_now() - start;
    if (status != 0) return fail("network_run gives {}", status);
    if (round < 0) continue;
    rounds.ours.push_back(ours);
    rounds.package.push_back(theirs);
    rounds.ratios.push_back(theirs / ours);
  }
  return rounds;
}

bool same_bytes(VariantRun& run, const LoadedPackage& package) {
  const auto outputs = run.compared(run.graph().outputs);
  for (size_t i = 0; outputs && i < outputs->size(); ++i) {
    const std::span<const std::byte> expected = (*outputs)[i].values.bytes();
    const auto* const found = static_cast<const std::byte*>(package.outputs[i]);
    if (!std::equal(expected.begin(), expected.end(), found)) return false;
  }
  return outputs.has_value();
}

}  // namespace

Result<void> package_rounds(const std::string& model, const std::string& log, int threads) {
  const std::string target_text = threads == 1 ? "cpu" : fmt::format("cpu:threads={}", threads);
  const std::string folder = std::filesystem::temp_directory_path() / "dovetail-package-rounds";
  const Build build = TRY(build_package({.model = model,
                                         .log = log,
                                         .folder = folder,
                                         .name = "network",
                                         .targets = {target_text},
                                         .force = true},
                                        {}));
  RunSpecOptions options;
  options.spec = model;
  options.log = log;
  options.target = target_text;
  PreparedNetwork prepared = TRY(read_network(options, {}, TRY(resolve_target(target_text)), {}));
  VariantRuns runs;
  runs.push_back(TRY(choose_variant(prepared, std::nullopt, prepared.log, prepared.parts)));
  const MakeVariant again = [&](const AskedVariant& variant) {
    return choose_variant(prepared, variant, sources_of(options));
  };
  return in_thread([&]() -> Result<void> {
    TRY(load_within_bound(runs, again, *prepared.rule));
    LoadedPackage package{};
    TRY(open_package(folder, build, package));
    TRY(give_tensors(prepared.parts.graph, prepared.data[0].inputs, package));
    std::optional<ThreadPool> pool;
    if (threads > 1) {
      pool.emplace(prepared.cores);
      package.model[1] = reinterpret_cast<const void*>(&share);
      package.model[2] = &*pool;
    }
    Rounds rounds = TRY(rounds_of(runs.front()->network(), package));
    const auto [least, most] = median_interval(rounds.ratios);
    fmt::print(
        "{}  threads {}  run {:.3f} ms  package {:.3f} ms  ratio {:.3f} ({:.3f} .. {:.3f})  "
        "init {:.1f} us  {}\n",
        std::filesystem::path(model).stem().string(), threads, 1e3 * median(rounds.ours),
        1e3 * median(rounds.package), median(rounds.ratios), least, most,
        1e6 * package.init_seconds,
        same_bytes(*runs.front(), package) ? "same bytes" : "OTHER BYTES");
    return {};
  });
}

}  // namespace dovetail

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: package_rounds MODEL LOG [THREADS]\n", stderr);
    return 1;
  }
  const auto done = dovetail::package_rounds(argv[1], argv[2], argc > 3 ? std::atoi(argv[3]) : 1);
  if (done) return 0;
  fmt::print(stderr, "package_rounds: {}\n", done.error().message);
  return 1;
}
