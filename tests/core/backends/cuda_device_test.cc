// SPDX-License-Identifier: Apache-2.0
//
// CUDA's devices on a driver made for these tests: its memory is the host's, its assembler takes
// texts that begin as PTX does, and its kernels are named after what they do.
// device_contract_test.cc holds for all devices, where there is one.
#include "core/backends/ptx/cuda_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/backends/ptx/driver/cuda_api.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;

constexpr CudaResult kInvalidValue = 1, kOutOfMemory = 2, kInvalidPtx = 218, kNotFound = 500,
                     kLaunchFailed = 719;

struct FakeKernel {
  std::string name;
  int allowed_bytes = 0;  // local memory that launches may give
};
struct FakeModule {
  std::string text;
  std::vector<std::unique_ptr<FakeKernel>> kernels;
};
struct FakeNode {
  std::string kernel;
  std::vector<CudaAddress> addresses;
  int64_t items = 0;
  std::vector<size_t> awaited = {}, placed_after = {};  // others of the graph; the latter in part
};
using FakeGraph = std::vector<FakeNode>;
struct FakeDriver {
  std::map<CudaAddress, std::unique_ptr<std::vector<std::byte>>> memory;
  std::map<CudaModule, std::unique_ptr<FakeModule>> modules;
  FakeGraph graph;  // the one that is being made
  int open_graphs = 0;
  std::map<CudaGraphRun, FakeGraph> graphs;
  int contexts = 0, assembled = 0, graphs_made = 0, nodes_run = 0, nodes_before = 0;
  char* log = nullptr;
  size_t log_bytes = 0;
  std::string text;  // being linked
  CudaResult of_kernels = 0;
  uintptr_t next = 16;
};
FakeDriver fake;

template <typename Handle>
Handle new_handle() {
  return reinterpret_cast<Handle>(fake.next += 16);
}

// `twice`: the second buffer's floats are twice the first one's.
void run_node(const FakeNode& node) {
  ++fake.nodes_run;
  if (node.kernel == "fails") fake.of_kernels = kLaunchFailed;
  if (node.kernel != "twice") return;
  const auto* from = reinterpret_cast<const float*>(node.addresses[0]);
  auto* to = reinterpret_cast<float*>(node.addresses[1]);
  for (int64_t i = 0; i < node.items; ++i) to[i] = 2 * from[i];
}

CudaResult assemble(CudaLink, int, void* data, size_t size, const char*, unsigned, int*, void**) {
  fake.text = std::string(static_cast<const char*>(data), size - 1);
  ++fake.assembled;
  if (fake.text.starts_with(".version")) return 0;
  std::strncpy(fake.log, "ptxas fatal\nkernels, line 7; error   : Unknown symbol 'r'\n",
               fake.log_bytes);
  return kInvalidPtx;
}

CudaResult find_kernel(CudaFunction* function, CudaModule module, const char* name) {
  FakeModule& found = *fake.modules.at(module);
  if (found.text.find(std::string(".entry ") + name + "(") == std::string::npos) return kNotFound;
  found.kernels.push_back(std::make_unique<FakeKernel>(FakeKernel{name}));
  *function = reinterpret_cast<CudaFunction>(found.kernels.back().get());
  return 0;
}

// A node's handle is its number from 1 on.
CudaGraphNode handle_of(size_t number) { return reinterpret_cast<CudaGraphNode>(number + 1); }
size_t number_of(CudaGraphNode node) { return reinterpret_cast<size_t>(node) - 1; }

CudaResult add_kernel(CudaGraphNode* made, CudaGraph, const CudaGraphNode*, size_t,
                      const CudaKernelNode* kernel) {
  const auto& function = *reinterpret_cast<const FakeKernel*>(kernel->function);
  if (static_cast<int>(kernel->shared_bytes) > function.allowed_bytes) return kInvalidValue;
  FakeNode node{.kernel = function.name, .addresses = {}, .items = 1};
  for (size_t i = 0; i < 3; ++i) node.items *= int64_t{kernel->groups[i]} * kernel->work_items[i];
  for (size_t i = 0; i < 2; ++i)
    node.addresses.push_back(*static_cast<const CudaAddress*>(kernel->arguments[i]));
  *made = handle_of(fake.graph.size());
  fake.graph.push_back(std::move(node));
  return 0;
}

CudaResult add_edges(CudaGraph, const CudaGraphNode* from, const CudaGraphNode* to,
                     const CudaGraphEdge* edges, size_t num_edges) {
  for (size_t i = 0; i < num_edges; ++i) {
    FakeNode& node = fake.graph.at(number_of(to[i]));
    EXPECT_EQ(edges[i].from_port, edges[i].type);
    (edges[i].type == 1 ? node.placed_after : node.awaited).push_back(number_of(from[i]));
  }
  return 0;
}

// In the order that is the least like the one in which they were added.
void run_graph(const FakeGraph& graph) {
  std::vector<bool> is_done(graph.size());
  const auto is_ready = [&](const FakeNode& node) {
    const auto done = [&](size_t other) { return is_done[other]; };
    return std::ranges::all_of(node.awaited, done) && std::ranges::all_of(node.placed_after, done);
  };
  for (size_t count = 0; count < graph.size(); ++count) {
    size_t next = graph.size();
    for (size_t i = 0; i < graph.size(); ++i)
      if (!is_done[i] && is_ready(graph[i])) next = i;
    ASSERT_LT(next, graph.size()) << "nodes wait for each other";
    run_node(graph[next]);
    is_done[next] = true;
  }
}

void add_memory(CudaApi& api) {
  api.memory_alloc = [](CudaAddress* address, size_t bytes) {
    constexpr size_t kMost = 1 << 20;
    if (bytes > kMost) return kOutOfMemory;
    auto made = std::make_unique<std::vector<std::byte>>(bytes);
    *address = reinterpret_cast<CudaAddress>(made->data());
    fake.memory[*address] = std::move(made);
    return 0;
  };
  api.memory_free = [](CudaAddress address) { return fake.memory.erase(address) == 1 ? 0 : 1; };
  api.copy_to_device = [](CudaAddress to, const void* from, size_t bytes) {
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
    return 0;
  };
  api.copy_from_device = [](void* to, CudaAddress from, size_t bytes) {
    std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
    return 0;
  };
}

void add_code(CudaApi& api) {
  api.link_create = [](unsigned, int*, void** values, CudaLink* link) {
    fake.log = static_cast<char*>(values[0]);
    fake.log_bytes = reinterpret_cast<size_t>(values[1]);
    *link = new_handle<CudaLink>();
    return 0;
  };
  api.link_add = assemble;
  api.link_complete = [](CudaLink, void** binary, size_t* size) {
    *binary = fake.text.data();
    *size = fake.text.size();
    return 0;
  };
  api.link_destroy = [](CudaLink) { return 0; };
  api.module_load = [](CudaModule* module, const void* image) {
    *module = new_handle<CudaModule>();
    fake.modules[*module] =
        std::make_unique<FakeModule>(FakeModule{static_cast<const char*>(image), {}});
    return 0;
  };
  api.module_unload = [](CudaModule module) { return fake.modules.erase(module) == 1 ? 0 : 1; };
  api.module_function = find_kernel;
  api.function_set = [](CudaFunction function, int attribute, int value) {
    constexpr int kMostLaunchedBytes = 8, kMost = 232448;
    if (attribute != kMostLaunchedBytes || value > kMost) return kInvalidValue;
    reinterpret_cast<FakeKernel*>(function)->allowed_bytes = value;
    return 0;
  };
}

void add_queue(CudaApi& api) {
  api.stream_create = [](CudaStream* stream, unsigned) {
    *stream = new_handle<CudaStream>();
    return 0;
  };
  api.stream_destroy = [](CudaStream) { return 0; };
  api.stream_wait = [](CudaStream) { return fake.of_kernels; };
  api.event_create = [](CudaEvent* event, unsigned) {
    *event = new_handle<CudaEvent>();
    return 0;
  };
  api.event_destroy = [](CudaEvent) { return 0; };
  api.event_record = [](CudaEvent, CudaStream) { return 0; };
  // A node takes a microsecond.
  api.event_milliseconds = [](float* milliseconds, CudaEvent, CudaEvent) {
    *milliseconds = 1e-3F * static_cast<float>(fake.nodes_run - fake.nodes_before);
    fake.nodes_before = fake.nodes_run;
    return 0;
  };
}

void add_graphs(CudaApi& api) {
  api.graph_create = [](CudaGraph* graph, unsigned) {
    ++fake.open_graphs;
    fake.graph.clear();
    *graph = new_handle<CudaGraph>();
    return 0;
  };
  api.graph_add_kernel = add_kernel;
  api.graph_add_edges = add_edges;
  api.graph_instantiate = [](CudaGraphRun* run, CudaGraph, unsigned long long) {
    *run = new_handle<CudaGraphRun>();
    fake.graphs[*run] = fake.graph;
    ++fake.graphs_made;
    return 0;
  };
  api.graph_upload = [](CudaGraphRun, CudaStream) { return 0; };
  api.graph_launch = [](CudaGraphRun run, CudaStream) {
    run_graph(fake.graphs.at(run));
    return 0;
  };
  api.graph_run_destroy = [](CudaGraphRun run) { return fake.graphs.erase(run) == 1 ? 0 : 1; };
  api.graph_destroy = [](CudaGraph) { return --fake.open_graphs, 0; };
}

CudaApi fake_api() {
  CudaApi api = {};
  api.init = [](unsigned) { return 0; };
  api.driver_version = [](int* version) {
    *version = 13000;
    return 0;
  };
  api.error_name = [](CudaResult code, const char** name) {
    static const std::map<CudaResult, const char*> kNames = {
        {kInvalidValue, "CUDA_ERROR_INVALID_VALUE"},
        {kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY"},
        {kInvalidPtx, "CUDA_ERROR_INVALID_PTX"},
        {kNotFound, "CUDA_ERROR_NOT_FOUND"},
        {kLaunchFailed, "CUDA_ERROR_LAUNCH_FAILED"}};
    const auto found = kNames.find(code);
    if (found != kNames.end()) *name = found->second;
    return found == kNames.end() ? 1 : 0;
  };
  api.device_count = [](int* count) {
    *count = 1;
    return 0;
  };
  api.device_get = [](CudaDeviceNumber* device, int number) { return *device = number, 0; };
  api.device_name = [](char* name, int size, CudaDeviceNumber) {
    std::strncpy(name, "NVIDIA H200", static_cast<size_t>(size));
    return 0;
  };
  api.device_attribute = [](int* value, int what, CudaDeviceNumber) {
    static const std::map<int, int> kValues = {{1, 1024}, {2, 1024},    {3, 1024},   {4, 64},
                                               {10, 32},  {16, 132},    {39, 2048},  {75, 9},
                                               {76, 0},   {81, 233472}, {82, 65536}, {97, 232448}};
    const auto found = kValues.find(what);
    if (found != kValues.end()) *value = found->second;
    return found == kValues.end() ? 1 : 0;
  };
  api.context_retain = [](CudaContext* context, CudaDeviceNumber) {
    ++fake.contexts;
    *context = new_handle<CudaContext>();
    return 0;
  };
  api.context_release = [](CudaDeviceNumber) { return --fake.contexts, 0; };
  api.context_set = [](CudaContext) { return 0; };
  add_memory(api);
  add_code(api);
  add_queue(api);
  add_graphs(api);
  return api;
}

class CudaDeviceTest : public ::testing::Test {
 protected:
  CudaDeviceTest() {
    fake = FakeDriver();
    found_ = testing::right(find_cuda_devices(api_)).at(0);
    device_ = testing::right(open_cuda_device(api_, found_));
  }
  ~CudaDeviceTest() override {
    device_.reset();
    EXPECT_EQ(fake.memory.size() + fake.modules.size() + fake.graphs.size(), 0u) << "all freed";
    EXPECT_EQ(fake.contexts + fake.open_graphs, 0);
  }
  CudaDeviceTest(const CudaDeviceTest&) = delete;
  CudaDeviceTest& operator=(const CudaDeviceTest&) = delete;

  static Code twice(const std::vector<std::vector<int>>& buffers) {
    Code code{.form = CodeForm::ptx, .objects = {".version 8.0\n.entry twice(…)"}, .launches = {}};
    for (const std::vector<int>& own : buffers)
      code.launches.push_back({.name = "twice",
                               .global = {8, 2, 4},
                               .local = {4, 1, 2},
                               .buffers = own,
                               .written = {own[1]}});
    return code;
  }
  std::unique_ptr<LoadedCode> loaded(const Code& code) {
    return testing::right(device_->load(testing::right(device_->build(code))));
  }
  std::vector<float> numbers_of(const NDArray& array) {
    const NDArray host = NDArray::zeros(ElementType::f32, array.shape());
    EXPECT_TRUE(device_->copy(array, host));
    return floats_of(host);
  }

  const CudaApi api_ = fake_api();
  CudaDevice found_;
  std::unique_ptr<Device> device_;
};

TEST_F(CudaDeviceTest, StatesWhatTheDriverDoes) {
  const Target& target = found_.target;
  EXPECT_EQ(target.device, "NVIDIA H200");
  EXPECT_EQ(target.driver, "CUDA 13.0");
  EXPECT_EQ(target.llvm_cpu, "sm_90a");
  EXPECT_EQ(target.compute_units, 132);
  EXPECT_EQ(target.local_memory_bytes, 232448);
  EXPECT_EQ(target.unit_work_items, 2048);
}

TEST_F(CudaDeviceTest, RunsLaunchesInOrderOnPartsOfArrays) {
  const NDArray all = *device_->allocate(ElementType::f32, {256});
  const auto part = [&](int64_t n) {
    return NDArray::in(all.memory(), ElementType::f32, {64}, 256 * n);
  };
  ASSERT_TRUE(device_->copy(std::vector<float>(64, 10), part(0)));
  auto code = loaded(twice({{0, 1}, {1, 2}}));
  ASSERT_TRUE(code->bind({{part(0), part(1), part(3)}}));
  EXPECT_FLOAT_EQ(static_cast<float>(testing::right(code->run(0, 2, 3))), 2e-6F);
  EXPECT_EQ(numbers_of(part(3)), std::vector<float>(64, 40));
  EXPECT_EQ(fake.graphs_made, 1);
  EXPECT_EQ(fake.nodes_run, 6);
}

// Both branches follow their source and not each other, and the last one both.
TEST_F(CudaDeviceTest, BranchesWaitForTheirSourceAlone) {
  std::vector<NDArray> arrays;
  for (int i = 0; i < 4; ++i) arrays.push_back(*device_->allocate(ElementType::f32, {64}));
  Code code = twice({{0, 1}, {1, 2}, {1, 3}, {2, 0}, {3, 1}});
  code.launches[2].waits_itself = true;
  auto branches = loaded(code);
  ASSERT_TRUE(branches->bind(arrays));
  ASSERT_TRUE(branches->run(0, 5));
  const FakeGraph& graph = fake.graphs.begin()->second;
  EXPECT_THAT(graph[1].awaited, ElementsAre(0u));
  EXPECT_THAT(graph[2].awaited, ElementsAre());
  EXPECT_THAT(graph[2].placed_after, ElementsAre(0u));
  EXPECT_THAT(graph[3].awaited, ElementsAre(1u));
  EXPECT_THAT(graph[4].awaited, ElementsAre(2u, 1u));
}

// Otherwise the time of a repetition is not that of what runs in it.
TEST_F(CudaDeviceTest, ARepetitionWaitsForAllOfTheOneBefore) {
  std::vector<NDArray> arrays;
  for (int i = 0; i < 3; ++i) arrays.push_back(*device_->allocate(ElementType::f32, {64}));
  Code code = twice({{0, 1}, {0, 2}});
  for (Launch& launch : code.launches) launch.waits_itself = true;
  auto apart = loaded(code);
  ASSERT_TRUE(apart->bind(arrays));
  ASSERT_TRUE(apart->time(0, 2, 1));
  ASSERT_TRUE(apart->time(0, 2, 8));
  const FakeGraph& graph = fake.graphs.rbegin()->second;
  ASSERT_EQ(graph.size(), 16u);
  for (const size_t node : {2, 3}) {
    EXPECT_THAT(graph[node].awaited, ElementsAre(0u, 1u));
    EXPECT_THAT(graph[node].placed_after, ElementsAre());
  }
}

// A graph has more repetitions than the one before, until it is long enough to be started again.
TEST_F(CudaDeviceTest, TimesManyRepetitionsByFewSmallGraphs) {
  const std::vector<NDArray> arrays = {*device_->allocate(ElementType::f32, {64}),
                                       *device_->allocate(ElementType::f32, {64})};
  auto code = loaded(twice({{0, 1}}));
  ASSERT_TRUE(code->bind(arrays));
  int64_t repetitions = 0;
  for (const int64_t wanted : {1, 10, 100, 1000, 5000}) {
    EXPECT_FLOAT_EQ(static_cast<float>(testing::right(code->time(0, 1, wanted))), 1e-6F);
    repetitions += wanted;
  }
  EXPECT_EQ(fake.graphs_made, 3) << "of 1, 8 and 64 repetitions, and the last takes 64 us";
  EXPECT_GE(fake.nodes_run, repetitions);
  EXPECT_LT(fake.nodes_run, repetitions + 3 * 64);
}

TEST_F(CudaDeviceTest, OtherArraysAreOtherGraphs) {
  const std::vector<NDArray> first = {*device_->allocate(ElementType::f32, {64}),
                                      *device_->allocate(ElementType::f32, {64})};
  const std::vector<NDArray> second = {first[0], *device_->allocate(ElementType::f32, {64})};
  ASSERT_TRUE(device_->copy(std::vector<float>(64, 3), first[0]));
  auto code = loaded(twice({{0, 1}}));
  for (const auto& arrays : {first, second}) {
    ASSERT_TRUE(code->bind(arrays));
    ASSERT_TRUE(code->run(0, 1));
  }
  EXPECT_EQ(numbers_of(second[1]), std::vector<float>(64, 6));
}

TEST_F(CudaDeviceTest, AssemblesATextOnce) {
  const Code code = twice({{0, 1}});
  EXPECT_EQ(testing::right(device_->build(code)).form, CodeForm::driver_binary);
  ASSERT_TRUE(device_->build(code));
  EXPECT_EQ(fake.assembled, 1);
  EXPECT_EQ(device_->compiled_texts(), 1);
}

TEST_F(CudaDeviceTest, SaysWhatFails) {
  Code broken = twice({{0, 1}});
  broken.objects = {"no PTX"};
  EXPECT_ERROR(device_->build(broken),
               "CUDA: cuLinkAddData gives CUDA_ERROR_INVALID_PTX (kernels, line 7; error   : "
               "Unknown symbol 'r')");
  const auto large = device_->allocate(ElementType::f32, {1 << 20});
  EXPECT_ERROR(large, "CUDA: cuMemAlloc gives CUDA_ERROR_OUT_OF_MEMORY (4194304 bytes)");
  EXPECT_EQ(large.error().kind, ErrorKind::device_limit);
  Code other = twice({{0, 1}});
  other.launches[0].name = "thrice";
  EXPECT_ERROR(device_->load(testing::right(device_->build(other))),
               "CUDA: cuModuleGetFunction gives CUDA_ERROR_NOT_FOUND (kernel thrice)");
  EXPECT_ERROR(device_->allocate(ElementType::f32, {4, 4}, MemoryScope::texture),
               "device NVIDIA H200 has no images by PTX");
  auto code = loaded(twice({{0, 1}, {0, 2}}));
  const NDArray array = *device_->allocate(ElementType::f32, {64});
  EXPECT_ERROR(code->bind({{array, array}}), "kernel twice takes buffer 2 of 2");
  EXPECT_ERROR(code->bind({{array, array, std::vector<float>(64)}}),
               "kernel twice, buffer 2: it lies in memory of another device");
}

TEST_F(CudaDeviceTest, ALaunchGivesLocalMemory) {
  const std::vector<NDArray> arrays = {*device_->allocate(ElementType::f32, {64}),
                                       *device_->allocate(ElementType::f32, {64})};
  Code code = twice({{0, 1}});
  code.launches[0].local_bytes = 200 << 10;
  auto large = loaded(code);
  ASSERT_TRUE(large->bind(arrays));
  EXPECT_TRUE(large->run(0, 1));
  code.launches[0].local_bytes = 300 << 10;
  EXPECT_ERROR(
      device_->load(testing::right(device_->build(code))),
      "CUDA: cuFuncSetAttribute gives CUDA_ERROR_INVALID_VALUE (kernel twice, 307200 bytes "
      "of local memory)");
}

TEST_F(CudaDeviceTest, AKernelThatFailsIsAnErrorOfItsRun) {
  Code failing{.form = CodeForm::ptx,
               .objects = {".version 8.0\n.entry fails(…)"},
               .launches = {{.name = "fails", .buffers = {0, 1}}}};
  auto code = loaded(failing);
  const NDArray array = *device_->allocate(ElementType::f32, {64});
  ASSERT_TRUE(code->bind({{array, array}}));
  EXPECT_ERROR(code->run(0, 1), "CUDA: cuStreamSynchronize gives CUDA_ERROR_LAUNCH_FAILED");
  fake.of_kernels = 0;
}

}  // namespace
}  // namespace dovetail
