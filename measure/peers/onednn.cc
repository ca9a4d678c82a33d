// SPDX-License-Identifier: Apache-2.0
// oneDNN: convolutions, deconvolutions, matrix products and fully connected layers, every
// implementation it has of each (measure/peers/onednn/offers.h).
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "measure/peers/onednn/offers.h"
#include "measure/shared_memory.h"

namespace dovetail {
namespace {

using namespace onednn;
using dnnl::memory;
using Desc = memory::desc;

constexpr uint64_t kAlignment = 4096;

constexpr std::pair<int, dnnl::query> kTensors[] = {
    {DNNL_ARG_SRC, dnnl::query::src_md},
    {DNNL_ARG_WEIGHTS, dnnl::query::weights_md},
    {DNNL_ARG_DST, dnnl::query::dst_md},
};

// Post-ops are numbered without the bias that the primitive takes itself.
int post_op_argument(const Operator& op, size_t epilogue) {
  const int number = static_cast<int>(epilogue) - (has_own_bias(op) ? 1 : 0);
  return DNNL_ARG_ATTR_MULTIPLE_POST_OP(number) | DNNL_ARG_SRC_1;
}

// One offer with all its memory in one place, on huge pages as ours is, and a scratchpad
// of its own, so that a run allocates nothing.
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
    Desc desc;
    bool framework;
    uint64_t offset;
  };
  // An epilogue reads it, or it is the bias that the primitive takes itself.
  struct ExtraOperand {
    int argument;
    Desc desc;       // as the primitive takes it
    Desc framework;  // as it comes
    const std::vector<float> Operands::* values;
  };
  struct KnownReorder {
    Desc from, to;
    dnnl::reorder reorder;
  };

  void add_place(int argument, const Desc& desc, bool framework = false);
  void add_conversion(int argument, const Desc& framework);
  std::vector<ExtraOperand> extra_operands() const;
  Result<void> make_memories();
  void put(const std::vector<float>& values, int argument, const Desc& framework);
  void convert(memory& from, memory& to);

  Offer offer_;
  Operator op_;
  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::primitive primitive_;
  HugePages pages_;
  std::vector<Place> places_;
  uint64_t bytes_ = 0;
  std::unordered_map<int, memory> arguments_;
  std::vector<std::pair<memory, memory>> before_;  // framework, argument
  std::vector<std::pair<memory, memory>> after_;   // argument, framework
  std::vector<KnownReorder> reorders_;
};

OnednnRun::OnednnRun(Offer offer, const Operator& op, const dnnl::engine& engine)
    : offer_(std::move(offer)), op_(op), engine_(engine), stream_(engine), primitive_(offer_.pd) {
  for (const auto& [argument, query] : kTensors) add_place(argument, offer_.pd.query_md(query, 0));
  for (const ExtraOperand& operand : extra_operands()) add_place(operand.argument, operand.desc);
  const Desc scratchpad = offer_.pd.scratchpad_desc();
  if (scratchpad.get_size() > 0) add_place(DNNL_ARG_SCRATCHPAD, scratchpad);
  if (!offer_.converts) return;
  add_conversion(DNNL_ARG_SRC, offer_.tensors.src);
  add_conversion(DNNL_ARG_DST, offer_.tensors.dst);
  if (!offer_.constant_weights) add_conversion(DNNL_ARG_WEIGHTS, offer_.tensors.weights);
}

void OnednnRun::add_place(int argument, const Desc& desc, bool framework) {
  places_.push_back({argument, desc, framework, bytes_});
  bytes_ += (desc.get_size() + kAlignment - 1) / kAlignment * kAlignment;
}

void OnednnRun::add_conversion(int argument, const Desc& framework) {
  const auto place = std::ranges::find(places_, argument, &Place::argument);
  if (place->desc != framework) add_place(argument, framework, true);
}

std::vector<OnednnRun::ExtraOperand> OnednnRun::extra_operands() const {
  const Tensors& tensors = offer_.tensors;
  std::vector<ExtraOperand> operands;
  if (has_own_bias(op_))
    operands.push_back({DNNL_ARG_BIAS, *tensors.bias, *tensors.bias, &Operands::bias});
  for (size_t i = 0; i < op_.epilogues.size(); ++i) {
    const EpilogueKind kind = op_.epilogues[i].kind;
    const int argument = post_op_argument(op_, i);
    if (kind == EpilogueKind::add) {
      const Desc dst = offer_.pd.query_md(dnnl::query::dst_md, 0);
      operands.push_back({argument, dst, tensors.dst, &Operands::addend});
    } else if (kind == EpilogueKind::bias && i > 0) {
      operands.push_back({argument, *tensors.wide_bias, *tensors.wide_bias, &Operands::bias});
    }
  }
  return operands;
}

Result<void> OnednnRun::make_memories() {
  const auto bytes = TRY(pages_.at_least(bytes_));
  for (const Place& place : places_) {
    memory here(place.desc, engine_, bytes.data() + place.offset);
    if (!place.framework)
      arguments_.emplace(place.argument, here);
    else if (place.argument == DNNL_ARG_DST)
      after_.emplace_back(arguments_.at(DNNL_ARG_DST), here);
    else
      before_.emplace_back(here, arguments_.at(place.argument));
  }
  return {};
}

Result<void> OnednnRun::fill(const Operands& operands) {
  TRY(make_memories());
  put(operands.input, DNNL_ARG_SRC, offer_.tensors.src);
  put(operands.weight, DNNL_ARG_WEIGHTS, offer_.tensors.weights);
  for (const ExtraOperand& operand : extra_operands())
    put(operands.*operand.values, operand.argument, operand.framework);
  const memory& dst = arguments_.at(DNNL_ARG_DST);
  std::fill_n(static_cast<float*>(dst.get_data_handle()), dst.get_desc().get_size() / sizeof(float),
              std::numeric_limits<float>::quiet_NaN());
  stream_.wait();
  return {};
}

// Into the argument, and where run() converts from a framework copy, into that as well.
void OnednnRun::put(const std::vector<float>& values, int argument, const Desc& framework) {
  memory from(framework, engine_, const_cast<float*>(values.data()));
  memory& to = arguments_.at(argument);
  convert(from, to);
  for (auto& [copy, converted] : before_)
    if (converted.get_data_handle() == to.get_data_handle()) convert(from, copy);
}

void OnednnRun::convert(memory& from, memory& to) {
  for (KnownReorder& known : reorders_)
    if (known.from == from.get_desc() && known.to == to.get_desc())
      return known.reorder.execute(stream_, from, to);
  reorders_.push_back({from.get_desc(), to.get_desc(), dnnl::reorder(from, to)});
  reorders_.back().reorder.execute(stream_, from, to);
}

void OnednnRun::run() {
  for (auto& [from, to] : before_) convert(from, to);
  primitive_.execute(stream_, arguments_);
  for (auto& [from, to] : after_) convert(from, to);
  stream_.wait();
}

std::vector<float> OnednnRun::output() {
  const Desc framework = offer_.tensors.dst;
  std::vector<float> values(framework.get_size() / sizeof(float));
  memory out(framework, engine_, values.data());
  convert(after_.empty() ? arguments_.at(DNNL_ARG_DST) : after_.front().second, out);
  stream_.wait();
  return values;
}

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
      offers_ = offers_of(op, engine_);
    } catch (const dnnl::error& error) {
      return fail(error.what());
    }
    if (offers_.empty()) return fail("oneDNN has no implementation of it");
    std::vector<Implementation> implementations;
    for (const Offer& offer : offers_) implementations.push_back(offer.info);
    return implementations;
  }

  Result<std::unique_ptr<PreparedRun>> prepare(size_t index, const Operands& operands) override {
    try {
      auto prepared = std::make_unique<OnednnRun>(offers_.at(index), op_, engine_);
      TRY(prepared->fill(operands));
      return std::unique_ptr<PreparedRun>(std::move(prepared));
    } catch (const dnnl::error& error) {
      return fail(error.what());
    }
  }

 private:
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  Operator op_;
  std::vector<Offer> offers_;
};

}  // namespace

std::unique_ptr<Peer> make_onednn_peer(int threads) {
  return std::make_unique<OnednnPeer>(threads);
}

}  // namespace dovetail
