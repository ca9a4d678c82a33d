// SPDX-License-Identifier: Apache-2.0
// Bad input: one line on stderr that names the thing, exit code 1, nothing on stdout, nothing
// written.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "costmodel/cost_models.h"
#include "search/strategies/strategies.h"
#include "tests/tools/run_program.h"

namespace dovetail {
namespace {

using testing::count_lines;
using testing::ProgramRun;
using testing::run_dovetail;
using testing::TemporaryFolder;

struct BadInput {
  std::vector<std::string> arguments;
  std::string message;  // part of the line
};

constexpr const char* kTinyGmm = "gmm:m=8,n=8,k=8";

void write_inputs(const TemporaryFolder& folder) {
  folder.write("garbage", "\x01\x02 nothing that\nanyone could \xff read\n");
  folder.write("garbage.onnx", "\x01\x02 no model \xff\n");
  folder.write("empty.onnx", "");
  folder.write("garbage.graph", "graph\nnode node node\n");
  folder.write("empty.txt", "# nothing but a comment\n");
  folder.write("twice.txt", "a = gmm:m=8,n=8,k=8\na = gmm:m=8,n=8,k=16\n");
  folder.write("wrong.txt", "a = gmm:m=8,n=8\n");
  folder.write("list.json", "[1, 2]\n");
  folder.write("typo.json", R"({"trails": 8})");
  folder.write("nested.json", R"({"trials": {"a": 8}})");
  folder.write("words.json", R"({"workloads": "gmm:m=8,n=8,k=8"})");
  folder.write("trace.txt", "loops: split(loop=m, factor=3)\n");
  folder.write("torn.txt", "layout X: split(axis=m\n");
  std::filesystem::create_directory(folder.folder() / "subfolder");
  std::filesystem::create_directory(folder.folder() / "arrays");
  folder.write("arrays/input_0.npy", "no array");
}

void expect_refused(const BadInput& input, const TemporaryFolder& folder) {
  std::string shown;
  for (const std::string& argument : input.arguments) shown += " " + argument;
  SCOPED_TRACE("dovetail" + shown);
  const std::vector<std::string> before = folder.files();
  const ProgramRun run = run_dovetail(input.arguments, folder);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(count_lines(run.err), 1u) << run.err;
  EXPECT_NE(run.err.find(input.message), std::string::npos)
      << "expected \"" << input.message << "\", got: " << run.err;
  EXPECT_EQ(folder.files(), before);
}

void expect_all_refused(const std::vector<BadInput>& inputs) {
  const TemporaryFolder folder;
  write_inputs(folder);
  for (const BadInput& input : inputs) expect_refused(input, folder);
}

// `tune SPEC --log new.jsonl OPTIONS`, where the options are what is wrong.
BadInput tune_with(std::vector<std::string> options, std::string message) {
  std::vector<std::string> arguments{"tune", kTinyGmm, "--log", "new.jsonl"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return {std::move(arguments), std::move(message)};
}

BadInput tune_workload(std::string workload, std::string message) {
  return {{"tune", std::move(workload), "--log", "new.jsonl"}, std::move(message)};
}

TEST(BadInput, OfTheVerb) {
  expect_all_refused({
      {{}, "no verb given"},
      {{"bruteforce"}, "bruteforce: 0 specs given, expected one"},
      {{"bruteforce", kTinyGmm}, "bruteforce: -o DIR is missing"},
      {{"tnue"},
       "unknown verb 'tnue'; expected one of: tune, replay, bench, run, build, show, log, "
       "bruteforce, "
       "pretrain, "
       "compare, report, plan, doctor"},
      {{"build", kTinyGmm}, "is no model; expected MODEL.onnx or MODEL.graph"},
      {{"compare", kTinyGmm, "-o", "out"}, "compare: --strategies is missing"},
      {{"compare", kTinyGmm, "--strategies", "random@none"}, "compare: -o DIR is missing"},
      {{"--verbose"}, "unknown option --verbose; expected a verb"},
      {{"log"}, "no action given"},
      {{"log", "burn", "a.jsonl"}, "unknown action 'burn'; expected one of: head, best, stats,"},
      {{"log", "migrate", "a.jsonl", "b.jsonl"}, "log migrate: 2 logs given, expected one"},
      {{"log", "export", "a.jsonl", "--format", "xml"}, "unknown --format 'xml'"},
      {{"log", "merge", "a.jsonl", "--format", "csv"}, "--format is of export"},
      {{"log", "merge", "a.jsonl", "--json"}, "--json needs -o FILE"},
      {{"log", "best", "a.jsonl", "-o", "b.jsonl"}, "-o is of distill, merge, migrate, export"},
      {{"log", "best"}, "no LOG given"},
  });
}

TEST(BadInput, IsAnsweredWithTheNearestWord) {
  expect_all_refused({
      {{"exprot"}, "did you mean export?"},
      {{"export"}, "did you mean build (a library) or log export (records)?"},
      {{"show", kTinyGmm, "--what", "nset"}, "did you mean nest?"},
      {{"log", "bst"}, "did you mean best?"},
      {{"run", "none.onnx", "--peer", "onnxruntim"}, "did you mean onnxruntime?"},
      {{"run", "none.onnx", "--variant", "glbal"}, "did you mean global?"},
      tune_with({"--variant", "glbal"}, "did you mean global?"),
      tune_with({"--cost-model", "xgbost"}, "did you mean xgboost?"),
      tune_with({"--cache", "col"}, "did you mean cold?"),
      tune_with({"--variant", "loop_only", "--layout", "nohw61o"}, "did you mean nohw16o?"),
      tune_with({"--strategy", "annealing:chain=2"}, "did you mean chains?"),
      {{"build"}, "0 models given, expected one; see dovetail build --help"},
  });
}

TEST(BadInput, OfOptions) {
  expect_all_refused({
      {{"tune", "--log", "new.jsonl"}, "no WORKLOAD given"},
      {{"tune", kTinyGmm}, "--log FILE is missing"},
      tune_with({"--trails", "8"}, "unknown option --trails"),
      tune_with({"--trials", "0"}, "found '0', expected a whole number of at least 1"),
      tune_with({"--trials", "many"}, "found 'many', expected a whole number"),
      tune_with({"--trials", "1e3"}, "found '1e3', expected a whole number"),
      tune_with({"--trials"}, "--trials"),
      tune_with({"--trials", "99999999999999999999"}, "found '99999999999999999999'"),
      tune_with({"--seconds", "-1"}, "found '-1', expected a positive number"),
      tune_with({"--seconds", "nan"}, "found 'nan', expected a positive number"),
      tune_with({"--patience", "0"}, "found '0', expected a whole number of at least 1"),
      tune_with({"--seed", "-1"}, "found '-1', expected a whole number of at least 0"),
      tune_with({"--seed", "18446744073709551616"}, "found '18446744073709551616'"),
      tune_with({"--strategy", "magic"}, "unknown strategy 'magic'; expected one of: random"),
      tune_with({"--strategy", "random:clip"}, "strategy option 'clip' is not of the form"),
      tune_with({"--cost-model", "oracle"},
                "unknown cost model 'oracle'; expected one of: none, random, roofline, xgboost"),
      tune_with({"--save-model", "m.model"},
                "--save-model: cost model none learns nothing; use --cost-model xgboost"),
      tune_with({"--variant", "global"},
                "variant global is how a network is put together; tune it as"),
      tune_with({"--variant", "loop_only"}, "loop_only needs --layout nohw, nhwo, hwon or nohw16o"),
      tune_with({"--variant", "loop_only", "--layout", "nchw"}, "unknown layout 'nchw'"),
      tune_with({"--layout", "nohw"}, "--layout nohw needs --variant loop_only or no_layouts"),
      tune_with({"--variant", "no_layouts"}, "no_layouts needs --layout nohw, nhwo"),
      tune_with({"--variant", "disjoint"}, "unknown variant 'disjoint'; expected one of: joint"),
      tune_with({"--resume", "--append"}, "--resume and --append exclude each other"),
      tune_with({"--schedule", "random"},
                "unknown --schedule 'random'; expected in_turn or gradient"),
      tune_with({"--schedule", "gradient"}, "--schedule gradient shares --total-trials N"),
      tune_with({"--total-trials", "9"}, "--total-trials and --total-seconds are what tasks share"),
      tune_with({"--shape", "x"}, "--shape x: expected NAME=1,3,224,224"),
      tune_with({"--shape", "x=1", "--shape", "x=2"}, "--shape names x twice"),
      tune_with({"--constant", "x"}, "--constant x: expected NAME=VALUE with a finite number"),
      tune_with({"--constant", "x=1", "--constant", "x=1"}, "--constant names x twice"),
      tune_with(
          {"--cache", "warm"},
          "tune --cache warm: expected one of: hot, cold, network, network:l3, network:memory"),
      tune_with({"--cache", "network", "--target", "opencl"},
                "tune --cache network: caches of target opencl cannot be emptied; expected a CPU "
                "target"),
      {{"replay", kTinyGmm, "--log", "a.jsonl", "--cache", "Hot"}, "replay --cache Hot: expected"},
      {{"bench", kTinyGmm, "--log", "none", "--cache", "l3"},
       "bench --cache l3: expected one of: hot"},
      tune_with({"--warm-start", "missing.model"}, "missing.model"),
      {{"replay", kTinyGmm}, "--log FILE or --trace FILE is missing"},
      {{"replay", kTinyGmm, "--log", "a.jsonl", "--trace", "trace.txt"},
       "both --log and --trace given"},
      {{"replay", kTinyGmm, "--trace", "trace.txt", "--strict"},
       "--strict is about matches of a log"},
      {{"bench", kTinyGmm}, "--log FILE is missing"},
      {{"bench", "--log", "a.jsonl"}, "no WORKLOAD given"},
      {{"replay", kTinyGmm, "--log", "new.jsonl", "--trials", "8"}, "unknown option --trials"},
      {{"doctor", "--loud"}, "unknown option --loud"},
      {{"doctor", "--target", "cpu"}, "--target needs --profile FILE"},
  });
}

TEST(BadInput, OfOutputsIsSaidBeforeTheWork) {
  expect_all_refused({
      {{"compare", kTinyGmm, "--strategies", "random@none", "-o", "garbage"},
       "cannot make garbage: "},
      {{"compare", kTinyGmm, "--strategies", "random@none", "-o", "/dev/null/out"},
       "cannot make /dev/null/out: Not a directory"},
  });
  if (make_cost_model("xgboost", {})) {
    expect_all_refused({tune_with({"--cost-model", "xgboost", "--save-model", "no/m.model"},
                                  "cannot write no/m.model.part: No such file or directory")});
  }
}

TEST(BadInput, OfWhatThisBuildLacks) {
  const bool has_agent = check_available(*parse_strategy("ppo")).has_value();
  const bool has_trees = make_cost_model("xgboost", {}).has_value();
  if (has_agent && has_trees) GTEST_SKIP() << "this build lacks nothing";
  const std::string ppo = "strategy ppo is not in this build";
  const std::string xgboost = "cost model xgboost is not in this build";
  if (!has_agent) {
    expect_all_refused(
        {tune_with({"--strategy", "ppo"}, ppo),
         {{"compare", kTinyGmm, "--strategies", "random@none,ppo@none", "-o", "out"}, ppo},
         {{"pretrain", "subfolder", "-o", "out"}, ppo}});
  }
  if (!has_trees) {
    expect_all_refused(
        {tune_with({"--cost-model", "xgboost"}, xgboost),
         {{"compare", kTinyGmm, "--strategies", "random@xgboost", "-o", "out"}, xgboost}});
  }
}

TEST(BadInput, OfExperiments) {
  expect_all_refused({
      tune_with({"--experiment", "none.json"}, "cannot read none.json"),
      tune_with({"--experiment"}, "--experiment needs a FILE.json"),
      tune_with({"--experiment", "garbage"}, "garbage is no JSON object"),
      tune_with({"--experiment", "list.json"}, "list.json is no JSON object"),
      tune_with({"--experiment", "typo.json"}, "unknown option --trails"),
      tune_with({"--experiment", "nested.json"}, "key 'trials' is {\"a\":8}, expected"),
      {{"tune", "--log", "new.jsonl", "--experiment", "words.json"}, "'workloads' must be a list"},
  });
}

TEST(BadInput, OfTargets) {
  expect_all_refused({
      tune_with({"--target", "gpu"}, "gpu"),
      tune_with({"--target", ""}, "target"),
      tune_with({"--target", "cpu:threads=0"}, "threads"),
      tune_with({"--target", "cpu:threads=9999"}, "9999"),
      tune_with({"--target", "cpu:cores=2"}, "cores"),
      tune_with({"--target", "cpu:arch=pentium9"}, "pentium9"),
      tune_with({"--target", "opencl:no such platform"}, "no such platform"),
      tune_with({"--target", "opencl:profile=none.txt"}, "none.txt"),
      tune_with({"--target", "opencl:profile=garbage"}, "garbage"),
  });
}

TEST(BadInput, OfSpecs) {
  expect_all_refused({
      tune_workload("", "spec"),
      tune_workload("conv:ci=3", "conv"),
      tune_workload("gmm:m=8,n=8", "k"),
      tune_workload("gmm:m=8,n=8,k=0", "k"),
      tune_workload("gmm:m=8,n=8,k=-3", "k"),
      tune_workload("gmm:m=8,n=8,k=8,k=8", "k"),
      tune_workload("gmm:m=8,n=8,k=8,z=1", "z"),
      tune_workload("gmm:m=8,n=8,k=99999999999999999999", "k"),
      tune_workload("gmm:m=2000000000,n=2000000000,k=2000000000", "m"),
      tune_workload("gmm:m=1000000,n=1000000,k=1", "tensors of 3814705 MiB; expected at most"),
      tune_workload("gmm:m=8,n=8,k=8+reul", "reul"),
      tune_workload("c2d:ci=3,co=8,h=4,w=4,k=7", "k"),
      tune_workload("gmm:m=8,n=8,k=8 ", "8 "),
      {{"show", "gmm:m=8"}, "n"},
  });
}

TEST(BadInput, SaysWhatWasPerhapsMeant) {
  expect_all_refused({
      {{"deploy"}, "; did you mean build?"},
      {{"compile"}, "; did you mean build?"},
      {{"export"}, "; did you mean build (a library) or log export (records)?"},
      {{"help", "tun"}, "unknown verb 'tun'; expected one of: tune"},
      {{"--helpp"}, "unknown option --helpp; expected a verb, --help or --version"},
      {{"tune", "--trial", "5"}, "tune: unknown option --trial; did you mean --trials?\n"},
      {{"run", "--threads", "2"}, "; did you mean --target cpu:threads=N?"},
      {{"plan", "--threads", "2"}, "unknown option --threads; see dovetail plan --help"},
      {{"run", kTinyGmm, "--target", "cuda"}, "; cuda is reached by target opencl"},
      {{"run", kTinyGmm, "--target", "gpu"}, "; gpu is reached by target opencl"},
      {{"run", "none.onnx"}, "no such file; expected an ONNX file (scripts/make-models makes"},
      {{"show", "garbage"}, "a record of a log is LOG.jsonl#1.1 (`show` takes it)"},
  });
}

TEST(BadInput, OfSuitesAndModels) {
  expect_all_refused({
      tune_workload("@none.txt", "suite none.txt: no such file"),
      tune_workload("@empty.txt", "empty.txt"),
      tune_workload("@twice.txt", "twice.txt"),
      tune_workload("@wrong.txt", "wrong.txt"),
      tune_workload("@garbage", "garbage"),
      tune_workload("@subfolder", "subfolder"),
      tune_workload("none.graph", "graph none.graph: no such file"),
      tune_workload("garbage.graph", "garbage.graph"),
  });
}

TEST(BadInput, OfOnnxModels) {
  expect_all_refused({
      tune_workload("none.onnx", "none.onnx"),
      tune_workload("garbage.onnx", "garbage.onnx"),
      tune_workload("empty.onnx", "empty.onnx"),
  });
}

TEST(BadInput, OfLogs) {
  expect_all_refused({
      {{"log", "best", "none.jsonl"}, "none.jsonl"},
      {{"log", "stats", "garbage"}, "garbage"},
      {{"log", "verify", "subfolder"}, "subfolder"},
      {{"log", "distill", "garbage"}, "garbage"},
      {{"log", "merge", "none.jsonl", "-o", "new.jsonl"}, "none.jsonl"},
      {{"log", "export", "garbage", "-o", "new.csv"}, "garbage"},
      {{"show", "none.jsonl#1.1"}, "none.jsonl"},
      {{"show", "garbage#1.1"}, "garbage"},
      {{"show", "garbage"}, "garbage is a file of another kind; expected a spec, @FILE of specs,"},
      {{"tune", "garbage", "--log", "new.jsonl"}, "garbage is a file of another kind"},
  });
}

// Nobody writes into these pipes, so that whoever opens one waits for ever; /dev/zero has no end.
TEST(BadInput, OfPipesAndDevicesInThePlaceOfFiles) {
  if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
  const TemporaryFolder folder;
  write_inputs(folder);
  folder.write("good.csv", "id,lower,upper,size\na,0,3,4\n");
  std::filesystem::create_directory(folder.folder() / "piped");
  std::vector<std::string> pipes = {"pipe", "pipe.onnx", "pipe.graph", "piped/input_0.npy"};
  for (const std::string& pipe : pipes) ASSERT_EQ(mkfifo(folder.path(pipe).c_str(), 0600), 0);
  std::filesystem::create_symlink("pipe", folder.path("link"));
  std::filesystem::create_symlink("/dev/zero", folder.path("zero.onnx"));
  const std::vector<BadInput> inputs = {
      tune_workload("pipe.onnx", "pipe.onnx: found a pipe; expected a file"),
      tune_workload("zero.onnx", "zero.onnx: found a device; expected a file"),
      tune_workload("pipe.graph", "pipe.graph: found a pipe; expected a file"),
      tune_workload("@pipe", "suite pipe: found a pipe; expected a file"),
      tune_workload("@link", "suite link: found a pipe; expected a file"),
      tune_with({"--experiment", "pipe"}, "pipe is a pipe, expected a file"),
      tune_with({"--border", "pipe"}, "pipe is a pipe, expected framework, or a file"),
      tune_with({"--warm-start", "pipe"}, "pipe is a pipe, expected"),
      tune_with({"--results-from", "pipe"}, "pipe is a device or pipe, expected a plain file"),
      tune_with({"--target", "opencl:profile=pipe"}, "pipe is a pipe, expected a device profile"),
      {{"tune", kTinyGmm, "--log", "pipe"}, "pipe is a device or pipe, expected a plain file"},
      {{"tune", kTinyGmm, "--log", "link"}, "link is a device or pipe, expected a plain file"},
      {{"tune", kTinyGmm, "--log", "/dev/null"}, "is a device or pipe, expected a plain file"},
      {{"tune", kTinyGmm, "--log", "pipe", "--resume"}, "is a device or pipe"},
      {{"replay", kTinyGmm, "--log", "pipe"}, "is a device or pipe"},
      {{"replay", kTinyGmm, "--trace", "pipe"}, "pipe is a pipe, expected a file"},
      {{"run", "pipe.onnx"}, "found a pipe; expected a file"},
      {{"run", kTinyGmm, "--log", "pipe"}, "is a device or pipe"},
      {{"run", kTinyGmm, "--inputs", "piped"}, "input_0.npy is a pipe, expected an .npy file"},
      {{"bench", kTinyGmm, "--log", "pipe"}, "is a device or pipe"},
      {{"show", "pipe#1.1"}, "is a device or pipe"},
      {{"show", "pipe.onnx"}, "found a pipe; expected a file"},
      {{"show", kTinyGmm, "--trace", "pipe"}, "pipe is a pipe, expected a file"},
      {{"log", "best", "pipe"}, "is a device or pipe"},
      {{"log", "verify", "link"}, "is a device or pipe"},
      {{"log", "merge", "pipe", "-o", "new.jsonl"}, "is a device or pipe"},
      {{"report", "pipe", "-o", "new.html"}, "pipe"},
      {{"plan", "pipe"}, "pipe is a pipe, expected a file"},
      {{"plan", "good.csv", "--conflicts", "pipe"}, "pipe is a pipe, expected a file"},
      {{"plan", "good.csv", "-o", "pipe"}, "cannot write pipe: nobody reads it"},
  };
  for (const BadInput& input : inputs) expect_refused(input, folder);
}

TEST(BadInput, OfWhatToShow) {
  expect_all_refused({
      {{"show"}, "0 subjects given"},
      {{"show", kTinyGmm, kTinyGmm}, "2 subjects given"},
      {{"show", kTinyGmm, "--what", "everything"},
       "unknown --what 'everything'; expected one of: graph, tasks, space"},
  });
}

#if DOVETAIL_HAVE_LLVM  // what is only looked at once there is a target
TEST(BadInput, OfWhatACampaignNeeds) {
  expect_all_refused({
      {{"bruteforce", "gmm:m=1,n=1,k=1", "-o", "out"}, "has 8 points, expected 20000 at least"},
      tune_with({"--strategy", "random:clip=1"}, "strategy random has no options, found 'clip'"),
      {{"tune", kTinyGmm, "--log", "garbage"}, "garbage"},
      {{"tune", kTinyGmm, "--log", "subfolder"}, "subfolder"},
      {{"tune", kTinyGmm, "--log", "nowhere/new.jsonl"}, "nowhere/new.jsonl"},
      {{"replay", kTinyGmm, "--log", "none.jsonl"}, "none.jsonl"},
      {{"replay", kTinyGmm, "--log", "garbage"}, "garbage"},
      {{"bench", kTinyGmm, "--log", "garbage"}, "garbage"},
  });
}

TEST(BadInput, OfTraces) {
  expect_all_refused({
      {{"show", kTinyGmm, "--what", "source"}, "target cpu has no source"},
      {{"show", kTinyGmm, "--trace", "none.txt"}, "none.txt"},
      {{"show", kTinyGmm, "--trace", "garbage"}, "garbage"},
      {{"show", kTinyGmm, "--trace", "torn.txt"}, "torn.txt"},
      {{"show", kTinyGmm, "--trace", "trace.txt"}, "factor 3 does not divide"},
      {{"replay", kTinyGmm, "--trace", "none.txt"}, "none.txt"},
      {{"replay", kTinyGmm, "--trace", "torn.txt"}, "torn.txt"},
      {{"replay", kTinyGmm, "--trace", "trace.txt"}, "factor 3 does not divide"},
  });
}

TEST(BadInput, OfRuns) {
  expect_all_refused({
      {{"run"}, "0 specs given, expected one"},
      {{"run", kTinyGmm, kTinyGmm}, "2 specs given, expected one"},
      {{"run", "@twice.txt"}, "@twice.txt is a suite; expected one spec"},
      {{"run", "gmm:m=8,n=8"}, "k"},
      {{"run", "Y[i]=foo(X[i]):i=4"}, "gelu, clip, pow, quotient, select,"},
      {{"run", "Y[i,j]=X[j,i]:i=1000000,j=1000000"}, "expected at most"},
      {{"run", kTinyGmm, "--variant", "global"}, "--variant global is of a network"},
      {{"run", kTinyGmm, "--peer", "openvino"}, "--peer is of a network"},
      {{"run", kTinyGmm, "--memory-limit", "10"}, "--memory-limit is of a network"},
      {{"run", "none.onnx", "--peer", "tvm"}, "unknown peer 'tvm' of a network"},
      {{"run", "none.graph", "--peer", "openvino"}, "--peer needs an ONNX model"},
      {{"run", "none.graph", "--constant", "x=1"}, "--constant x=1 is of an ONNX model"},
      {{"run", kTinyGmm, "--constant", "x=1"}, "--constant is of a network"},
      {{"run", "none.onnx", "--variant", "disjoint"},
       "dovetail: run: unknown variant 'disjoint' of a network"},
      {{"build", "none.onnx", "--variant", "disjoint", "-o", "out"},
       "dovetail: build: unknown variant 'disjoint' of a network"},
      {{"run", kTinyGmm, "--target", "cpu:arch=x86-64-v3"}, "another CPU"},
      {{"run", kTinyGmm, "--log", "none.jsonl"}, "none.jsonl"},
      {{"run", kTinyGmm, "--log", "garbage"}, "garbage"},
      {{"run", kTinyGmm, "--inputs", "nowhere"}, "nowhere/input_0.npy: no such file"},
      {{"run", kTinyGmm, "--inputs", "arrays"}, "arrays/input_0.npy: no .npy file"},
      {{"run", kTinyGmm, "--outputs", "garbage"}, "--outputs garbage: is none; expected a folder"},
  });
}

TEST(BadInput, OfRegionsToShow) {
  constexpr const char* kSoftmax = "M[i]max=S[i,j];Y[i,j]=exp(S[i,j]-M[i]):i=8,j=8";
  expect_all_refused({
      {{"show", kSoftmax, "--what", "source"}, "target cpu has no source"},
      {{"show", "M[i]max=S[i,j];Y[i,j]=exp(T[i,j]"}, "has no extents"},
      {{"show", "Y[i]=exp(X[i],2):i=4"}, "statement line 1"},
      {{"show", "Y[i,j]=X[j,i]:i=1000000,j=1000000"}, "expected at most"},
  });
}
#endif

}  // namespace
}  // namespace dovetail
