// SPDX-License-Identifier: Apache-2.0
// Networks on devices that are not here: default traces compile within the limits that the profiles
// in docs/examples state.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "core/frontend/onnx_import.h"
#include "deploy/layouts/choose_layouts.h"
#include "deploy/network/lower_network.h"
#include "deploy/network/network_code.h"
#include "tests/models/onnx_export.h"
#include "tests/models/sample_models.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"
#include "tests/support/temporary_folder.h"

namespace dovetail {
namespace {

using testing::right;

class NetworkOnDevice
    : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {  // model, profile
 protected:
  static Partition parts_of(const std::string& model) {
    const testing::TemporaryFolder folder;
    EXPECT_TRUE(export_onnx(right(build_sample_model(model, 18)), folder.path("model.onnx")));
    return right(partition(right(import_onnx(folder.path("model.onnx")))), model);
  }

  LoweredNetwork lowered() const {
    const TraceOfTask traces = default_traces(target_);
    const NetworkChoice choice = right(propagated(parts_, target_, only(traces)));
    return right(lower_network(parts_, target_, traces, choice));
  }

  const Target target_ = testing::target_of_profile(std::get<1>(GetParam()));
  const Partition parts_ = parts_of(std::get<0>(GetParam()));
  const LoweredNetwork network_ = lowered();
};

TEST_P(NetworkOnDevice, CompilesWithinItsLimits) {
  const NetworkCode code = right(build_network(network_.program, target_));
  EXPECT_EQ(code.code.launches.size(), kernels_repeated(network_.program));
  for (const Launch& launch : code.code.launches) {
    EXPECT_LE(launch.local[0] * launch.local[1] * launch.local[2], target_.max_work_group_size)
        << launch.name;
    for (size_t axis = 0; axis < launch.local.size(); ++axis)
      EXPECT_LE(launch.local[axis], max_work_items(target_, axis)) << launch.name;
  }
}

// An epilogue reads a residual as it arrives. Only Winograd's last transform reads it in tiles.
TEST_P(NetworkOnDevice, HasNoLaunchThatPadsAResidual) {
  for (size_t c = 0; c < network_.steps.size(); ++c) {
    if (network_.steps[c].trace.algorithm) continue;
    const NetworkCall& call = network_.program.calls[c];
    for (const Kernel& kernel : network_.program.programs[call.program].kernels)
      EXPECT_NE(kernel.name, "pad_add") << call.name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Devices, NetworkOnDevice,
    ::testing::Combine(::testing::Values("resnet18-small", "mobilenet_v2-small", "resnet3d18-small",
                                         "bert_tiny-small", "bert_base-small"),
                       ::testing::Values("adreno_like.profile", "h200.profile",
                                         "mali_like.profile")),
    [](const auto& tested) {
      std::string name = std::string(std::get<0>(tested.param)) + "_" + std::get<1>(tested.param);
      name.resize(name.find('.'));
      std::ranges::replace(name, '-', '_');
      return name;
    });

}  // namespace
}  // namespace dovetail
