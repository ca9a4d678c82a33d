// SPDX-License-Identifier: Apache-2.0
// oneDNN: convolutions, deconvolutions, matrix products and fully connected layers, every
// implementation it has of each (measure/peers/onednn/offers.h).
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "core/runtime/huge_pages.h"
#include "measure/peers/onednn/offers.h"

namespace dovetail {
namespace {

using namespace onednn;
using dnnl::memory;
using Desc = memory::desc;

constexpr uint64_t kAlignment = 4096;

// One offer with all its memory in one piece, on huge pages like the candidates', and its own
// scratchpad, so that a run allocates nothing.
class OnednnRun : public PreparedRun {
 public:
  OnednnRun(Offer offer, const dnnl::engine& engine);
  // Fails if there is no memory.
  Result<void> fill(const NamedArrays& inputs);
  void run() override;
  std::vector<float> output() override;

 private:
  // Memory of a tensor: an argument of the primitive, or the copy in framework layout that run()
  // converts from or to.
  struct Place {
    int argument;
    Desc desc;
    bool framework;
    uint64_t offset;
  };
  struct KnownReorder {
    Desc from, to;
    dnnl::reorder reorder;
  };

  void add_place(int argument, const Desc& desc, bool framework = false);
  Result<void> make_memories();
  void put(const NDArray& values, const Argument& argument);
  void convert(memory& from, memory& to);

  Offer offer_;
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

OnednnRun::OnednnRun(Offer offer, const dnnl::engine& engine)
    : offer_(std::move(offer)), engine_(engine), stream_(engine), primitive_(offer_.pd.get()) {
  for (const Argument& argument : offer_.arguments) add_place(argument.number, argument.own);
  const Desc scratchpad = offer_.pd.scratchpad_desc();
  if (scratchpad.get_size() > 0) add_place(DNNL_ARG_SCRATCHPAD, scratchpad);
  if (!offer_.converts) return;
  for (const Argument& argument : offer_.arguments)
    if (!argument.before && argument.own != argument.framework)
      add_place(argument.number, argument.framework, /*framework=*/true);
}

void OnednnRun::add_place(int argument, const Desc& desc, bool framework) {
  places_.push_back({argument, desc, framework, bytes_});
  bytes_ += (desc.get_size() + kAlignment - 1) / kAlignment * kAlignment;
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

Result<void> OnednnRun::fill(const NamedArrays& inputs) {
  TRY(make_memories());
  for (const Argument& argument : offer_.arguments)
    if (!argument.tensor.empty()) put(inputs.find(argument.tensor)->second, argument);
  const memory& dst = arguments_.at(DNNL_ARG_DST);
  std::fill_n(static_cast<float*>(dst.get_data_handle()), dst.get_desc().get_size() / sizeof(float),
              std::numeric_limits<float>::quiet_NaN());
  stream_.wait();
  return {};
}

// Writes the argument, and its framework copy, too, if run() converts from one.
void OnednnRun::put(const NDArray& values, const Argument& argument) {
  memory from(argument.framework, engine_, const_cast<float*>(values.as<float>().data()));
  memory& to = arguments_.at(argument.number);
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
  const Desc framework =
      std::ranges::find(offer_.arguments, DNNL_ARG_DST, &Argument::number)->framework;
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
    offers_.clear();
    try {
      offers_ = operator_offers(op, engine_);
    } catch (const dnnl::error& error) {
      return fail(error.what());
    }
    if (offers_.empty()) return fail("oneDNN has no implementation of this operator");
    std::vector<Implementation> implementations;
    for (const Offer& offer : offers_) implementations.push_back(offer.info);
    return implementations;
  }

  Result<std::unique_ptr<PreparedRun>> prepare(size_t index, const NamedArrays& inputs) override {
    try {
      auto prepared = std::make_unique<OnednnRun>(offers_.at(index), engine_);
      TRY(prepared->fill(inputs));
      return std::unique_ptr<PreparedRun>(std::move(prepared));
    } catch (const dnnl::error& error) {
      return fail(error.what());
    }
  }

 private:
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  std::vector<Offer> offers_;
};

}  // namespace

std::unique_ptr<Peer> make_onednn_peer(int threads) {
  return std::make_unique<OnednnPeer>(threads);
}

}  // namespace dovetail
