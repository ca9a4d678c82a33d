// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "measure/worker/option_values.h"
#include "measure/worker/worker.h"

namespace dovetail {
namespace {

Result<void> set_option(const std::string& option, const std::string& value, WorkerOptions& into) {
  if (option == "--role" && (value == "build" || value == "run")) {
    into.role = value;
  } else if (option == "--target") {
    into.target = TRY(parse_target(value));
  } else if (option == "--cores") {
    into.cores = TRY(parse_cores(option, value));
  } else if (option == "--parent") {
    into.parent = TRY(parse_count(option, value));
  } else if (option == "--memory-bytes") {
    into.memory_bytes = TRY(parse_count(option, value));
  } else if (option == "--background") {
    into.background = TRY(parse_count(option, value)) != 0;
  } else if (option == "--faults") {
    into.faults = TRY(parse_faults(value));
  } else {
    return fail(fmt::format("{} {}: no such option of dovetail-worker", option, value));
  }
  return {};
}

}  // namespace

Result<WorkerOptions> parse_worker_options(const std::vector<std::string>& arguments) {
  WorkerOptions options;
  for (size_t i = 0; i + 1 < arguments.size(); i += 2) {
    TRY(set_option(arguments[i], arguments[i + 1], options));
  }
  if (arguments.size() % 2 != 0) return fail(fmt::format("{}: no value", arguments.back()));
  if (options.role.empty()) {
    return fail("dovetail-worker is started by dovetail, with --role build or --role run");
  }
  return options;
}

std::vector<std::string> print(const WorkerOptions& options) {
  return {"--role",         options.role,
          "--target",       print(options.target),
          "--cores",        fmt::format("{}", fmt::join(options.cores, ",")),
          "--parent",       fmt::format("{}", options.parent),
          "--memory-bytes", fmt::format("{}", options.memory_bytes),
          "--background",   options.background ? "1" : "0",
          "--faults",       print(options.faults)};
}

}  // namespace dovetail
