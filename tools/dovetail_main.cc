// SPDX-License-Identifier: Apache-2.0
//
// dovetail: the verbs and what runs them.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/backends/opencl/opencl_targets.h"
#include "core/base/fail.h"
#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/runtime/unused_memory.h"
#include "tools/colour.h"
#include "tools/command_line/verb.h"

namespace dovetail {

// Each is defined in a file of tools/verbs.
using RunVerb = Result<ExitCode>(Arguments);
RunVerb tune_verb, replay_verb, bench_verb, show_verb, log_verb, bruteforce_verb, compare_verb,
    pretrain_verb, doctor_verb, report_verb, run_verb, plan_verb, build_verb;

namespace {

// In the order of `dovetail --help`.
constexpr Verb kVerbs[] = {
    {"tune", "WORKLOAD... --log FILE", "search for fast kernels, every measurement into the log",
     tune_verb},
    {"replay", "WORKLOAD... --log FILE", "run the best of a log, or a trace of yours, again",
     replay_verb},
    {"bench", "WORKLOAD... --log FILE", "the best of a log beside oneDNN, LibTorch and OpenBLAS",
     bench_verb},
    {"run", "MODEL|SPEC", "run and time a model, or one operator, on your arrays, checked",
     run_verb},
    {"build", "MODEL --log FILE -o DIR", "a tuned model as a library that runs without dovetail",
     build_verb},
    {"show", "SPEC|RECORD|MODEL", "look inside: space, trace, nest, code, features, layout",
     show_verb},
    {"log", "ACTION LOG...",
     "what logs hold: head, best, stats, verify, distill, merge, migrate, export", log_verb},
    {"bruteforce", "SPEC -o DIR", "measure every point of a reduced space", bruteforce_verb},
    {"pretrain", "SPACE... -o FILE", "train the agent of ppo on measured spaces", pretrain_verb},
    {"compare", "--strategies A,B -o DIR", "strategies side by side, on measured spaces or live",
     compare_verb},
    {"report", "LOG... -o FILE.html", "a campaign or a comparison as one page, and figures",
     report_verb},
    {"plan", "FILE.csv", "offsets for buffers: plan memory, with the lower bound beside it",
     plan_verb},
    {"doctor", "", "what this machine can do", doctor_verb},
};

std::string about() {
  std::string text =
      "dovetail searches the layout of tensors and the loops over them together.\n\n"
      "usage: dovetail VERB ...       dovetail help VERB\n\n";
  for (const Verb& verb : kVerbs)
    text += fmt::format("  {:32} {}\n", fmt::format("{} {}", verb.name, verb.usage), verb.meaning);
  return text +
         "\nA WORKLOAD is a model (MODEL.onnx or MODEL.graph), a spec (gmm:m=512,n=512,k=512) or "
         "@FILE (a suite:\n`name = spec` lines).\n\n"
         "examples:\n"
         "    dovetail tune MODEL.onnx --schedule gradient --total-trials 1000 --log LOG.jsonl\n"
         "    dovetail run MODEL.onnx --log LOG.jsonl --variant global\n"
         "    dovetail build MODEL.onnx --log LOG.jsonl -o package\n\n"
         "exit codes: 0 done, 1 bad input, 2 a task without a valid candidate, "
         "3 --strict replay miss,\n"
         "            4 device failure, 130 interrupted (campaigns are saved)\n";
}

// Words of other programs for these verbs.
constexpr std::pair<std::string_view, std::string_view> kOtherWords[] = {
    {"deploy", "build"},
    {"compile", "build"},
    {"package", "build"},
    {"search", "tune"},
    {"autotune", "tune"},
    {"benchmark", "bench"},
    {"inspect", "show"},
    {"infer", "run"},
    {"export", "build (a library) or log export (records)"}};

Unexpected unknown_verb(const std::string& name) {
  std::vector<std::string> known;
  for (const Verb& verb : kVerbs) known.emplace_back(verb.name);
  std::vector<std::string> words = known;
  for (const auto& [word, verb] : kOtherWords) words.emplace_back(word);
  const auto* const other =
      std::ranges::find(kOtherWords, name, &std::pair<std::string_view, std::string_view>::first);
  const std::string meant = other == std::end(kOtherWords)
                                ? did_you_mean(name, words)
                                : fmt::format("; did you mean {}?", other->second);
  return fail("unknown verb '{}'; expected one of: {}{}", name, one_of(known), meant);
}

ExitCode print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  return ExitCode::done;
}

Result<ExitCode> run_command(const Arguments& arguments) {
  if (arguments.empty()) return fail("no verb given; see dovetail --help");
  const std::string& name = arguments.front();
  const bool wants_help = name == "--help" || name == "-h" || name == "help";
  if (wants_help && arguments.size() == 1) return print(about());
  if (name == "--version" || name == "-V" || name == "version")
    return print("dovetail " DOVETAIL_VERSION "\n");
  if (!wants_help && name.starts_with("-"))
    return fail("unknown option {}; expected a verb, --help or --version", name);
  const std::string& verb_name = wants_help ? arguments[1] : name;
  const auto verb = std::ranges::find(kVerbs, verb_name, &Verb::name);
  if (verb == std::end(kVerbs)) return unknown_verb(verb_name);
  return verb->run(wants_help ? Arguments{"--help"}
                              : Arguments(arguments.begin() + 1, arguments.end()));
}

// If a standard stream is closed, the next file opened, such as a log, would get its descriptor,
// and messages would be written into it.
void open_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    [[maybe_unused]] const int opened = open("/dev/null", O_RDWR);  // the lowest that is free
  }
}

// Workers take a dozen descriptors each: raises the soft limit to the hard one.
void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// The terminate handler: the standard library throws when threads or memory run out, and the
// program cannot go on without them. Measurements are in the log by then.
[[noreturn]] void end_in_one_line() {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::system_error& error) {
    std::fprintf(stderr,
                 "dovetail: no thread can be started: %s; allow this user or container more "
                 "(ulimit -u, pids)\n",
                 error.code().message().c_str());
    _exit(static_cast<int>(ExitCode::device_failure));
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "dovetail: out of memory\n");
    _exit(static_cast<int>(ExitCode::device_failure));
  } catch (...) {
  }
  std::abort();
}

// True if all output was written. The reason of an earlier failed write is lost, so one more write
// is made, which fails for the same reason.
bool stdout_is_written() {
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::ferror(stdout) == 0) return true;
  if (flushed) {
    std::clearerr(stdout);
    errno = 0;
    std::fputc('\n', stdout);
    std::fflush(stdout);
  }
  const char* reason = errno != 0 ? std::strerror(errno) : "some of it is lost";
  std::fprintf(stderr, "dovetail: cannot write to stdout: %s\n", reason);
  return false;
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  using dovetail::ExitCode;
  dovetail::open_standard_streams();
  dovetail::raise_descriptor_limit();
  dovetail::prepare_opencl_environment();
  std::set_terminate(dovetail::end_in_one_line);
  dovetail::give_large_blocks_back();
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond `ulimit -f` then fails with an error
  const auto code = dovetail::run_command({argv + 1, argv + argc});
  if (!code) {
    std::fprintf(stderr, "%s %s\n", dovetail::in_red("dovetail:", stderr).c_str(),
                 dovetail::printable(code.error().message).c_str());
    return static_cast<int>(ExitCode::bad_input);
  }
  if (!dovetail::stdout_is_written()) return static_cast<int>(ExitCode::bad_input);
  return static_cast<int>(*code);
}
