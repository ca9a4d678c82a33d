// SPDX-License-Identifier: Apache-2.0
// Packages for other systems: they cannot run here, so the test reads back the symbols that they
// define and those that they need from that system's C library.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/codegen/llvm/object_symbols.h"
#include "tests/support/right.h"
#include "tests/tools/packaged_model.h"

#if DOVETAIL_HAVE_ONNX && DOVETAIL_HAVE_LLVM

namespace dovetail {
namespace {

using testing::content_of_file;
using testing::PackagedModel;
using testing::right;

// Symbols of all objects of a static library: GNU's, Darwin's and Microsoft's are alike but for
// names, of which Darwin's stand before the object.
std::vector<ObjectSymbol> symbols_of_library(std::string_view bytes) {
  constexpr size_t kHeader = 60, kSizeAt = 48;
  std::vector<ObjectSymbol> all;
  EXPECT_TRUE(bytes.starts_with("!<arch>\n"));
  for (size_t at = 8; at + kHeader <= bytes.size();) {
    const std::string name(bytes.substr(at, 16));
    const size_t size = std::stoul(std::string(bytes.substr(at + kSizeAt, 10)));
    const size_t own_name = name.starts_with("#1/") ? std::stoul(name.substr(3)) : 0;
    std::string_view object = bytes.substr(at + kHeader, size);
    object.remove_prefix(own_name);
    at += kHeader + size + size % 2;
    const bool is_table = name[0] == '/' && (name[1] == ' ' || name[1] == '/');
    if (is_table || object.starts_with("__.SYMDEF") || name.starts_with("__.SYMDEF")) continue;
    const Result<std::vector<ObjectSymbol>> found = object_symbols(std::string(object));
    if (found) all.insert(all.end(), found->begin(), found->end());
  }
  return all;
}

struct System {
  const char *name, *arch, *library, *underscore, *cmake;
  std::vector<std::string> given;  // by the system's own C library
};

class BuildForSystems : public ::testing::TestWithParam<System> {};

TEST_P(BuildForSystems, NeedsOnlyItsCLibrary) {
  const System& system = GetParam();
  const PackagedModel model("mobilenet_v2-small");
  model.build("p", {"--system", system.name, "--target", fmt::format("cpu:arch={}", system.arch)});
  const std::string library = content_of_file(model.folder().path(system.library));
  const std::vector<ObjectSymbol> symbols = symbols_of_library(library);
  const auto is_defined = [&](const std::string& name) {
    return std::ranges::any_of(
        symbols, [&](const ObjectSymbol& symbol) { return symbol.defined && symbol.name == name; });
  };
  for (const char* function : {"net_init", "net_run", "net_check_weights", "net_status_text"})
    EXPECT_TRUE(std::ranges::any_of(symbols, [&](const ObjectSymbol& symbol) {
      return symbol.defined && symbol.name.starts_with(std::string(system.underscore) + function);
    })) << function;
  for (const ObjectSymbol& symbol : symbols)
    if (!symbol.defined) {
      EXPECT_TRUE(is_defined(symbol.name) || std::ranges::count(system.given, symbol.name) == 1)
          << symbol.name;
    }
  const std::string config =
      content_of_file(model.folder().path("p/lib/cmake/net/net-config.cmake"));
  EXPECT_NE(config.find(system.cmake), std::string::npos) << config;
}

INSTANTIATE_TEST_SUITE_P(
    Systems, BuildForSystems,
    ::testing::Values(
        System{"macos", "cortex-a76", "p/lib/libnet.a", "_", "Darwin", {"_memcpy", "_bzero"}},
        System{"macos", "x86-64-v3", "p/lib/libnet.a", "_", "Darwin", {"_memcpy", "___bzero"}},
        System{"windows",
               "x86-64-v3",
               "p/lib/net.lib",
               "",
               "Windows",
               {"memcpy", "memset", "_fltused", "__chkstk"}},
        System{"windows",
               "neoverse-n1",
               "p/lib/net.lib",
               "",
               "Windows",
               {"memcpy", "memset", "_fltused", "__chkstk"}},
        System{"linux", "cortex-a55", "p/lib/libnet.a", "", "Linux", {"memcpy", "memset"}}),
    [](const auto& info) {
      return testing::name_of_test(fmt::format("{}-{}", info.param.name, info.param.arch));
    });

}  // namespace
}  // namespace dovetail

#endif
