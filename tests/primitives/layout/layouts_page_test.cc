// SPDX-License-Identifier: Apache-2.0
//
// docs/layouts.md has a Python function that packs an array by a line of `show --what layout`. Here
// it runs, as it stands on the page, on layouts of every algorithm, and must agree with pack().
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/files.h"
#include "core/ir/layout/pack.h"
#include "core/ir/region/border.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "tests/primitives/lowered.h"
#include "tests/support/algorithm_points.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"
#include "tests/support/temporary_folder.h"

namespace dovetail {
namespace {

using Json = nlohmann::json;
using testing::default_point_of;
using testing::right;

constexpr const char* kPython = "/usr/bin/python3";

// Reads cases, packs them by the page's function, and prints those that differ.
constexpr const char* kCheck = R"(
import json, re, sys
import numpy as np
scope = {}
exec(re.search(r"```python\n(.*?)```", open(sys.argv[1]).read(), re.S).group(1), scope)
array = lambda of: np.array(of["values"], np.float32).reshape(of["shape"])
wrong = 0
for text in open(sys.argv[2]):
    case = json.loads(text)
    guests = {name: array(guest) for name, guest in case["guests"].items()}
    found = scope["pack"](array(case), case["line"], guests).reshape(-1)
    if not np.array_equal(found, np.array(case["packed"], np.float32)):
        wrong += 1
        print(case["name"], case["line"], file=sys.stderr)
sys.exit(wrong > 0)
)";

// Vectors of 16, on a processor for which products by pairs and half vectors are offered; its
// second-level cache is too small for transformed weights.
Target zen_with_a_small_cache() {
  Target target = testing::cpu();
  target.llvm_cpu = "znver4";
  target.l2_bytes = 1 << 16;
  return target;
}

// Whole numbers, none alike in a tensor of this size.
std::vector<float> numbers(int64_t count, int64_t first) {
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<float>(first + i));
  return values;
}

Json array_json(const std::vector<LogicalDim>& dims, const std::vector<float>& values) {
  return {{"shape", extents_of(dims)}, {"values", values}};
}

// Features that occur among the cases; the test requires each of them.
struct Seen {
  std::set<std::string> algorithms;
  bool has_times = false, has_guest = false, has_offset = false, has_overlap = false,
       has_fuse = false;
};

class LayoutsPage : public ::testing::Test {
 protected:
  void add(const std::string& name, const Buffer& buffer) {
    const Layout& layout = buffer.layout;
    const std::vector<LogicalDim> host = host_dims(layout);
    const std::vector<float> values = numbers(num_elements(extents_of(host)), 1);
    Json guests = Json::object();
    std::vector<NDArray> of_guests;
    for (const Guest& guest : layout.guests) {
      const std::vector<float> own = numbers(num_elements(extents_of(guest.dims)), 100'001);
      guests[guest.tensor] = array_json(guest.dims, own);
      of_guests.emplace_back(own);
    }
    const std::vector<float> whole =
        layout.guests.empty() ? values : floats_of(join_guests(layout, values, of_guests));
    std::vector<float> packed(static_cast<size_t>(storage_elements(layout)));
    pack(layout, whole, packed);
    Json line = array_json(host, values);
    line["name"] = name;
    line["line"] = print(layout, buffer.name);
    line["guests"] = guests;
    line["packed"] = packed;
    cases_ += line.dump() + "\n";
    seen_.has_times |= layout.times != 1;
    seen_.has_guest |= !layout.guests.empty();
    seen_.has_offset |= std::ranges::any_of(layout.offsets, [](int64_t o) { return o != 0; });
    seen_.has_overlap |= has_overlap(layout);
    seen_.has_fuse |= std::ranges::any_of(
        layout.axes, [](const PhysicalAxis& axis) { return axis.digits.size() > 1; });
  }

  // The tensors of the operator, in every way that this point stores them: X.pad has elements of X.
  void add(const Space& space, const Point& point, const std::string& algorithm) {
    const Trace trace = space.decode(point);
    const Result<Schedule> schedule = apply(trace, space.spec().region, space.target());
    if (!schedule) return;
    const Result<Program> program = lower(*schedule, space.target());
    if (!program) return;
    seen_.algorithms.insert(algorithm);
    const auto is_temporary = [](const Buffer& buffer) {
      return buffer.role == BufferRole::temporary || buffer.role == BufferRole::prepared;
    };
    for (const Buffer& buffer : program->buffers) {
      if (is_temporary(buffer) && buffer.name == buffer.tensor) continue;
      if (known_.insert(print(buffer.layout, buffer.name)).second)
        add(algorithm + " of " + print(space.spec()), buffer);
    }
  }

  // The default of each of its algorithms, and some points around it.
  void add(const std::string& text) {
    const Space space = right(build_space(right(parse_task_spec(text)), zen_with_a_small_cache()));
    const Parameter& first = space.parameters()[0];
    ASSERT_EQ(first.kind, ParameterKind::algorithm) << text;
    std::mt19937_64 rng(1);
    for (const std::string& algorithm : first.labels) {
      add(space, default_point_of(space, algorithm), algorithm);
      for (int sample = 0; sample < 15; ++sample) {
        const Point point = space.sample(rng);
        add(space, point, first.labels[static_cast<size_t>(point[0])]);
      }
    }
  }

  // The exit code of the page's check.
  int check() const {
    const testing::TemporaryFolder folder;
    folder.write("cases", cases_);
    folder.write("check.py", kCheck);
    const std::string page = (testing::source_dir() / "docs/layouts.md").string();
    const std::string command = std::string(kPython) + " " + folder.path("check.py") + " " + page +
                                " " + folder.path("cases");
    return std::system(command.c_str());
  }

  std::string cases_;
  Seen seen_;
  std::set<std::string> known_;
};

TEST_F(LayoutsPage, PacksAsWeDoWhateverTheAlgorithm) {
  if (std::system((std::string(kPython) + " -c 'import numpy' 2> /dev/null").c_str()) != 0)
    GTEST_SKIP() << "needs numpy (Debian's python3-numpy)";
  for (const char* spec :
       {"c2d:ci=16,co=32,h=6,w=6,k=3,p=1+bias", "c2d:ci=64,co=64,h=4,w=4,k=1+bias",
        "c2d:ci=32,co=24,h=4,w=4,k=1", "gmm:m=6,n=64,k=64+bias", "gmm:b=2,m=5,n=20,k=12",
        "c3d:ci=16,co=16,depth=4,h=4,w=4,k=3,p=1", "c2d:ci=3,co=16,h=9,w=9,k=3,s=2,p=1",
        "c2d:ci=16,co=16,h=8,w=8,k=1 | X as row_major; Y as row_major"})
    add(spec);
  for (const char* algorithm : {"direct", "winograd_inner_product", "winograd_2", "winograd_4",
                                "winograd_4_inner", "half_vectors", "in_place"})
    EXPECT_TRUE(seen_.algorithms.contains(algorithm)) << algorithm;
  EXPECT_TRUE(seen_.has_times);
  EXPECT_TRUE(seen_.has_guest);
  EXPECT_TRUE(seen_.has_offset);
  EXPECT_TRUE(seen_.has_overlap);
  EXPECT_TRUE(seen_.has_fuse);
  EXPECT_EQ(check(), 0) << "the layouts above are packed otherwise";
}

}  // namespace
}  // namespace dovetail
