// SPDX-License-Identifier: Apache-2.0
// A model that was tuned, as a library: what it computes, what it holds, what is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/stat.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>
#include <span>

#include "campaign/run/npy.h"
#include "core/record/line/log_line.h"
#include "tests/models/network_builder.h"
#include "tests/models/onnx_export.h"
#include "tests/support/right.h"
#include "tests/support/shell.h"
#include "tests/tools/packaged_model.h"
#include "tests/tools/run_program.h"

#if DOVETAIL_HAVE_ONNX && DOVETAIL_HAVE_LLVM

namespace dovetail {
namespace {

using Json = nlohmann::json;
using testing::content_of_file;
using testing::expect_success;
using testing::has_program;
using testing::kWarnings;
using testing::ProgramRun;
using testing::right;
using testing::run_dovetail;
using testing::run_shell;
using testing::ShellRun;
using testing::TemporaryFolder;

// Two outputs, a tail, a Winograd's convolution, a region without a product.
Graph small_network() {
  NetworkBuilder net("net", 18);
  const TensorId x = net.input("image:0", {1, 16, 12, 12});
  const TensorId c = net.relu("relu", net.convolution("c1", x, {16, {3, 3}, {1, 1}, {1, 1}}));
  const TensorId pooled = net.max_pool("pool", c, {16, {2, 2}, {2, 2}, {0, 0}});
  const TensorId y = net.convolution("c2", net.tanh("tanh", pooled), {32, {1, 1}, {1, 1}, {0, 0}});
  return net.finish({pooled, y});
}

class BuildVerb : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    shared_folder = new TemporaryFolder;
    ASSERT_TRUE(export_onnx(small_network(), shared_folder->path("net.onnx")));
    const ProgramRun tuned = run_dovetail(
        {"tune", "net.onnx", "--log", "a.jsonl", "--schedule", "gradient", "--total-trials", "8"},
        *shared_folder);
    ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
    const ProgramRun chosen = run_dovetail(
        {"run", "net.onnx", "--log", "a.jsonl", "--variant", "global"}, *shared_folder);
    ASSERT_EQ(chosen.exit_code, 0) << chosen.err;
    std::vector<float> numbers(16 * 12 * 12);
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::sin(0.7F * static_cast<float>(i));
    std::filesystem::create_directory(shared_folder->path("in"));
    ASSERT_TRUE(write_npy(shared_folder->path("in/input_0.npy"),
                          NDArray(numbers).reshaped({1, 16, 12, 12})));
    const auto bytes = std::as_bytes(std::span(numbers));
    shared_folder->write(
        "in.bin", std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  static void TearDownTestSuite() {
    delete shared_folder;
    shared_folder = nullptr;
  }

  static ProgramRun build(const std::string& into, std::vector<std::string> more = {},
                          const std::string& log = "a.jsonl") {
    std::vector<std::string> arguments{"build",       "net.onnx", "--log", log,
                                       "--calibrate", "in",       "-o",    into};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_dovetail(arguments, *shared_folder);
  }

  // The outputs of `run` for the same input, one behind the other.
  static std::string bytes_of_run(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"run",      "net.onnx", "--log",     "a.jsonl",
                                       "--inputs", "in",       "--outputs", "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramRun run = run_dovetail(arguments, *shared_folder);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    std::string bytes;
    for (const char* file : {"out/output_0.npy", "out/output_1.npy"}) {
      const NDArray values = right(read_npy(shared_folder->path(file)));
      bytes.append(reinterpret_cast<const char*>(values.bytes().data()), values.bytes().size());
    }
    return bytes;
  }

  // The output of a package's example, with the driver of its library.
  static std::string bytes_of_package(const std::string& package, const std::string& weights) {
    expect_success(*shared_folder,
                   fmt::format("cc -std=c99 {0} -O1 -I{1}/include {1}/examples/main.c "
                               "{1}/lib/libnet.a -o {1}/main && {1}/main {2} in.bin > "
                               "{1}/out.bin",
                               kWarnings, package, weights));
    return content_of_file(shared_folder->path(package + "/out.bin"));
  }

  static TemporaryFolder* shared_folder;
};
TemporaryFolder* BuildVerb::shared_folder = nullptr;

TEST_F(BuildVerb, GivesTheBytesOfRun) {
  const ProgramRun built = build("p");
  ASSERT_EQ(built.exit_code, 0) << built.err;
  EXPECT_NE(built.out.find("0 family, 0 default"), std::string::npos) << built.out;
  EXPECT_NE(built.out.find(" of the file's head and padding\n"), std::string::npos) << built.out;
  EXPECT_EQ(bytes_of_package("p", "p/share/net/net.weights"), bytes_of_run());
}

// The package alone says which log, options and network it was built from.
TEST_F(BuildVerb, TellsItsOriginAsItsMetadataDoes) {
  const ProgramRun built = build("origin", {"--memory-limit", "50", "--json"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  Json told = Json::parse(built.out);
  const Json metadata =
      Json::parse(content_of_file(shared_folder->path("origin/share/net/metadata.json")));
  const std::string digest = run_shell(*shared_folder, "sha256sum < a.jsonl").output.substr(0, 64);
  EXPECT_EQ(told["log"], (Json{{"name", "a.jsonl"}, {"sha256", digest}}));
  EXPECT_EQ(told["variant"], "global");
  EXPECT_GT(told["chosen_seconds"], 0);
  EXPECT_GE(told["joint_seconds"], told["chosen_seconds"]);
  EXPECT_EQ(told["options"], (Json{{"exact", false},
                                   {"max_error", 1e-5},
                                   {"memory_limit_mb", 50.0},
                                   {"shapes", Json::array()},
                                   {"constants", Json::array()}}));
  for (const char* own : {"schema", "version", "written", "right", "files"}) told.erase(own);
  told["log"].erase("name");
  told["sizes"].erase("code_bytes");
  for (const auto& [key, value] : told.items()) EXPECT_EQ(metadata.at(key), value) << key;
}

TEST_F(BuildVerb, HasRecordsThatShowFindsInItsLog) {
  const ProgramRun built = build("", {"--variant", "joint", "--dry-run", "--json"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  const Json told = Json::parse(built.out);
  int64_t found = 0;
  for (const Json& call : told["calls"]) {
    if (call["record"].is_null()) continue;
    ++found;
    const std::string record = call["record"].get<std::string>();
    const ProgramRun shown =
        run_dovetail({"show", "a.jsonl" + record, "--what", "trace"}, *shared_folder);
    EXPECT_EQ(shown.out, call["trace"].get<std::string>()) << record << shown.err;
  }
  EXPECT_GT(found, 0);
}

TEST_F(BuildVerb, TakesTheVariantThatIsAskedFor) {
  for (const char* variant : {"joint", "default"}) {
    ASSERT_EQ(build(variant, {"--variant", variant}).exit_code, 0);
    EXPECT_EQ(bytes_of_package(variant, fmt::format("{}/share/net/net.weights", variant)),
              bytes_of_run({"--variant", variant}));
  }
}

TEST_F(BuildVerb, GivesThemInEachForm) {
  const std::string expected = bytes_of_run();
  const std::vector<std::pair<std::vector<std::string>, std::string>> forms = {
      {{"--weights", "embed"}, ""},
      {{"--workspace", "internal"}, "share/net/net.weights"},
      {{"--workspace", "internal", "--weights", "embed"}, ""},
      {{"--pool", "sram:size=16384", "--pool", "dram"}, "share/net/net.weights"},
      {{"--constants-pool", "itcm:size=4096", "--constants-pool", "flash:align=4096"},
       "share/net/net.itcm.weights {0}/share/net/net.flash.weights"},
      {{"--algorithm", "greedy_by_size"}, "share/net/net.weights"}};
  for (size_t i = 0; i < forms.size(); ++i) {
    const std::string package = fmt::format("form{}", i);
    const ProgramRun built = build(package, forms[i].first);
    ASSERT_EQ(built.exit_code, 0) << built.err;
    const std::string weights =
        forms[i].second.empty() ? "" : fmt::format(fmt::runtime("{0}/" + forms[i].second), package);
    EXPECT_EQ(bytes_of_package(package, weights), expected) << fmt::format("{}", i);
  }
}

TEST_F(BuildVerb, LeavesFastAlgorithmsOutOnRequest) {
  const ProgramRun built = build("exact", {"--exact", "--json"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  const Json summary = Json::parse(built.out);
  ASSERT_FALSE(summary["accuracy"].empty());
  for (const Json& region : summary["accuracy"]) {
    EXPECT_TRUE(region["algorithm"].is_null());
    EXPECT_TRUE(region["vector_functions"]) << "the network's tanh";
    EXPECT_LT(region["range_error"], 1e-6);
  }
  EXPECT_EQ(bytes_of_package("exact", "exact/share/net/net.weights"), bytes_of_run({"--exact"}));
}

TEST_F(BuildVerb, NeedsNoLibraryButMemcpy) {
  ASSERT_EQ(build("symbols").exit_code, 0);
  const ShellRun needed = run_shell(
      *shared_folder, "cd symbols && ld -r --whole-archive lib/libnet.a -o all.o && nm -u all.o");
  EXPECT_EQ(needed.output, "                 U memcpy\n");
  const ShellRun defined = run_shell(
      *shared_folder,
      "cd symbols && cc -shared -Wl,--whole-archive lib/libnet.a "
      "-Wl,--no-whole-archive -o net.so && "
      "nm -D --defined-only net.so | awk '{print $3}' | grep -v '^net_init_' | tr '\\n' ' '");
  EXPECT_EQ(
      defined.output,
      "net_abi net_check_weights net_init net_map_inputs net_map_outputs net_metadata net_run "
      "net_status_text ");
  const ShellRun written =
      run_shell(*shared_folder,
                "cd symbols && size -A all.o | awk '$1 ~ /^\\.(data|bss|tdata|tbss)$/ && $2 > 0'");
  EXPECT_EQ(written.output, "");
}

// A variable for the programs that are started while this lives; later tests have the old one.
class EnvironmentWith {
 public:
  EnvironmentWith(const char* name, const char* value) : name_(name) {
    if (const char* before = getenv(name)) before_ = before;
    setenv(name, value, 1);
  }
  EnvironmentWith(const EnvironmentWith&) = delete;
  EnvironmentWith& operator=(const EnvironmentWith&) = delete;
  ~EnvironmentWith() {
    if (before_)
      setenv(name_, before_->c_str(), 1);
    else
      unsetenv(name_);
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST_F(BuildVerb, GivesTheSameBytesWhereverAndWheneverItRuns) {
  ASSERT_EQ(build("once").exit_code, 0);
  expect_success(*shared_folder,
                 "mkdir -p elsewhere && cp net.onnx elsewhere/other.onnx && "
                 "cp a.jsonl elsewhere/b.jsonl && cp -r in elsewhere/numbers");
  const ProgramRun kept = [] {
    const EnvironmentWith zone("TZ", "Pacific/Chatham"), locale("LC_ALL", "tr_TR.UTF-8"),
        home("HOME", "/nowhere");
    return run_dovetail({"build", "elsewhere/other.onnx", "--log", "elsewhere/b.jsonl",
                         "--calibrate", "elsewhere/numbers", "--name", "net", "-o", "twice"},
                        *shared_folder);
  }();
  ASSERT_EQ(kept.exit_code, 0) << kept.err;
  expect_success(*shared_folder, "diff -r once twice");
}

TEST_F(BuildVerb, GivesTheSameBytesOnOneCore) {
  ASSERT_EQ(build("cores").exit_code, 0);
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  for (int core = 0; CPU_COUNT(&one) == 0; ++core)
    if (CPU_ISSET(core, &before)) CPU_SET(core, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const mode_t mask = umask(077);
  const ProgramRun built = build("core");
  umask(mask);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
  ASSERT_EQ(built.exit_code, 0) << built.err;
  expect_success(*shared_folder, "diff -r cores core");
}

TEST_F(BuildVerb, IsForAnotherCpuThatRunsHere) {
  const ProgramRun built = build("v3", {"--target", "cpu:arch=x86-64-v3", "--json"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  EXPECT_EQ(Json::parse(built.out)["matches"]["exact"], 0);
  const ProgramRun strict = build("", {"--target", "cpu:arch=x86-64-v3", "--dry-run", "--strict"});
  EXPECT_EQ(strict.exit_code, 3);
  EXPECT_NE(strict.err.find("variant joint, as a.jsonl keeps no network"), std::string::npos);
  EXPECT_EQ(strict.err.find("by measuring"), std::string::npos)
      << "not on this host: " << strict.err;
  EXPECT_NE(strict.err.find("; the record nearest to "), std::string::npos) << strict.err;
  EXPECT_NE(strict.err.find("a.jsonl#1."), std::string::npos) << strict.err;
  const std::string here = bytes_of_run(),
                    there = bytes_of_package("v3", "v3/share/net/net.weights");
  ASSERT_EQ(here.size(), there.size());
  for (size_t i = 0; i < here.size(); i += sizeof(float)) {
    float a = 0, b = 0;
    std::memcpy(&a, &here[i], sizeof a);
    std::memcpy(&b, &there[i], sizeof b);
    ASSERT_NEAR(a, b, 1e-4);
  }
}

// The network that was tuned here, built by whoever has the log and knows the CPU's name.
TEST_F(BuildVerb, TakesAnotherCpusFactsAndRecordsFromTheLog) {
  const std::string first = content_of_file(shared_folder->path("a.jsonl"));
  const Json header = Json::parse(first.substr(0, first.find('\n')));
  const std::string cpu = header["device"]["llvm_cpu"];
  const ProgramRun named = build("", {"--dry-run", "--target", "cpu:arch=" + cpu, "--json"});
  ASSERT_EQ(named.exit_code, 0) << named.err;
  const ProgramRun here = build("", {"--dry-run", "--json"});
  ASSERT_EQ(here.exit_code, 0) << here.err;
  EXPECT_EQ(Json::parse(named.out)["id"], Json::parse(here.out)["id"]);
}

// LLVM may name this host after an older CPU, of which it has more than all features.
TEST_F(BuildVerb, AsksForNoFeatureThatItsCodeDoesNotUse) {
  ASSERT_EQ(build("used").exit_code, 0);
  const std::string header = content_of_file(shared_folder->path("used/include/net.h"));
  for (const char* of_no_f32 : {"avx512bf16", "avx512fp16", "avxvnni"})
    EXPECT_EQ(header.find(of_no_f32), std::string::npos) << header.substr(0, 500);
}

TEST_F(BuildVerb, AsksForTheFeaturesThatItsCodeUses) {
  const std::string log = content_of_file(shared_folder->path("a.jsonl"));
  const size_t end = log.find('\n');
  std::string header = right(open_line(log.substr(0, end)));
  const std::string cpu = Json::parse(header)["device"]["llvm_cpu"], key = "\"llvm_cpu\":\"";
  header.replace(header.find(key + cpu) + key.size(), cpu.size(), "x86-64-v2");
  shared_folder->write("renamed.jsonl", seal_line(header) + "\n");  // without records
  const ProgramRun built = build("renamed", {"--target", "cpu:arch=x86-64-v2"}, "renamed.jsonl");
  ASSERT_EQ(built.exit_code, 0) << built.err;
  const std::string text = content_of_file(shared_folder->path("renamed/include/net.h"));
  EXPECT_NE(text.find("Needs more than x86-64-v2 has: "), std::string::npos) << text.substr(0, 500);
  const Json metadata =
      Json::parse(content_of_file(shared_folder->path("renamed/share/net/metadata.json")));
  EXPECT_EQ(std::ranges::count(metadata["target"]["features"], "avx2"), 1);
}

TEST_F(BuildVerb, NamesNoFeatureThatTheNamedCpuHas) {
  for (const std::string cpu : {"x86-64-v3", "x86-64-v4", "skylake-avx512"}) {
    const ProgramRun built = build(cpu, {"--target", "cpu:arch=" + cpu});
    ASSERT_EQ(built.exit_code, 0) << built.err;
    const std::string header = content_of_file(shared_folder->path(cpu + "/include/net.h"));
    EXPECT_NE(header.find(cpu), std::string::npos);
    EXPECT_EQ(header.find("Needs more than"), std::string::npos) << header.substr(0, 1500);
  }
}

TEST_F(BuildVerb, ChoosesAmongInstructionSets) {
  const ProgramRun built =
      build("sets", {"--target", "cpu:arch=x86-64-v2", "--target", "cpu:arch=x86-64-v3", "--json"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  ASSERT_EQ(build("v3_alone", {"--target", "cpu:arch=x86-64-v3"}).exit_code, 0);
  const Json metadata =
      Json::parse(content_of_file(shared_folder->path("sets/share/net/metadata.json")));
  EXPECT_EQ(metadata["variants"][0]["label"], "v3") << "the best first";
  EXPECT_EQ(metadata["variants"][1]["label"], "v2");
  EXPECT_EQ(bytes_of_package("sets", "sets/share/net/net.weights"),
            bytes_of_package("v3_alone", "v3_alone/share/net/net.weights"));
  const ProgramRun twice =
      build("twice_v3", {"--target", "cpu:arch=x86-64-v3", "--target", "cpu:arch=x86-64-v3"});
  EXPECT_EQ(twice.exit_code, 1);
  EXPECT_NE(twice.err.find("ask the processor for the same"), std::string::npos) << twice.err;
  const ProgramRun apart =
      build("apart", {"--target", "cpu:arch=x86-64-v3", "--target", "cpu:arch=cortex-a76"});
  EXPECT_NE(apart.err.find("chooses between x86-64 processors alone"), std::string::npos);
}

// The code that was tuned here, and code for whatever else comes.
TEST_F(BuildVerb, HasAFallbackForThisCpu) {
  const ProgramRun built =
      build("here_or_v2", {"--target", "cpu:arch=x86-64-v2", "--target", "cpu"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  const Json metadata =
      Json::parse(content_of_file(shared_folder->path("here_or_v2/share/net/metadata.json")));
  EXPECT_EQ(metadata["variants"][1]["label"], "v2") << "the best first";
  EXPECT_GT(metadata["matches"]["exact"], 0);
  EXPECT_TRUE(std::regex_search(built.out, std::regex("\nmatches     \\w+: [0-9]+ exact.*"
                                                      "\n            v2: 0 exact")))
      << built.out;
  EXPECT_EQ(bytes_of_package("here_or_v2", "here_or_v2/share/net/net.weights"), bytes_of_run());
}

TEST_F(BuildVerb, SharesLoopsThatWereTunedForSeveralThreads) {
  ASSERT_EQ(build("threads", {"--target", "cpu:threads=2"}).exit_code, 0);
  expect_success(*shared_folder,
                 fmt::format("cd threads/examples && c++ -std=c++20 {} -O1 -I../include threads.cc "
                             "../lib/libnet.a -o threads -pthread && "
                             "./threads ../share/net/net.weights ../../in.bin > out.bin",
                             kWarnings));
  EXPECT_EQ(content_of_file(shared_folder->path("threads/examples/out.bin")),
            bytes_of_package("threads", "threads/share/net/net.weights"));
}

TEST_F(BuildVerb, NeedsOfALogWhatDistillKeeps) {
  const ProgramRun distilled =
      run_dovetail({"log", "distill", "a.jsonl", "-o", "small.jsonl"}, *shared_folder);
  ASSERT_EQ(distilled.exit_code, 0) << distilled.err;
  ASSERT_EQ(build("of_all").exit_code, 0);
  ASSERT_EQ(build("of_small", {}, "small.jsonl").exit_code, 0);
  expect_success(*shared_folder,
                 "cmp of_all/lib/libnet.a of_small/lib/libnet.a && "
                 "cmp of_all/share/net/net.weights of_small/share/net/net.weights");
}

TEST_F(BuildVerb, IsForAnotherProcessor) {
  const ProgramRun built = build("arm", {"--target", "cpu:arch=cortex-a76"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  EXPECT_NE(built.out.find("not measured"), std::string::npos) << built.out;
  if (!has_program("aarch64-linux-gnu-gcc")) GTEST_SKIP() << "needs aarch64-linux-gnu-gcc";
  expect_success(*shared_folder,
                 "aarch64-linux-gnu-gcc -static -Iarm/include arm/examples/main.c "
                 "arm/lib/libnet.a -o arm/main");
}

TEST_F(BuildVerb, SaysWhatItWouldDoAndWritesNothing) {
  const ProgramRun said = build("dry", {"--dry-run"});
  ASSERT_EQ(said.exit_code, 0) << said.err;
  EXPECT_NE(said.out.find("nothing is written"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(shared_folder->path("dry")));
}

TEST_F(BuildVerb, IsStrictOnRequest) {
  EXPECT_EQ(build("strict", {"--strict"}).exit_code, 0);
  const ProgramRun foreign =
      build("foreign", {"--strict", "--variant", "joint", "--target", "cpu:arch=cortex-a76"});
  EXPECT_EQ(foreign.exit_code, 3);
  const std::string reason = "device family is ";
  const size_t said = foreign.err.find(reason);
  ASSERT_NE(said, std::string::npos) << foreign.err;
  EXPECT_EQ(foreign.err.find(reason, said + 1), std::string::npos) << "said once: " << foreign.err;
  EXPECT_NE(foreign.err.find(" calls (convert.image:0, c1, "), std::string::npos) << foreign.err;
  const ProgramRun missed = build("none", {"--strict"}, "");
  EXPECT_EQ(missed.exit_code, 3);
  EXPECT_NE(missed.err.find("without an exact record; nothing is written"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(shared_folder->path("none")));
}

TEST_F(BuildVerb, ReplacesAPackageOnRequestOnly) {
  ASSERT_EQ(build("again").exit_code, 0);
  EXPECT_EQ(build("again").exit_code, 1);
  EXPECT_EQ(build("again", {"--force"}).exit_code, 0);
}

// The CPU decides whether the network that the log keeps has Winograd's algorithm.
TEST_F(BuildVerb, TakesTheKeptNetworkAsExactOnlyWhereItIs) {
  const ProgramRun run = build("kept_exact", {"--variant", "global", "--exact"});
  const std::string expected = run.exit_code == 0
                                   ? "chosen without --exact, yet its traces are exact"
                                   : "keeps no network of variant global";
  EXPECT_NE(run.err.find(expected), std::string::npos) << run.exit_code << ": " << run.err;
  EXPECT_EQ(std::filesystem::exists(shared_folder->path("kept_exact")), run.exit_code == 0);
}

TEST_F(BuildVerb, RefusesWhatMakesNoPackage) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> refused = {
      {{"--name", "class"}, "class"},
      {{"--name", ""}, "package name \"\" is no C identifier"},
      {{"--name", "a-b"}, "a-b"},
      {{"--weights", "flash"}, "--weights flash found; expected file or embed"},
      {{"--workspace", "heap"}, "--workspace heap found; expected caller or internal"},
      {{"--algorithm", "best"}, "best"},
      {{"--pool", "a:size=64"}, "too small"},
      {{"--pool", "a:align=32"}, "32"},
      {{"--pool", "a:access=ro"}, "read-only"},
      {{"--variant", "fastest"}, "unknown variant 'fastest'"},
      {{"--target", "cpu:arch=z80"}, "z80"},
      {{"--system", "beos"}, "unknown system beos; expected linux, macos or windows"},
      {{"--target", "opencl:nowhere"}, "nowhere"},
      {{"--max-error", "2"}, "2"},
      {{"--memory-limit", "0.001"}, "--memory-limit"}};
  for (const auto& [options, message] : refused) {
    const ProgramRun run = build("refused", options);
    EXPECT_EQ(run.exit_code, 1) << options[0] << options[1] << run.out;
    EXPECT_NE(run.err.find(message), std::string::npos) << options[0] << ": " << run.err;
    EXPECT_FALSE(std::filesystem::exists(shared_folder->path("refused"))) << options[0];
  }
  const ProgramRun nowhere = run_dovetail({"build", "net.onnx"}, *shared_folder);
  EXPECT_EQ(nowhere.exit_code, 1);
  EXPECT_NE(nowhere.err.find("no folder given"), std::string::npos) << nowhere.err;
  const ProgramRun uncalibrated = run_dovetail(
      {"build", "net.onnx", "-o", "refused", "--calibrate", "nowhere"}, *shared_folder);
  EXPECT_EQ(uncalibrated.exit_code, 1);
  EXPECT_NE(uncalibrated.err.find("cannot read nowhere"), std::string::npos) << uncalibrated.err;
}

}  // namespace
}  // namespace dovetail

#endif
