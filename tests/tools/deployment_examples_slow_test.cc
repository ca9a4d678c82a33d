// SPDX-License-Identifier: Apache-2.0
//
// The programs of docs/deployment.md, compiled as their head comments say, on the small forms
// of their networks: the four uses of TVM's USMP are among them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "campaign/run/npy.h"
#include "tests/models/onnx_export.h"
#include "tests/models/sample_models.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"
#include "tests/support/shell.h"
#include "tests/tools/run_program.h"

#if DOVETAIL_HAVE_ONNX && DOVETAIL_HAVE_LLVM

namespace dovetail {
namespace {

using testing::expect_success;
using testing::has_program;
using testing::kWarnings;
using testing::ProgramRun;
using testing::right;
using testing::run_dovetail;
using testing::run_shell;
using testing::ShellRun;
using testing::TemporaryFolder;

class DeploymentExamples : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    shared_folder = new TemporaryFolder;
    for (const char* name : {"resnet18", "bert_tiny"})
      ASSERT_TRUE(export_onnx(right(build_sample_model(std::string(name) + "-small", 18)),
                              shared_folder->path(std::string(name) + ".onnx")));
    const auto examples = testing::source_dir() / "docs/examples/deployment";
    for (const auto& entry : std::filesystem::directory_iterator(examples))
      std::filesystem::copy(entry.path(), shared_folder->folder());
    const Graph graph = right(build_sample_model("resnet18-small", 18));
    const std::vector<int64_t> shape = *graph.tensors[static_cast<size_t>(graph.inputs[0])].shape;
    std::vector<float> image(static_cast<size_t>(num_elements(shape)));
    for (size_t i = 0; i < image.size(); ++i) image[i] = static_cast<float>(i % 17) / 8 - 1;
    std::filesystem::create_directory(shared_folder->path("in"));
    const NDArray array = NDArray(image).reshaped(shape);
    ASSERT_TRUE(write_npy(shared_folder->path("in/input_0.npy"), array));
    shared_folder->write(
        "image.bin", {reinterpret_cast<const char*>(array.bytes().data()), array.bytes().size()});
    const ProgramRun run = run_dovetail(
        {"run", "resnet18.onnx", "--inputs", "in", "--outputs", "out"}, *shared_folder);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const NDArray scores = right(read_npy(shared_folder->path("out/output_0.npy")));
    const std::span<const float> values = scores.as<float>();
    const auto best = std::ranges::max_element(values);
    expected_score = fmt::format("score of class 0: {:.9g}", values[0]);
    expected_class = fmt::format("class {}, score {:.9g}\n", best - values.begin(), *best);
    build("resnet18", "resnet18", {});
    build("bert_tiny", "bert_tiny", {});
  }
  static void TearDownTestSuite() {
    delete shared_folder;
    shared_folder = nullptr;
  }

  static void build(const std::string& model, const std::string& into,
                    std::vector<std::string> more) {
    std::vector<std::string> arguments{"build", model + ".onnx", "-o", into};
    if (model == "resnet18") {
      arguments.emplace_back("--calibrate");
      arguments.emplace_back("in");
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramRun built = run_dovetail(arguments, *shared_folder);
    ASSERT_EQ(built.exit_code, 0) << built.err;
  }

  static std::string output_of(const std::string& commands) {
    const ShellRun run = run_shell(*shared_folder, commands);
    EXPECT_EQ(run.exit_code, 0) << run.output;
    return run.output;
  }
  static std::string output_of(const std::string& source, const std::string& packages,
                               const std::string& arguments, const char* standard = "c11") {
    std::string command = fmt::format("cc -std={} {} -O2 {}.c", standard, kWarnings, source);
    for (const std::string_view package : {"resnet18", "bert_tiny", "own", "pools"}) {
      if (packages.find(package) == std::string::npos) continue;
      const std::string_view library = package == "bert_tiny" ? "bert_tiny" : "resnet18";
      command += fmt::format(" -I{0}/include {0}/lib/lib{1}.a", package, library);
    }
    return output_of(command + fmt::format(" -o {0}.out && ./{0}.out {1}", source, arguments));
  }

  static TemporaryFolder* shared_folder;
  static std::string expected_score, expected_class;
};
TemporaryFolder* DeploymentExamples::shared_folder = nullptr;
std::string DeploymentExamples::expected_score, DeploymentExamples::expected_class;

constexpr const char* kWeights = "resnet18/share/resnet18/resnet18.weights image.bin";

TEST_F(DeploymentExamples, Classify) {
  EXPECT_EQ(output_of("classify", "resnet18", kWeights), expected_class);
}

TEST_F(DeploymentExamples, OwnWorkspace) {
  build("resnet18", "own", {"--workspace", "internal", "--weights", "embed"});
  EXPECT_EQ(output_of("own_workspace", "own", "image.bin", "c99"), expected_score + "\n");
}

TEST_F(DeploymentExamples, SharedWorkspace) {
  const std::string output = output_of("shared_workspace", "resnet18 bert_tiny",
                                       "resnet18/share/resnet18/resnet18.weights "
                                       "bert_tiny/share/bert_tiny/bert_tiny.weights image.bin");
  EXPECT_EQ(output.substr(0, expected_score.size()), expected_score);
}

TEST_F(DeploymentExamples, Pools) {
  build("resnet18", "pools",
        {"--pool", "sram:size=4096", "--pool", "dram", "--constants-pool", "flash"});
  const std::string weights = "pools/share/resnet18/resnet18.weights image.bin";
  EXPECT_EQ(output_of("pools", "pools", weights), expected_score + "\n");
  build("resnet18", "pools",
        {"--pool", "sram:size=67108864", "--pool", "dram", "--constants-pool", "flash", "--force"});
  EXPECT_EQ(output_of("pools", "pools", weights), expected_score + "\n") << "dram has no bytes";
}

TEST_F(DeploymentExamples, Inside) {
  EXPECT_EQ(output_of("inside", "resnet18", kWeights), expected_score + "\n");
}

// from_python.py with a package of that name in that folder.
std::string python_on(const std::string& package, const std::string& name) {
  return fmt::format(
      "cc -shared -Wl,--whole-archive {0}/lib/lib{1}.a -Wl,--no-whole-archive -o lib{0}.so && "
      "python3 from_python.py ./lib{0}.so {0}/share/{1} image.bin",
      package, name);
}

TEST_F(DeploymentExamples, FromPython) {
  EXPECT_EQ(output_of(python_on("resnet18", "resnet18")), expected_score + "\n");
  build("resnet18", "other", {"--name", "other", "--workspace", "internal"});
  EXPECT_EQ(output_of(python_on("other", "other")), expected_score + "\n");
}

TEST_F(DeploymentExamples, FromPythonSaysWhichPackagesItIsNotFor) {
  struct Case {
    std::vector<std::string> options;
    std::string output;
  };
  const Case cases[] = {
      {{"--pool", "sram:size=4096", "--pool", "dram"},
       "resnet18: 2 pools of temporaries, expected one\n"},
      {{"--weights", "embed"},
       "resnet18: its weights are in the library, expected a file resnet18.weights (build without "
       "--weights embed)\n"}};
  for (const Case& other : cases) {
    build("resnet18", "unlike", other.options);
    const ShellRun run = run_shell(*shared_folder, python_on("unlike", "resnet18"));
    EXPECT_EQ(run.output, other.output);
    EXPECT_EQ(run.exit_code, 1);
    expect_success(*shared_folder, "rm -r unlike");
  }
  const ShellRun ids = run_shell(*shared_folder, python_on("bert_tiny", "bert_tiny"));
  EXPECT_EQ(ids.output.substr(0, 11), "bert_tiny: ") << ids.output;
  EXPECT_EQ(ids.exit_code, 1);
  const ShellRun apart = run_shell(
      *shared_folder, "python3 from_python.py ./libbert_tiny.so resnet18/share/resnet18 image.bin");
  EXPECT_EQ(apart.output,
            "./libbert_tiny.so: has no resnet18_init, expected the library of package resnet18\n");
}

// One line each that says what is wrong, and an exit code.
TEST_F(DeploymentExamples, SayWhatIsWrong) {
  expect_success(*shared_folder,
                 "cc -O1 -Iresnet18/include classify.c resnet18/lib/libresnet18.a -o wrong.out && "
                 "cc -O1 -Iresnet18/include resnet18/examples/main.c resnet18/lib/libresnet18.a "
                 "-o wrong_main.out && touch empty && "
                 "cc -shared -Wl,--whole-archive resnet18/lib/libresnet18.a "
                 "-Wl,--no-whole-archive -o wrong.so && printf 0123456789 > ten.bin && "
                 "cat image.bin ten.bin > long.bin");
  const std::string bytes = std::to_string(
      std::filesystem::file_size(std::filesystem::path(shared_folder->path("image.bin"))));
  const std::string weights = "resnet18/share/resnet18/resnet18.weights";
  const std::string c = "./wrong.out", python = "python3 from_python.py ./wrong.so";
  struct Case {
    std::string command, output;
    int exit_code;
  };
  const Case cases[] = {
      {c, "usage: ./wrong.out resnet18.weights image.bin\n", 2},
      {c + " nosuch image.bin", "nosuch: cannot be read: No such file or directory\n", 1},
      {c + " resnet18 image.bin", "resnet18: cannot be read: Is a directory\n", 1},
      {"./wrong_main.out resnet18", "resnet18: cannot be read: it is a folder\n", 1},
      {"./wrong_main.out empty", "empty: cannot be read: it is empty\n", 1},
      {fmt::format("./wrong_main.out {} resnet18", weights),
       "resnet18: cannot be read: Is a directory\n", 1},
      {fmt::format("{} {} ten.bin", c, weights),
       fmt::format("ten.bin: 10 bytes found, expected {}\n", bytes), 1},
      {fmt::format("{} {} long.bin", c, weights),
       fmt::format("long.bin: more than {0} bytes found, expected {0}\n", bytes), 1},
      {python, "usage: from_python.py ./libresnet18.so resnet18/share/resnet18 image.bin\n", 2},
      {python + " resnet18/share/resnet18 ten.bin",
       fmt::format("ten.bin: 10 bytes found, expected {}\n", bytes), 1},
      {python + " nosuch image.bin",
       "nosuch/metadata.json: cannot be read: No such file or directory\n", 1}};
  for (const Case& wrong : cases) {
    const ShellRun run = run_shell(*shared_folder, wrong.command);
    EXPECT_EQ(run.output, wrong.output) << wrong.command;
    EXPECT_EQ(run.exit_code, wrong.exit_code) << wrong.command;
  }
}

TEST_F(DeploymentExamples, FoundByCMakeAndPkgConfig) {
  expect_success(*shared_folder,
                 "cmake -S . -B cmake -DCMAKE_PREFIX_PATH=$PWD/resnet18 && "
                 "cmake --build cmake");
  EXPECT_EQ(output_of(fmt::format("cmake/classify {}", kWeights)), expected_class);
  EXPECT_EQ(
      output_of(fmt::format("export PKG_CONFIG_PATH=$PWD/resnet18/lib/pkgconfig && "
                            "cc classify.c $(pkg-config --cflags --libs resnet18) -o found && "
                            "./found {}",
                            kWeights)),
      expected_class);
}

}  // namespace
}  // namespace dovetail

#endif
