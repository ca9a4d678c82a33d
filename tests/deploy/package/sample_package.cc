// SPDX-License-Identifier: Apache-2.0
#include "tests/deploy/package/sample_package.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <span>

#include "deploy/package/driver/c_driver.h"
#include "deploy/package/driver/ir_driver.h"
#include "deploy/package/filled_text.h"
#include "deploy/package/weights_file.h"
#include "tests/support/right.h"

#if DOVETAIL_HAVE_LLVM
#include "core/codegen/llvm/assemble.h"
#endif

namespace dovetail::testing {
namespace {

std::vector<std::byte> bytes_of_floats(std::span<const float> values) {
  std::vector<std::byte> bytes(values.size_bytes());
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// W is 1 to 10; K is 2.
const std::array<float, 10> kW = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
const std::array<float, 1> kK = {2};

}  // namespace

Executable sample_executable(std::string_view name) {
  Executable made;
  made.name = name;
  made.target.llvm_triple = "x86_64-unknown-linux-gnu";
  made.target.llvm_cpu = "x86-64-v3";
  made.target.name.threads = 2;
  made.arenas = {{.name = "workspace", .bytes = 256, .lower_bound_bytes = 256},
                 {.name = "constants", .use = ArenaUse::constants, .bytes = 128}};
  made.buffers = {{.name = "image", .shape = {10}},
                  {.name = "prior", .shape = {10}},
                  {.name = "tmp", .shape = {10}, .place = ArenaPlace{0, 0}},
                  {.name = "W", .shape = {10}, .place = ArenaPlace{1, 64}},
                  {.name = "heatmaps:0", .shape = {10}},
                  {.name = "K", .shape = {1}, .place = ArenaPlace{1, 0}},
                  {.name = "score", .shape = {1}},
                  {.name = "given.W", .shape = {10}}};
  made.inputs = {{.name = "image", .shape = {2, 5}, .buffer = 0, .place = ArenaPlace{0, 64}},
                 {.name = "prior", .shape = {10}, .buffer = 1, .place = ArenaPlace{0, 128}}};
  made.outputs = {
      {.name = "heatmaps:0", .shape = {1, 10}, .buffer = 4, .place = ArenaPlace{0, 192}},
      {.name = "score", .shape = {}, .buffer = 6, .place = ArenaPlace{0, 64}}};
  const std::string prefix(name);
  made.code.launches = {{.name = prefix + "_add", .extent = 10, .buffers = {0, 1, 2}},
                        {.name = prefix + "_scale", .extent = 10, .buffers = {2, 3, 7, 4}},
                        {.name = prefix + "_sum", .extent = 1}};  // all of them
  made.constants.resize(2);
  made.constants[1] = bytes_of_floats(kK);
  made.constants[1].resize(64);
  const std::vector<std::byte> w = bytes_of_floats(kW);
  made.constants[1].insert(made.constants[1].end(), w.begin(), w.end());
  made.constants[1].resize(128);
  made.code.objects = {"object"};
  return made;
}

Executable sample_executable_with_pools(std::string_view name) {
  Executable made = sample_executable(name);
  made.arenas = {{.name = "sram", .bytes = 64, .alignment = 128},
                 {.name = "itcm", .use = ArenaUse::constants, .bytes = 64},
                 {.name = "dram", .bytes = 256},
                 {.name = "flash", .use = ArenaUse::constants, .bytes = 64, .alignment = 128}};
  made.buffers[2].place = ArenaPlace{0, 0};
  made.buffers[3].place = ArenaPlace{3, 0};
  made.buffers[5].place = ArenaPlace{1, 0};
  for (auto* tensors : {&made.inputs, &made.outputs})
    for (ExecutableTensor& tensor : *tensors) tensor.place->arena = 2;
  made.constants.assign(4, {});
  made.constants[1] = bytes_of_floats(kK);
  made.constants[1].resize(64);
  made.constants[3] = bytes_of_floats(kW);
  made.constants[3].resize(64);
  return made;
}

PackageFacts sample_facts() {
  PackageFacts facts{.tool = "dovetail 0.1.0",
                     .llvm = "19.1.7",
                     .model_sha256 = std::string(64, '5'),
                     .model_nodes = 3,
                     .model_bytes = 44};
  facts.calls = {
      {.node = "Add_0", .task = "add:n=10", .trace = "loops: vectorize(n)", .record = "r1"},
      {.node = "Mul_1",
       .task = "mul:n=10",
       .trace = "loops: \"x\"",
       .match = MatchLevel::family,
       .record = "r2",
       .why = "measured on znver4"}};
  facts.accuracy = {{.region = "Mul_1", .algorithm = "winograd", .error = 1.5e-7}};
  facts.origin = {.log_sha256 = std::string(64, '6'),
                  .variant = "global",
                  .chosen_seconds = 1e-3,
                  .joint_seconds = 2e-3,
                  .options = {.max_error = 1e-5}};
  facts.output_error = OutputError{.error = 2e-6, .data = "8 random inputs"};
  facts.licences = {
      {.spdx = "Apache-2.0", .work = "kernels and driver", .text = "Do as you like.\n"}};
  facts.weights = {{.given_bytes = 44, .prepared_bytes = 84}};
  facts.plan_csv = "id,lower,upper,size,alignment,pools,offset,access\ntmp,0,2,64,64,,0,rw\n";
  facts.plan_svg = "<svg/>\n";
  return facts;
}

std::string sample_kernels(std::string_view name) {
  return filled(R"(#include <stdint.h>
#include <stdlib.h>

static const float* aligned(void* const* tables, int i) {
  if ((uintptr_t)tables[i] % 64 != 0) abort();
  return (const float*)tables[i];
}
void @name@_add(void* const* tables, int64_t first, int64_t last) {
  const float *a = aligned(tables, 0), *b = aligned(tables, 1);
  float* sum = (float*)aligned(tables, 2);
  for (int64_t i = first; i < last; ++i) sum[i] = a[i] + b[i];
}
void @name@_scale(void* const* tables, int64_t first, int64_t last) {
  const float *a = aligned(tables, 0), *w = aligned(tables, 1);
  float* scaled = (float*)aligned(tables, 3);
  if (tables[2] != NULL) abort();
  for (int64_t i = first; i < last; ++i) scaled[i] = a[i] * w[i];
}
void @name@_sum(void* const* tables, int64_t first, int64_t last) {
  const float *a = aligned(tables, 4), *k = aligned(tables, 5);
  float sum = 0;
  if (first != 0 || last != 1) abort();
  for (int i = 0; i < 10; ++i) sum += a[i];
  *(float*)aligned(tables, 6) = sum * *k;
}
)",
                {{"name", std::string(name)}});
}

SampleSources sample_sources(const PackageVariants& variants, const PackageOptions& options) {
  SampleSources made;
  made.interface = *package_interface(variants, options.name);
  Sha256 id{};
  for (size_t i = 0; i < id.size(); ++i) id[i] = static_cast<uint8_t>(0xa0 + i);
  id[3] = static_cast<uint8_t>(options.name.front());  // builds of other names have other ids
  const BuildNames build{.id = hex_of(id),
                         .tool = "dovetail 0.1.0",
                         .model = std::string(64, '5'),
                         .processor = "x86-64-v3",
                         .system = "x86_64-unknown-linux-gnu"};
  made.header = c_header(made.interface, build, options);
  DriverData data{.weights_headers = {}, .metadata = "{\"name\":\"" + options.name + "\"}"};
  for (size_t i = 0; i < made.interface.weights.size(); ++i) {
    std::string body = weights_body(variants, made.interface.weights[i]);
    data.weights_headers.push_back(weights_header(body.size(), weights_hash(body), i, id));
    made.weights.push_back(with_weights_header(std::move(body), data.weights_headers.back()));
  }
  made.driver = *c_driver(variants, made.interface, build, options, data);
#if DOVETAIL_HAVE_LLVM
  made.driver_object = right(assemble_ir(*ir_driver(variants, made.interface, build, options, data),
                                         variants[0].executable->target));
#endif
  return made;
}

SampleSources sample_sources(const Executable& executable, const PackageOptions& options) {
  return sample_sources(
      PackageVariants{{.executable = &executable, .label = {}, .cpu_features = {}}}, options);
}

void write_sample(const TemporaryFolder& folder, std::string_view name,
                  const SampleSources& sources) {
  const std::string stem(name);
  folder.write(stem + ".h", sources.header);
  folder.write(stem + ".c", sources.driver);
  folder.write(stem + "_ir.o", sources.driver_object);
  folder.write(stem + "_kernels.c", sample_kernels(name));
  for (size_t i = 0; i < sources.weights.size(); ++i) {
    const std::string number = sources.weights.size() == 1 ? "" : "." + std::to_string(i);
    folder.write(stem + number + ".weights", sources.weights[i]);
  }
}

}  // namespace dovetail::testing
