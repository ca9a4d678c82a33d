// SPDX-License-Identifier: Apache-2.0
// LibTorch as users of PyTorch get it, in inference mode, on framework layouts, on channels last,
// and on tensors in oneDNN's blocked layouts ("mkldnn").
//
// malloc must keep freed memory: by default, an output of some megabytes is returned to the system
// after each call, and every run pays for its pages again.
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <malloc.h>
#include <torch/version.h>

#include "measure/peers/libtorch/runs.h"

namespace dovetail {
namespace {

using namespace torch_peer;

class LibtorchPeer : public Peer {
 public:
  explicit LibtorchPeer(int threads) {
    ::mallopt(M_MMAP_MAX, 0);
    ::mallopt(M_TRIM_THRESHOLD, -1);
    at::set_num_threads(threads);
  }

  std::string version() const override { return "LibTorch " TORCH_VERSION; }

  Result<std::vector<Implementation>> offer(const Operator& op) override {
    op_ = op;
    choices_ = TRY(operator_choices(op));
    std::vector<Implementation> implementations;
    for (const Choice& choice : choices_) implementations.push_back(choice.info);
    return implementations;
  }

  Result<std::unique_ptr<PreparedRun>> prepare(size_t index, const NamedArrays& inputs) override {
    return operator_run(op_, choices_.at(index), inputs);
  }

 private:
  c10::InferenceMode inference_;  // for this thread, during the peer's lifetime
  Operator op_;
  std::vector<Choice> choices_;
};

}  // namespace

std::unique_ptr<Peer> make_libtorch_peer(int threads) {
  return std::make_unique<LibtorchPeer>(threads);
}

}  // namespace dovetail
