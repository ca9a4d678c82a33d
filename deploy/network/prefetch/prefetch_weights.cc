// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/prefetch/prefetch_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/check.h"
#include "core/base/round_up.h"
#include "core/ir/program/lifetimes.h"
#include "deploy/network/prefetch/shared_programs.h"

namespace dovetail {
namespace {

constexpr int64_t kLineBytes = 64;
constexpr int64_t kFewLines = 16;       // per iteration: more would wait for each other
constexpr int64_t kLeastBytes = 4096;   // smaller constants gain nothing over the hardware
constexpr double kBytesPerFma = 0.25;   // bytes that memory delivers per multiply-add
constexpr size_t kMostCallsBefore = 4;  // calls that prefetch one call's constants

int64_t lines_of(int64_t bytes) { return round_up(bytes, kLineBytes) / kLineBytes; }

struct Request {
  size_t buffer = 0;  // in the network
  int64_t first_line = 0, lines = 0;
  friend auto operator<=>(const Request&, const Request&) = default;
};

// Plans the prefetches of each call, from the last call to the first.
class RequestPlan {
 public:
  explicit RequestPlan(const NetworkProgram& network) : network_(network) {
    std::vector<bool> seen(network.buffers.size(), false);
    for (const NetworkCall& call : network.calls) {
      const Program& program = network.programs[call.program];
      spare_bytes_.push_back(static_cast<int64_t>(kBytesPerFma * executed_fmas(program)));
      own_.emplace_back();
      const auto lifetimes = lifetimes_of(program);
      const auto once = static_cast<size_t>(preparing_kernels(program));
      for (size_t b = 0; b < call.buffers.size(); ++b) {
        const size_t held = call.buffers[b];
        if (seen[held] || !lifetimes[b] || lifetimes[b]->last < once || !is_large(held)) continue;
        seen[held] = true;
        own_.back().push_back(held);
      }
    }
    requests_.resize(network.calls.size());
  }

  std::vector<std::vector<Request>> requests() {
    for (size_t call = network_.calls.size(); call-- > 1;)
      for (const size_t buffer : own_[call]) ask_before(call, buffer);
    return std::move(requests_);
  }

 private:
  bool is_large(size_t buffer) const {
    const Buffer& held = network_.buffers[buffer].buffer;
    const bool is_known = held.role == BufferRole::constant || held.role == BufferRole::prepared;
    return is_known && buffer_bytes(held) >= kLeastBytes;
  }

  // The first lines of a constant are prefetched last, closest to their use.
  void ask_before(size_t call, size_t buffer) {
    const int64_t all = lines_of(buffer_bytes(network_.buffers[buffer].buffer));
    int64_t asked = 0;
    for (size_t back = 1; back <= std::min(call, kMostCallsBefore) && asked < all; ++back) {
      int64_t& spare = spare_bytes_[call - back];
      const int64_t lines = std::min(spare / kLineBytes, all - asked);
      if (lines == 0) continue;
      spare -= lines * kLineBytes;
      requests_[call - back].push_back({.buffer = buffer, .first_line = asked, .lines = lines});
      asked += lines;
    }
  }

  const NetworkProgram& network_;
  std::vector<int64_t> spare_bytes_;      // by call
  std::vector<std::vector<size_t>> own_;  // buffers that each call is the first to read
  std::vector<std::vector<Request>> requests_;
};

double work_of(const Block& block) {
  double work = 0;
  for (const Statement& statement : block)
    if (const auto* loop = std::get_if<Loop>(&statement.node))
      work += static_cast<double>(loop->extent) * work_of(loop->body);
    else if (std::holds_alternative<Store>(statement.node))
      work += 1;
  return work;
}

Loop* heaviest_loop(Block& block) {
  Loop* heaviest = nullptr;
  double most = 0;
  for (Statement& statement : block) {
    auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr || !can_ask(*loop)) continue;
    const double work = static_cast<double>(loop->extent) * work_of(loop->body);
    if (work > most) heaviest = loop;
    most = std::max(most, work);
  }
  return heaviest;
}

// The loop that prefetches, and the number of its current iteration since the kernel's start.
struct AskingLoop {
  Loop* loop = nullptr;
  IndexExpr iteration = IndexExpr(0);
  int64_t iterations = 1;
};

// The outermost loop with few lines per iteration, unless its iterations far outnumber the lines.
AskingLoop asking_loop(Kernel& kernel, int64_t lines) {
  AskingLoop found;
  Block* block = &kernel.body;
  while (found.iterations * kFewLines < lines) {
    Loop* next = heaviest_loop(*block);
    if (next == nullptr) break;
    const int64_t iterations = found.iterations * next->extent;
    const bool is_enough = found.loop != nullptr && found.iterations * kMaxPrefetchedLines >= lines;
    if (is_enough && iterations > 4 * lines) break;
    found = {.loop = next,
             .iteration = found.iteration * next->extent + IndexExpr::variable(next->variable),
             .iterations = iterations};
    block = &next->body;
  }
  return found;
}

Kernel& heaviest_kernel(Program& program) {
  const auto work = [](const Kernel& kernel) {
    return kernel.prepares ? -1 : work_of(kernel.body);
  };
  return *std::ranges::max_element(program.kernels, {}, work);
}

// The program with these prefetches; nothing if no loop can hold them.
std::optional<Program> asking(const NetworkProgram& network, Program program,
                              const std::vector<Request>& requests) {
  int64_t lines = 0;
  for (const Request& request : requests) lines += request.lines;
  const AskingLoop at = asking_loop(heaviest_kernel(program), lines);
  if (at.loop == nullptr) return std::nullopt;
  for (size_t r = 0; r < requests.size(); ++r) {
    Buffer ahead = network.buffers[requests[r].buffer].buffer;
    ahead.name = ahead.tensor = fmt::format("ahead.{}", r);
    const int64_t each =
        std::min(round_up(requests[r].lines, at.iterations) / at.iterations, kMaxPrefetchedLines);
    const int64_t line = kLineBytes / bytes_of(ahead.dtype);
    std::vector<IndexExpr> indices(physical_extents(ahead.layout).size(), IndexExpr(0));
    indices.back() = at.iteration * (each * line) + IndexExpr(requests[r].first_line * line);
    at.loop->prefetches.push_back(
        {.buffer = ahead.name, .indices = std::move(indices), .lines = each, .far = true});
    program.buffers.push_back(std::move(ahead));
  }
  return program;
}

}  // namespace

NetworkProgram prefetch_weights(const NetworkProgram& network, const Target& target) {
  if (!runs_threads(target)) return network;
  NetworkProgram result = network;
  const std::vector<std::vector<Request>> requests = RequestPlan(network).requests();
  std::vector<std::optional<Program>> others(network.calls.size());
  for (size_t c = 0; c < network.calls.size(); ++c) {
    NetworkCall& call = result.calls[c];
    if (!requests[c].empty())
      others[c] = asking(network, network.programs[call.program], requests[c]);
    if (!others[c]) continue;
    for (const Request& request : requests[c]) call.buffers.push_back(request.buffer);
  }
  return with_programs(std::move(result), std::move(others));
}

}  // namespace dovetail
