// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include <filesystem>

#include "core/base/beside_program.h"
#include "core/base/fail.h"
#include "search/agent/agent.h"

namespace dovetail {
namespace {

constexpr const char* kLibrary = "libdovetail-agent.so";
using MakeAgent = Agent* (*)(const AgentOptions&);

Result<void> check(const AgentOptions& options) {
  const struct {
    const char* name;
    double value;
  } positive[] = {{"state_size", static_cast<double>(options.state_size)},
                  {"actors", static_cast<double>(options.actors)},
                  {"hidden", static_cast<double>(options.hidden)},
                  {"learning_rate", options.learning_rate},
                  {"clip", options.clip},
                  {"epochs", static_cast<double>(options.epochs)},
                  {"minibatch", static_cast<double>(options.minibatch)}};
  for (const auto& [name, value] : positive)
    if (!(value > 0)) return fail("agent: {} is {}, expected more than 0", name, value);
  return {};
}

Result<std::filesystem::path> find_library() {
  if (const auto library = find_beside_program(kLibrary)) return *library;
  return fail(
      "strategy ppo is not in this build: {} has no {}; run scripts/install-dependencies, "
      "configure with -DDOVETAIL_TORCH=ON and build the target dovetail-agent",
      program_folder().string(), kLibrary);
}

// Never unloaded: LibTorch's threads and registries outlive any agent.
Result<MakeAgent> maker() {
  static Result<MakeAgent> loaded = []() -> Result<MakeAgent> {
    const std::filesystem::path path = TRY(find_library());
    void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return fail("cannot load {}", ::dlerror());
    void* symbol = ::dlsym(library, "dovetail_make_agent");
    if (symbol == nullptr) return fail("{} has no agent", path.string());
    return reinterpret_cast<MakeAgent>(symbol);
  }();
  return loaded;
}

}  // namespace

Result<void> agent_available() {
  TRY(find_library());
  return {};
}

Result<std::unique_ptr<Agent>> load_agent(const AgentOptions& options) {
  TRY(check(options));
  return std::unique_ptr<Agent>(TRY(maker())(options));
}

}  // namespace dovetail
