// SPDX-License-Identifier: Apache-2.0
#pragma once

// OnednnRun: one offer with all its memory in one place, on huge pages as ours is, and a scratchpad
// of its own, so that a run allocates nothing.

#include <unordered_map>
#include <utility>

#include "measure/peers/onednn/offers.h"
#include "measure/worker/huge_pages.h"

namespace dovetail::onednn {

class OnednnRun : public PreparedRun {
 public:
  OnednnRun(Offer offer, const Operator& op, const dnnl::engine& engine);
  // The error says that there is no memory.
  Result<void> fill(const Operands& operands);
  void run() override;
  std::vector<float> output() override;

 private:
  // A tensor's memory: an argument of the primitive, or beside it, its framework form that run()
  // converts from or to.
  struct Place {
    int argument;
    dnnl::memory::desc desc;
    bool framework;
    uint64_t offset;
  };
  // Of an epilogue, or the bias that the primitive takes itself.
  struct ExtraOperand {
    int argument;
    dnnl::memory::desc desc;       // as the primitive takes it
    dnnl::memory::desc framework;  // as it comes
    const std::vector<float> Operands::* values;
  };
  struct KnownReorder {
    dnnl::memory::desc from, to;
    dnnl::reorder reorder;
  };

  void add_place(int argument, const dnnl::memory::desc& desc, bool framework = false);
  void add_conversion(int argument, const dnnl::memory::desc& framework);
  std::vector<ExtraOperand> extra_operands() const;
  Result<void> make_memories();
  void put(const std::vector<float>& values, int argument, const dnnl::memory::desc& framework);
  void convert(dnnl::memory& from, dnnl::memory& to);

  Offer offer_;
  Operator op_;
  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::primitive primitive_;
  HugePages pages_;
  std::vector<Place> places_;
  uint64_t bytes_ = 0;
  std::unordered_map<int, dnnl::memory> arguments_;
  std::vector<std::pair<dnnl::memory, dnnl::memory>> before_;  // framework, argument
  std::vector<std::pair<dnnl::memory, dnnl::memory>> after_;   // argument, framework
  std::vector<KnownReorder> reorders_;
};

}  // namespace dovetail::onednn
