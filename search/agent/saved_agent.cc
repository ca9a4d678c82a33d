// SPDX-License-Identifier: Apache-2.0
#include "search/agent/saved_agent.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/base/keyed_lines.h"
#include "core/base/text.h"
#include "core/record/line/log_line.h"

namespace dovetail {
namespace {

constexpr int kFormat = 1;

// The lines that determine which agents the weights fit, in the order of the file.
constexpr std::pair<std::string_view, int AgentShape::*> kSizes[] = {
    {"states", &AgentShape::states},
    {"state_size", &AgentShape::state_size},
    {"actors", &AgentShape::actors},
    {"hidden", &AgentShape::hidden}};

// The file is little-endian, as is every machine that this was ever built for.
static_assert(std::endian::native == std::endian::little);

std::string bytes_of(const std::vector<float>& weights) {
  return {reinterpret_cast<const char*>(weights.data()), weights.size() * sizeof(float)};
}

Result<std::vector<float>> weights_of(std::string_view bytes, int64_t count) {
  if (bytes.size() % sizeof(float) != 0 ||
      bytes.size() / sizeof(float) != static_cast<uint64_t>(count)) {
    return fail("saved agent: {} bytes of weights, expected 4 for each of {}", bytes.size(), count);
  }
  std::vector<float> weights(static_cast<size_t>(count));
  std::ranges::copy(bytes, reinterpret_cast<char*>(weights.data()));
  const auto bad = std::ranges::find_if_not(weights, [](float w) { return std::isfinite(w); });
  if (bad == weights.end()) return weights;
  return fail("saved agent: weight {} is {}, expected a finite number", bad - weights.begin() + 1,
              *bad);
}

Result<int> take_size(KeyedLines& lines, std::string_view key) {
  const int64_t size = TRY(lines.take_count(key));
  if (size < 1 || size > std::numeric_limits<int>::max())
    return fail("saved agent: {} is {}, expected 1 to 2147483647", key, size);
  return static_cast<int>(size);
}

}  // namespace

void SavedAgent::add_training(const std::string& task, int64_t more_trials) {
  if (std::ranges::find(tasks, task) == tasks.end()) tasks.push_back(task);
  trials += more_trials;
}

std::string print(const SavedAgent& agent) {
  const std::string bytes = bytes_of(agent.weights);
  return fmt::format(
             "dovetail agent {}\nstates {}\nstate_size {}\nactors {}\nhidden {}\ntasks {}\n"
             "trials {}\ncrc {:08x}\nweights {}\n",
             kFormat, agent.shape.states, agent.shape.state_size, agent.shape.actors,
             agent.shape.hidden, fmt::join(agent.tasks, " "), agent.trials, crc32(bytes),
             agent.weights.size()) +
         bytes;
}

Result<SavedAgent> parse_saved_agent(std::string_view text) {
  KeyedLines lines(text, "saved agent");
  const int64_t format = TRY(lines.take_count("dovetail agent"));
  if (format != kFormat) return fail("saved agent: its form is {}, expected {}", format, kFormat);
  SavedAgent agent;
  for (const auto& [name, size] : kSizes) agent.shape.*size = TRY(take_size(lines, name));
  for (const std::string_view task : split(TRY(lines.take("tasks")), ' '))
    agent.tasks.emplace_back(task);
  agent.trials = TRY(lines.take_count("trials"));
  const std::string_view crc = TRY(lines.take("crc"));
  const int64_t count = TRY(lines.take_count("weights"));
  agent.weights = TRY(weights_of(lines.rest(), count));
  if (const std::string found = fmt::format("{:08x}", crc32(lines.rest())); found != crc) {
    return fail("saved agent: damaged: the checksum of its weights is {}, expected {}", found,
                crc.substr(0, 8));
  }
  return agent;
}

Result<void> check_shape(const SavedAgent& agent, const AgentShape& expected) {
  if (agent.shape.states != expected.states) {
    return fail(
        "saved agent: its states have version {}, this program's {}; train it "
        "again with dovetail pretrain",
        agent.shape.states, expected.states);
  }
  for (const auto& [name, size] : kSizes)
    if (agent.shape.*size != expected.*size)
      return fail("saved agent: {} is {}, expected {}", name, agent.shape.*size, expected.*size);
  return {};
}

Result<SavedAgent> read_saved_agent(const std::string& path, const AgentShape& expected) {
  const std::string text = TRY(read_file(path));
  Result<SavedAgent> agent = parse_saved_agent(text);
  const Result<void> fits =
      agent ? check_shape(*agent, expected) : Result<void>(Unexpected(agent.error()));
  if (!fits) return fail("{}: {}", path, fits.error().message);
  return agent;
}

}  // namespace dovetail
