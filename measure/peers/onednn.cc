// SPDX-License-Identifier: Apache-2.0
// oneDNN: convolutions, deconvolutions, matrix products and fully connected layers, every
// implementation it has of each (measure/peers/onednn/offers.h).
#include <fmt/format.h>
#include <omp.h>

#include "measure/peers/onednn/onednn_run.h"

namespace dovetail {
namespace {

class OnednnPeer : public Peer {
 public:
  explicit OnednnPeer(int threads) { ::omp_set_num_threads(threads); }

  std::string version() const override {
    const dnnl_version_t* version = dnnl_version();
    return fmt::format("oneDNN {}.{}.{}", version->major, version->minor, version->patch);
  }

  Result<std::vector<Implementation>> offer(const Operator& op) override {
    op_ = op;
    offers_.clear();
    try {
      offers_ = onednn::offers_of(op, engine_);
    } catch (const dnnl::error& error) {
      return fail(error.what());
    }
    if (offers_.empty()) return fail("oneDNN has no implementation of it");
    std::vector<Implementation> implementations;
    for (const onednn::Offer& offer : offers_) implementations.push_back(offer.info);
    return implementations;
  }

  Result<std::unique_ptr<PreparedRun>> prepare(size_t index, const Operands& operands) override {
    try {
      auto prepared = std::make_unique<onednn::OnednnRun>(offers_.at(index), op_, engine_);
      TRY(prepared->fill(operands));
      return std::unique_ptr<PreparedRun>(std::move(prepared));
    } catch (const dnnl::error& error) {
      return fail(error.what());
    }
  }

 private:
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  Operator op_;
  std::vector<onednn::Offer> offers_;
};

}  // namespace

std::unique_ptr<Peer> make_onednn_peer(int threads) {
  return std::make_unique<OnednnPeer>(threads);
}

}  // namespace dovetail
