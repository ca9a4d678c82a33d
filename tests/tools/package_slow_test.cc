// SPDX-License-Identifier: Apache-2.0
//
// Packages of whole networks, in their small forms: what they compute, on which processors, and
// which bytes they touch.
#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <thread>

#include "core/base/check.h"
#include "tests/support/shell.h"
#include "tests/tools/packaged_model.h"

#if DOVETAIL_HAVE_ONNX && DOVETAIL_HAVE_LLVM

namespace dovetail {
namespace {

using Json = nlohmann::json;
using testing::content_of_file;
using testing::expect_success;
using testing::has_program;
using testing::kWarnings;
using testing::name_of_test;
using testing::PackagedModel;

// Over the largest: elements near zero are differences of large numbers.
double distance(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return INFINITY;
  std::vector<float> x(a.size() / sizeof(float)), y(x.size());
  std::memcpy(x.data(), a.data(), a.size());
  std::memcpy(y.data(), b.data(), b.size());
  double largest = 0, difference = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    largest = std::max(largest, std::abs(double{x[i]}));
    difference = std::max(difference, std::abs(double{x[i]} - double{y[i]}));
  }
  return difference / largest;
}

class Package : public ::testing::TestWithParam<const char*> {};

TEST_P(Package, GivesTheBytesOfRunAndRunsOnOtherCpus) {
  const PackagedModel model(GetParam());
  const std::string expected = model.bytes_of_run();
  model.build("here");
  EXPECT_EQ(model.bytes_of_example("here"), expected);
  model.build("v3", {"--target", "cpu:arch=x86-64-v3"});
  const std::string v3 = model.bytes_of_example("v3");
  EXPECT_LE(distance(v3, expected), 1e-5);
  EXPECT_EQ(model.bytes_of_example("v3", "cc -O1", "qemu-x86_64-static -cpu Haswell"), v3);
  model.build("a76", {"--target", "cpu:arch=cortex-a76"});
  EXPECT_LE(distance(model.bytes_of_example("a76", "aarch64-linux-gnu-gcc -static -O1",
                                            "qemu-aarch64-static"),
                     expected),
            1e-5);
}

INSTANTIATE_TEST_SUITE_P(Networks, Package,
                         ::testing::Values("resnet18-small", "mobilenet_v2-small",
                                           "bert_tiny-small", "bert_base-small",
                                           "resnet3d18-small"),
                         [](const auto& info) { return name_of_test(info.param); });

TEST(PackageOfTwoSets, TakesTheRightHalfOfEach) {
  const PackagedModel model("bert_tiny-small");
  model.build("v3", {"--target", "cpu:arch=x86-64-v3"});
  model.build("both", {"--target", "cpu:arch=x86-64-v3", "--target", "cpu:arch=x86-64-v4"});
  EXPECT_EQ(model.bytes_of_example("both", "cc -O1", "qemu-x86_64-static -cpu Haswell"),
            model.bytes_of_example("v3"));
  // A processor with neither.
  const testing::ShellRun refused = testing::run_shell(
      model.folder(),
      "qemu-x86_64-static -cpu Nehalem both/main both/share/net/net.weights" + model.input_files());
  EXPECT_NE(refused.output.find("lacks what the code needs"), std::string::npos) << refused.output;
}

TEST(PackageUnderTools, IsClean) {
  const PackagedModel model("bert_tiny-small");
  model.build("v3", {"--target", "cpu:arch=x86-64-v3"});
  const std::string expected = model.bytes_of_example("v3");
  EXPECT_EQ(model.bytes_of_example("v3", "cc -g -O1", "valgrind -q --error-exitcode=9"), expected);
  // The driver's source, in front of the archive's.
  EXPECT_EQ(
      model.bytes_of_example(
          "v3", "cc -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all v3/src/net.c"),
      expected);
  EXPECT_EQ(model.bytes_of_example("v3", "musl-gcc -static -O1"), expected);
  for (const char* compiler : {"clang-14 -O1", "clang-19 -O1"})
    if (has_program(std::string(compiler).substr(0, 8))) {
      EXPECT_EQ(model.bytes_of_example("v3", compiler), expected);
    }
}

TEST(PackageWithThreads, IsCleanUnderTheThreadSanitizer) {
  const PackagedModel model("bert_tiny-small");
  model.build("two", {"--target", "cpu:threads=2"});
  expect_success(
      model.folder(),
      fmt::format("cc -g -O1 -fsanitize=thread -Itwo/include -c two/src/net.c -o net.o && "
                  "c++ -std=c++20 -g -O1 -fsanitize=thread -Itwo/include "
                  "two/examples/threads.cc net.o two/lib/libnet.a -o threads -pthread && "
                  "./threads two/share/net/net.weights{} > threads.bin",
                  model.input_files()));
  EXPECT_EQ(content_of_file(model.folder().path("threads.bin")), model.bytes_of_example("two"));
}

// It needs neither a C library nor memory of anybody's.
TEST(PackageOfItsOwn, LinksWithoutALibrary) {
  const PackagedModel model("bert_tiny-small");
  model.build("own", {"--workspace", "internal", "--weights", "embed"});
  model.folder().write("bare.c", R"(#include "net.h"
void* memcpy(void* to, const void* from, size_t bytes) {
  unsigned char* out = to;
  for (size_t i = 0; i < bytes; ++i) out[i] = ((const unsigned char*)from)[i];
  return to;
}
__attribute__((force_align_arg_pointer)) void _start(void) {
  net model;
  net_inputs in;
  net_outputs out;
  long status = net_init(&model, net_weights, NET_WEIGHTS_BYTES);
  net_map_inputs(&in);
  net_map_outputs(&out);
  if (status == NET_OK) status = net_run(&model, &in, &out);
  __asm__ volatile("syscall" : : "a"(231L), "D"(-status) : "rcx", "r11", "memory");
}
)");
  expect_success(
      model.folder(),
      "cc -std=c99 -O1 -ffreestanding -fno-builtin -fno-stack-protector -nostdlib -static "
      "-Iown/include bare.c own/lib/libnet.a -o bare && ./bare");
}

// A page that nobody may touch before and behind what is given.
class Guarded {
 public:
  explicit Guarded(size_t bytes, size_t alignment = 64) : bytes_(bytes) {
    const auto page = static_cast<size_t>(getpagesize());
    const size_t pages = (bytes + alignment + page - 1) / page + 2;
    mapped_ = pages * page;
    start_ = static_cast<std::byte*>(
        mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(start_ + page, mapped_ - 2 * page, PROT_READ | PROT_WRITE);
    const auto end = reinterpret_cast<uintptr_t>(start_ + mapped_ - page);
    data_ = reinterpret_cast<std::byte*>((end - bytes) / alignment * alignment);
  }
  ~Guarded() { munmap(start_, mapped_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  std::byte* data() const { return data_; }
  size_t bytes() const { return bytes_; }
  void fill(std::string_view bytes) const { std::memcpy(data_, bytes.data(), bytes.size()); }
  void make_read_only() const { mprotect(start_, mapped_ - getpagesize(), PROT_READ); }

 private:
  std::byte* start_ = nullptr;
  std::byte* data_ = nullptr;
  size_t bytes_ = 0, mapped_ = 0;
};

// A package in this process; its structs hold words alone.
class LoadedPackage {
 public:
  LoadedPackage(const PackagedModel& model, const std::string& package) {
    expect_success(model.folder(),
                   fmt::format("cd {} && cc -shared -Wl,--whole-archive lib/libnet.a "
                               "-Wl,--no-whole-archive -o net.so",
                               package));
    void* const code = dlopen(model.folder().path(package + "/net.so").c_str(), RTLD_NOW);
    CHECK(code != nullptr, "a package that is loaded");
    init_ = reinterpret_cast<decltype(init_)>(dlsym(code, "net_init"));
    run_ = reinterpret_cast<decltype(run_)>(dlsym(code, "net_run"));
  }
  int open(const Guarded& weights) { return init_(model_, weights.data(), weights.bytes()); }
  int run(const std::vector<void*>& inputs, const std::vector<void*>& outputs, void* workspace) {
    return run_(model_, inputs.data(), outputs.data(), workspace);
  }

 private:
  int (*init_)(const void**, const void*, size_t) = nullptr;
  int (*run_)(const void* const*, void* const*, void* const*, void*) = nullptr;
  const void* model_[7] = {};
};

class PackageMemory : public ::testing::TestWithParam<const char*> {
 protected:
  PackageMemory() : model_(GetParam()), expected_(model_.bytes_of_run()) {
    const Json built = model_.build("p");
    workspace_bytes_ = built["sizes"]["workspace"][0]["bytes"];
    const Json metadata =
        Json::parse(content_of_file(model_.folder().path("p/share/net/metadata.json")));
    for (const Json& tensor : metadata["tensors"])
      if (tensor["role"] == "output") output_bytes_.push_back(tensor["bytes"]);
  }
  std::string weights() const {
    return content_of_file(model_.folder().path("p/share/net/net.weights"));
  }

  PackagedModel model_;
  std::string expected_;
  size_t workspace_bytes_ = 0;
  std::vector<size_t> output_bytes_;
};

TEST_P(PackageMemory, IsAllThatItTouches) {
  LoadedPackage package(model_, "p");
  const std::string file = weights();
  const Guarded weights(file.size()), workspace(workspace_bytes_);
  weights.fill(file);
  weights.make_read_only();
  ASSERT_EQ(package.open(weights), 0);
  for (const size_t alignment : {size_t{64}, size_t{1}}) {  // used where they are; copied
    std::vector<std::unique_ptr<Guarded>> memory;
    std::vector<void*> inputs, outputs;
    for (const std::string& input : model_.inputs()) {
      memory.push_back(std::make_unique<Guarded>(input.size(), alignment));
      memory.back()->fill(input);
      inputs.push_back(memory.back()->data());
    }
    for (const size_t bytes : output_bytes_) {
      memory.push_back(std::make_unique<Guarded>(bytes, alignment));
      outputs.push_back(memory.back()->data());
    }
    std::memset(workspace.data(), 0xff, workspace_bytes_);  // NaNs
    ASSERT_EQ(package.run(inputs, outputs, workspace.data()), 0);
    std::string found;
    for (size_t i = 0; i < outputs.size(); ++i)
      found.append(static_cast<const char*>(outputs[i]), output_bytes_[i]);
    EXPECT_EQ(found, expected_);
  }
}

TEST_P(PackageMemory, IsSharedBySixteenThreads) {
  LoadedPackage package(model_, "p");
  const std::string file = weights();
  const Guarded weights(file.size());
  weights.fill(file);
  weights.make_read_only();
  ASSERT_EQ(package.open(weights), 0);
  std::vector<std::string> found(16);
  std::vector<std::thread> threads;
  for (std::string& own : found)
    threads.emplace_back([&] {
      std::vector<std::string> inputs = model_.inputs();
      std::vector<std::string> made;
      for (const size_t bytes : output_bytes_) made.emplace_back(bytes, '\0');
      std::vector<void*> in, out;
      for (std::string& input : inputs) in.push_back(input.data());
      for (std::string& output : made) out.push_back(output.data());
      const Guarded workspace(workspace_bytes_);
      for (int i = 0; i < 3; ++i) EXPECT_EQ(package.run(in, out, workspace.data()), 0);
      for (const std::string& output : made) own += output;
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& own : found) EXPECT_EQ(own, expected_);
}

INSTANTIATE_TEST_SUITE_P(Networks, PackageMemory,
                         ::testing::Values("resnet18-small", "mobilenet_v2-small",
                                           "bert_tiny-small"),
                         [](const auto& info) { return name_of_test(info.param); });

}  // namespace
}  // namespace dovetail

#endif
