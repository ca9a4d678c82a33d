// SPDX-License-Identifier: Apache-2.0
//
// These tests hold for every backend's devices. scripts/check-device runs them on a GPU's machine.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <random>

#include "core/backends/backends.h"
#include "core/ir/layout/image_shape.h"
#include "core/ir/layout/layout.h"
#include "tests/core/backends/program_runs.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

using Random = std::mt19937_64;

int64_t below(Random& random, int64_t end) {
  return static_cast<int64_t>(random() % static_cast<uint64_t>(end));
}

class DeviceContract : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    Result<Device*> device = device_named(GetParam());
    if (!device) GTEST_SKIP() << device.error().message;
    device_ = *device;
  }
  const Backend& backend() const { return backend_of(device_->target()); }
  // Fails for a backend that is not finished; its other tests go on.
  Result<Code> emitted(const Program& program, KernelTexts texts = KernelTexts::together) const {
    EmittedCode code = TRY(backend().emit({&program, 1}, device_->target(), {.texts = texts}));
    return Code{.form = code.form,
                .objects = std::move(code.objects),
                .launches = std::move(code.launches[0])};
  }

  Device* device_ = nullptr;
};

std::vector<std::string> tested_devices() {
  std::vector<std::string> names = device_names();
  // NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread
  if (const char* const more = std::getenv("DOVETAIL_TEST_DEVICE");
      more != nullptr && std::ranges::find(names, more) == names.end())
    names.emplace_back(more);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceContract, ::testing::ValuesIn(tested_devices()),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& c : name)
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           return name;
                         });

TEST_P(DeviceContract, DescribesItselfAsItsTarget) {
  const Target target = right(resolve_target(GetParam()));
  EXPECT_EQ(device_->target().device, target.device);
  EXPECT_EQ(backend().name(), target.name.backend);
  EXPECT_EQ(right(parse_target(print(target))), target);
  const std::vector<Target> here = right(backend().devices());
  EXPECT_TRUE(
      std::ranges::any_of(here, [&](const Target& one) { return one.device == target.device; }));
  EXPECT_TRUE(backend().check_runs_here(target));
}

// The loops of a kernel as the target runs them.
std::string scaling_kernel(const Target& target, const std::string& body) {
  const bool groups = target.execution == ExecutionModel::work_groups;
  return "  for a in 0..64 " + std::string(groups ? "bind group.0" : "parallel") + "\n" + body;
}

TEST_P(DeviceContract, RunsAProgramAsTheInterpreterDoes) {
  const std::string text =
      "buffer X: f32 activation X[a=64, b=3] as [a@1:64] [b@1:3]\n"
      "buffer W: f32 constant W[b=3] as [b@1:3]\n"
      "buffer V: f32 prepared V[b=3] as [b@1:3]\n"
      "buffer Y: f32 output Y[a=64] as [a@1:64]\n"
      "kernel prepare prepares\n" +
      std::string("  for b in 0..3\n    V[b] = W[b] + 1\n") + "kernel sum\n" +
      scaling_kernel(device_->target(),
                     "    registers acc[1]\n"
                     "    acc[0] = 0\n"
                     "    for b in 0..3\n"
                     "      acc[0] += X[a, b] * V[b]\n"
                     "    Y[a] = acc[0]\n");
  const Program program = right(parse_program(text));
  const Storage inputs = integer_storage(program, 7);
  Storage expected = inputs;
  ASSERT_TRUE(interpret(program, expected));
  const Result<Storage> found = run_on_device(*device_, program, inputs);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->at("Y"), expected.at("Y"));
}

TEST_P(DeviceContract, RunsPartsOfItsLaunchesInOrder) {
  const std::string text =
      "buffer X: f32 activation X[a=64] as [a@1:64]\n"
      "buffer T: f32 temporary T[a=64] as [a@1:64]\n"
      "buffer Y: f32 output Y[a=64] as [a@1:64]\n"
      "kernel first\n" +
      scaling_kernel(device_->target(), "    T[a] = X[a] + 1\n") + "kernel second\n" +
      scaling_kernel(device_->target(), "    Y[a] = 2 * T[a]\n");
  const Program program = right(parse_program(text));
  const Result<Code> code = emitted(program);
  ASSERT_TRUE(code) << code.error().message;
  ASSERT_EQ(code->launches.size(), 2U);
  const auto loaded = right(device_->load(right(device_->build(*code))));
  // All three in one allocation, as a network's temporaries are.
  const int64_t step = std::max<int64_t>(device_->target().buffer_alignment, 256);
  const NDArray arena = right(device_->allocate(ElementType::u8, {3 * step}));
  std::vector<NDArray> buffers;
  for (int64_t b = 0; b < 3; ++b)
    buffers.push_back(NDArray::in(arena.memory(), ElementType::f32, {64}, b * step));
  std::vector<float> x(64);
  std::iota(x.begin(), x.end(), 1.0F);
  ASSERT_TRUE(device_->copy(x, buffers[0]));
  const NDArray zeros = std::vector<float>(64, 0);
  ASSERT_TRUE(device_->copy(zeros, buffers[1]));
  ASSERT_TRUE(device_->copy(zeros, buffers[2]));
  ASSERT_TRUE(loaded->bind(buffers));
  const auto third = [&] {
    const NDArray host = NDArray::zeros(ElementType::f32, {64});
    EXPECT_TRUE(device_->copy(buffers[2], host));
    return host.real(2);
  };
  EXPECT_GE(right(loaded->run(1, 2)), 0);
  EXPECT_EQ(third(), 0);  // T is still zero
  EXPECT_GE(right(loaded->run(0, 2, 3)), 0);
  EXPECT_EQ(third(), 2 * (3 + 1));
  EXPECT_GE(right(loaded->time(0, 2, 3)), 0);
  EXPECT_EQ(third(), 2 * (3 + 1));
  EXPECT_EQ(right(loaded->run(1, 1)) >= 0, true);
  EXPECT_ERROR(loaded->bind(std::span(buffers).first(1)), "buffer");
}

// Its kernels run whether they came in one text or in several, and a driver gets each text once.
TEST_P(DeviceContract, CompilesATextOnce) {
  const auto program_with = [&](const std::string& value) {
    return right(parse_program(
        "buffer X: f32 activation X[a=64] as [a@1:64]\n"
        "buffer T: f32 temporary T[a=64] as [a@1:64]\n"
        "buffer Y: f32 output Y[a=64] as [a@1:64]\n"
        "kernel first\n" +
        scaling_kernel(device_->target(), "    T[a] = X[a] + " + value + "\n") + "kernel second\n" +
        scaling_kernel(device_->target(), "    Y[a] = 2 * T[a]\n")));
  };
  const auto run = [&](const std::string& value) {
    const Code code = right(emitted(program_with(value), KernelTexts::apart));
    const auto loaded = right(device_->load(right(device_->build(code))));
    std::vector<NDArray> buffers;
    for (int b = 0; b < 3; ++b) buffers.push_back(right(device_->allocate(ElementType::f32, {64})));
    EXPECT_TRUE(device_->copy(std::vector<float>(64, 1), buffers[0]));
    EXPECT_TRUE(loaded->bind(buffers));
    EXPECT_TRUE(loaded->run(0, 2));
    const NDArray host = NDArray::zeros(ElementType::f32, {64});
    EXPECT_TRUE(device_->copy(buffers[2], host));
    return host.real(5);
  };
  const int64_t texts = device_->compiled_texts();
  EXPECT_EQ(run("10"), 22);
  const int64_t of_both = device_->compiled_texts() - texts;
  EXPECT_EQ(run("20"), 42);
  const int64_t of_one = device_->compiled_texts() - texts - of_both;
  EXPECT_EQ(run("10"), 22);
  EXPECT_EQ(device_->compiled_texts(), texts + of_both + of_one) << "all of them known";
  const bool has_driver = of_both > 0;
  EXPECT_EQ(of_both, has_driver ? 2 : 0);
  EXPECT_EQ(of_one, has_driver ? 1 : 0);
}

// As a network's temporaries share bytes. A driver lost its memory when such views were released.
TEST_P(DeviceContract, ReleasesViewsThatOverlap) {
  const std::string text =
      "buffer X: f32 activation X[a=64] as [a@1:64]\n"
      "buffer Y: f32 output Y[a=64] as [a@1:64]\n"
      "kernel add\n" +
      scaling_kernel(device_->target(), "    Y[a] = X[a] + 1\n");
  const Program program = right(parse_program(text));
  const Result<Code> code = emitted(program);
  ASSERT_TRUE(code) << code.error().message;
  const int64_t step = std::max<int64_t>(device_->target().buffer_alignment, 256);
  Random random(3);
  for (int round = 0; round < 10; ++round) {
    const NDArray arena = right(device_->allocate(ElementType::u8, {20 * step}));
    std::vector<std::unique_ptr<LoadedCode>> kernels;
    for (int k = 0; k < 40; ++k) {
      kernels.push_back(right(device_->load(right(device_->build(*code)))));
      const int64_t at = below(random, 16);
      const auto view = [&](int64_t place) {
        return NDArray::in(arena.memory(), ElementType::f32, {64}, place * step);
      };
      ASSERT_TRUE(kernels.back()->bind({{view(at), view(at + 1 + below(random, 3))}}));
      ASSERT_TRUE(kernels.back()->run(0, 1));
    }
  }
}

TEST_P(DeviceContract, RefusesCodeOfAnotherBackend) {
  const Code text{.form = CodeForm::opencl_source, .objects = {"no code"}, .launches = {}};
  const Result<Code> built = device_->build(text);
  EXPECT_FALSE(built && device_->load(*built));
}

TEST_P(DeviceContract, RefusesAnImageBeyondItsLimitsByName) {
  const int64_t width = device_->target().image2d_max_width + 1;
  const auto refused = device_->allocate(ElementType::f32, {1, width, 4}, MemoryScope::texture);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::device_limit);
  const bool has_images = device_->target().has_images;
  EXPECT_ERROR(refused, has_images ? "is over the limit" : "has no images");
}

constexpr MemoryScope kScopes[] = {MemoryScope::global,
                                   MemoryScope::texture,
                                   MemoryScope::texture_weight,
                                   MemoryScope::texture_nhwc,
                                   MemoryScope::texture_array,
                                   MemoryScope::texture_weight_array,
                                   MemoryScope::texture_nhwc_array};
constexpr ElementType kTypes[] = {ElementType::f32, ElementType::f16,    ElementType::bf16,
                                  ElementType::i8,  ElementType::u8,     ElementType::i32,
                                  ElementType::i64, ElementType::boolean};

NDArray random_bytes(Random& random, ElementType type, const std::vector<int64_t>& shape) {
  const NDArray array = NDArray::zeros(type, shape);
  const int64_t values = type == ElementType::boolean ? 2 : 256;
  for (std::byte& byte : array.writable_bytes())
    byte = static_cast<std::byte>(below(random, values));
  return array;
}

// A part of each axis of an array, or all of it, with the axes in an order.
struct View {
  std::vector<int64_t> first, count;
  std::vector<size_t> order;

  NDArray of(const NDArray& array) const {
    NDArray part = array;
    for (size_t axis = 0; axis < first.size(); ++axis)
      part = part.slice(axis, first[axis], count[axis]);
    return part.permuted(order);
  }
};

View random_view(Random& random, const std::vector<int64_t>& shape, bool is_part,
                 bool is_permuted) {
  View view{.first = {}, .count = shape, .order = std::vector<size_t>(shape.size())};
  for (int64_t& count : view.count) {
    view.first.push_back(is_part ? below(random, count) : 0);
    if (is_part) count = 1 + below(random, count - view.first.back());
  }
  std::iota(view.order.begin(), view.order.end(), size_t{0});
  if (is_permuted) std::shuffle(view.order.begin(), view.order.end(), random);
  return view;
}

bool is_limit(const Result<NDArray>& array) {
  return !array && array.error().kind == ErrorKind::device_limit;
}

// Copies a view of one array of the device to the same view of another one, and does so to a model
// of both on the host.
Result<bool> copies_right(Random& random, Device& device, ElementType type, MemoryScope from_scope,
                          MemoryScope to_scope) {
  const std::vector<int64_t> shape = {1 + below(random, 4), 1 + below(random, 4),
                                      1 + below(random, 4), 4};
  const Result<NDArray> from = device.allocate(type, shape, from_scope);
  const Result<NDArray> to = device.allocate(type, shape, to_scope);
  if (is_limit(from) || is_limit(to)) return true;  // named by another test
  const NDArray source = random_bytes(random, type, shape);
  const NDArray target = random_bytes(random, type, shape);
  TRY(device.copy(source, TRY(from)));
  TRY(device.copy(target, TRY(to)));
  const View view = random_view(random, shape, below(random, 2) == 0, below(random, 2) == 0);
  TRY(device.copy(view.of(*from), view.of(*to)));
  copy_elements(view.of(source), view.of(target));
  const NDArray found = NDArray::zeros(type, shape);
  TRY(device.copy(*to, found));
  return found == target;
}

// Copies from the host's array with the axes in another order, row-major: another layout of the
// same tensor.
Result<bool> reorders_right(Random& random, Device& device, ElementType type, MemoryScope scope) {
  const std::vector<int64_t> shape = {1 + below(random, 4), 1 + below(random, 4), 4};
  const Result<NDArray> held = device.allocate(type, shape, scope);
  if (is_limit(held)) return true;
  const NDArray source = random_bytes(random, type, shape);
  const View view = random_view(random, shape, false, true);
  const NDArray reordered = NDArray::zeros(type, view.of(source).shape());
  copy_elements(view.of(source), reordered);
  TRY(device.copy(reordered, view.of(TRY(held))));
  const NDArray found = NDArray::zeros(type, shape);
  TRY(device.copy(*held, found));
  return found == source;
}

TEST_P(DeviceContract, CopiesBetweenEveryPairOfScopesInEveryType) {
  Random random(1);
  for (const ElementType type : kTypes)
    for (const MemoryScope from : kScopes)
      for (const MemoryScope to : kScopes) {
        const Result<bool> right = copies_right(random, *device_, type, from, to);
        ASSERT_TRUE(right) << right.error().message;
        ASSERT_TRUE(*right) << print(from) << " " << print(to) << " " << name_of(type);
      }
}

TEST_P(DeviceContract, CopiesIntoOtherOrdersOfAxes) {
  Random random(2);
  for (const ElementType type : kTypes)
    for (const MemoryScope scope : kScopes) {
      const Result<bool> right = reorders_right(random, *device_, type, scope);
      ASSERT_TRUE(right) << right.error().message;
      ASSERT_TRUE(*right) << print(scope) << " " << name_of(type);
    }
}

TEST_P(DeviceContract, CopiesAnyView) {
  EXPECT_TRUE(rc::check([&](uint64_t seed) {
    Random random(seed);
    const auto scope = [&] { return kScopes[random() % std::size(kScopes)]; };
    const ElementType type = kTypes[random() % std::size(kTypes)];
    const MemoryScope from = scope(), to = scope();
    const Result<bool> right = copies_right(random, *device_, type, from, to);
    RC_ASSERT(right.has_value());
    RC_ASSERT(*right);
  }));
}

// i64 has no image of four components anywhere; all other types have one where there are images.
TEST_P(DeviceContract, HasEveryScopeForEveryTypeOrNamesTheLimit) {
  for (const ElementType type : kTypes)
    for (const MemoryScope scope : kScopes) {
      const auto array = device_->allocate(type, {2, 3, 2, 4}, scope);
      if (array) {
        EXPECT_EQ(array->scope(), scope);
        continue;
      }
      EXPECT_EQ(array.error().kind, ErrorKind::device_limit);
      EXPECT_TRUE(!device_->target().has_images || type == ElementType::i64)
          << array.error().message;
      EXPECT_NE(scope, MemoryScope::global);
    }
}

}  // namespace
}  // namespace dovetail::testing
