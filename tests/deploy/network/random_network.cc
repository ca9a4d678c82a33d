// SPDX-License-Identifier: Apache-2.0
#include "tests/deploy/network/random_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>
#include <span>

#include "core/base/check.h"
#include "core/ir/program/walk.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

std::string buffer_line(std::string_view role, const std::string& name, int64_t extent) {
  return fmt::format("buffer {0}: f32 {1} {0}[a={2}] as [a@1:{2}]\n", name, role, extent);
}

struct Made {
  std::string name;
  int64_t extent;
};

class NetworkWriter {
 public:
  explicit NetworkWriter(uint64_t seed) : random_(seed) {}

  std::string write() {
    const int64_t inputs = 1 + draw(3);
    for (int64_t i = 0; i < inputs; ++i) given(fmt::format("x{}", i));
    const int64_t calls = 1 + draw(12);
    for (int64_t c = 0; c < calls; ++c) call(c, c + 1 == calls);
    return "network random\n" + programs_ + "storage\n" + storage_ + holds_ + "calls\n" + calls_;
  }

 private:
  int64_t draw(int64_t count) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(count));
  }
  int64_t drawn_extent() { return 1 + draw(4) * draw(400) + draw(16); }

  void given(const std::string& name) {
    values_.push_back({name, drawn_extent()});
    storage_ += buffer_line("activation", name, values_.back().extent);
    holds_ += fmt::format("holds {0} {0}\n", name);
  }

  Made value() {
    const int64_t recent = std::min<int64_t>(std::ssize(values_), draw(3) == 0 ? 99 : 3);
    return values_[values_.size() - 1 - static_cast<size_t>(draw(recent))];
  }

  // B = f(A, D, C), perhaps by way of a temporary, C perhaps prepared.
  void call(int64_t number, bool is_last) {
    const Made a = value(), d = value();
    const bool is_prepared = draw(3) == 0, has_temporary = draw(2) == 0;
    const Made b{fmt::format("v{}", number), drawn_extent()};
    const Made c{fmt::format("k{}", number), drawn_extent()};
    const Made t{fmt::format("t{}", number), drawn_extent()};
    programs_ += fmt::format("program {}\n", number);
    programs_ +=
        buffer_line("activation", "A", a.extent) + buffer_line("activation", "D", d.extent);
    programs_ += buffer_line("constant", "C", c.extent) + buffer_line("output", "B", b.extent);
    std::string names = fmt::format("{} {} {} {}", a.name, d.name, c.name, b.name);
    storage_ += buffer_line("constant", c.name, c.extent);
    storage_ += buffer_line(is_last || draw(5) == 0 ? "output" : "temporary", b.name, b.extent);
    holds_ += fmt::format("holds {0} {0}\nholds {1} {1}\n", c.name, b.name);
    if (is_prepared) names += held("prepared", "P", c.name + ".made", c.extent);
    if (has_temporary) names += held("temporary", "T", t.name, t.extent);
    const std::string weight = is_prepared ? "P[0]" : "C[0]";
    if (is_prepared) programs_ += kernel("prepare prepares", "P", c.extent, "2 * C[0]");
    if (has_temporary) programs_ += kernel("first", "T", t.extent, "A[0] + " + weight);
    programs_ += kernel(
        "last", "B", b.extent,
        (has_temporary ? "T[0] + D[0]" : "A[0] + D[0]") + (draw(2) == 0 ? " + " + weight : ""));
    calls_ += fmt::format("call c{0} {0} {1}\n", number, names);
    values_.push_back(b);
  }

  std::string held(std::string_view role, const std::string& inside, const std::string& name,
                   int64_t extent) {
    programs_ += buffer_line(role, inside, extent);
    storage_ += buffer_line(role, name, extent);
    return " " + name;
  }

  static std::string kernel(std::string_view name, std::string_view to, int64_t extent,
                            const std::string& value) {
    return fmt::format("kernel {}\n  for a in 0..{}\n    {}[a] = {}\n", name, extent, to, value);
  }

  std::mt19937_64 random_;
  std::vector<Made> values_;  // that calls may read
  std::string programs_, storage_, holds_, calls_;
};

class OwnersRun {
 public:
  OwnersRun(const NetworkProgram& network, const NetworkPlan& plan,
            std::vector<MemoryOwners>& memory)
      : network_(network), plan_(plan), memory_(memory) {}

  std::string run() {
    for (size_t b = 0; b < network_.buffers.size(); ++b)
      if (is_there_first(b)) write(b);
    check_all("before the first kernel", [&](size_t b) { return is_there_first(b); });
    for (const NetworkCall& call : network_.calls) run_call(call);
    check_all("at the end", [&](size_t b) {
      return use_of(plan_, b) == NetworkMemory::constants || role_of(b) == BufferRole::output;
    });
    return error_;
  }

 private:
  BufferRole role_of(size_t b) const { return network_.buffers[b].buffer.role; }
  bool is_there_first(size_t b) const {
    return use_of(plan_, b) == NetworkMemory::constants || role_of(b) == BufferRole::activation;
  }

  std::span<size_t> cells(size_t b) {
    const ArenaPlace& place = plan_.places[b];
    MemoryOwners& owners = memory_[place.arena];
    const auto first = static_cast<size_t>(place.offset / kBufferAlignment);
    const auto count = static_cast<size_t>(
        (buffer_bytes(network_.buffers[b].buffer) + kBufferAlignment - 1) / kBufferAlignment);
    if (first + count <= owners.size()) return std::span(owners).subspan(first, count);
    error_ = network_.buffers[b].buffer.name + " leaves its arena";
    return {};
  }

  void write(size_t b) { std::ranges::fill(cells(b), b); }

  void check(size_t b, const std::string& when) {
    for (const size_t owner : cells(b))
      if (owner != b && error_.empty())
        error_ = fmt::format("{} was overwritten {}", network_.buffers[b].buffer.name, when);
  }

  template <typename Holds>
  void check_all(const std::string& when, Holds holds) {
    for (size_t b = 0; b < network_.buffers.size(); ++b)
      if (holds(b)) check(b, when);
  }

  // Buffers that only kernels that prepare constants read are gone by now.
  void run_call(const NetworkCall& call) {
    const Program& program = network_.programs[call.program];
    std::set<size_t> written;
    for (const Kernel& kernel : program.kernels) {
      if (kernel.prepares) continue;
      const Uses uses = uses_of(kernel.body);
      for (size_t i = 0; i < program.buffers.size(); ++i) {
        if (!uses.contains(program.buffers[i].name)) continue;
        const size_t b = call.buffers[i];
        const BufferRole role = program.buffers[i].role;
        const bool is_made = role == BufferRole::output || role == BufferRole::temporary;
        if (is_made && written.insert(b).second) write(b);
      }
      for (size_t i = 0; i < program.buffers.size(); ++i)
        if (uses.contains(program.buffers[i].name)) check(call.buffers[i], "in " + call.name);
    }
  }

  const NetworkProgram& network_;
  const NetworkPlan& plan_;
  std::vector<MemoryOwners>& memory_;
  std::string error_;
};

}  // namespace

NetworkProgram random_network(uint64_t seed) {
  const std::string text = NetworkWriter(seed).write();
  NetworkProgram network = right(parse_network(text), text);
  CHECK(verify(network).has_value(), verify(network).error().message);
  return network;
}

std::vector<MemoryOwners> owners_of(const NetworkPlan& plan) {
  constexpr size_t kNobody = ~size_t{0};
  std::vector<MemoryOwners> memory;
  for (const NetworkArena& arena : plan.arenas)
    memory.emplace_back(static_cast<size_t>(arena.bytes / kBufferAlignment), kNobody);
  return memory;
}

std::string run_owners(const NetworkProgram& network, const NetworkPlan& plan,
                       std::vector<MemoryOwners>& memory) {
  return OwnersRun(network, plan, memory).run();
}

}  // namespace dovetail::testing
