// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "tools/command_line/verb_table.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

std::string about() {
  std::string text =
      "dovetail searches the layout of tensors and the loops over them together.\n\n"
      "usage: dovetail VERB ...       dovetail VERB --help\n\n";
  for (const Verb& verb : verbs()) {
    if (verb.parse == nullptr) continue;
    text += fmt::format("  {:32} {}\n", fmt::format("{} {}", verb.name, verb.usage), verb.meaning);
  }
  return text +
         "\nA WORKLOAD is a spec (gmm:m=512,n=512,k=512), @FILE (a suite: `name = spec` lines), "
         "MODEL.onnx or "
         "MODEL.graph.\n"
         "exit codes: 0 done, 1 bad input, 2 a task without a valid candidate, "
         "3 --strict replay miss,\n"
         "            4 device failure, 130 interrupted (everything saved)\n";
}

Action print(std::string text) {
  return [text = std::move(text)]() -> Result<ExitCode> {
    std::fputs(text.c_str(), stdout);
    return ExitCode::done;
  };
}

Unexpected unknown_verb(const std::string& name) {
  std::string known;
  for (const Verb& verb : verbs()) {
    if (verb.parse != nullptr) known += fmt::format("{}{}", known.empty() ? "" : ", ", verb.name);
  }
  return fail(fmt::format("unknown verb '{}'; expected one of: {}", name, known));
}

Result<Action> parse_command_line(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return fail("no verb given; see dovetail --help");
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h" || name == "help") return print(about());
  if (name == "--version") return print("dovetail " DOVETAIL_VERSION "\n");
  const auto verb = std::ranges::find(verbs(), name, &Verb::name);
  if (verb == verbs().end()) return unknown_verb(name);
  if (verb->parse == nullptr) {
    return fail(fmt::format("verb {} is not supported by this version", name));
  }
  return verb->parse(Arguments(arguments.begin() + 1, arguments.end()));
}

Result<ExitCode> run_command(const std::vector<std::string>& arguments) {
  const Action action = TRY(parse_command_line(arguments));
  return action();
}

}  // namespace

int run_dovetail(const std::vector<std::string>& arguments) {
  const Result<ExitCode> code = run_command(arguments);
  if (!code) {
    std::fprintf(stderr, "dovetail: %s\n", code.error().message.c_str());
    return static_cast<int>(ExitCode::bad_input);
  }
  if (std::fflush(stdout) != 0) {
    std::fputs("dovetail: cannot write to stdout\n", stderr);
    return static_cast<int>(ExitCode::bad_input);
  }
  return static_cast<int>(*code);
}

}  // namespace dovetail
