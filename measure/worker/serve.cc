// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/serve.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <concepts>
#include <cstdio>
#include <limits>

#include "core/base/fail.h"
#include "core/base/text.h"
#include "measure/messages/worker_messages.h"
#include "measure/supervisor/child_process.h"
#include "measure/transport/socket_transport.h"

namespace dovetail {

bool follow_parent(int64_t parent) {
  // The parent may have ended before prctl.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  return parent == 0 || ::getppid() == parent;
}

int serve(const std::function<Result<Frame>(const Frame&)>& answer) {
  const Deadline never = deadline_after(std::numeric_limits<double>::infinity());
  SocketTransport transport{Descriptor(kWorkerSocket)};
  while (true) {
    const ReceivedFrame request = transport.receive(never);
    if (request.status == FrameStatus::closed) return 0;
    const Result<Frame> reply = request.status != FrameStatus::done
                                    ? Result<Frame>(fail(request.reason))
                                : request.frame == hello() ? request.frame
                                                           : answer(request.frame);
    if (!reply) {
      std::fprintf(stderr, "%s\n", reply.error().message.c_str());
      return kFailureExit;
    }
    if (transport.send(*reply, never) != FrameStatus::done) return 0;
  }
}

namespace {

Result<int64_t> parse_count(const std::string& option, std::string_view text) {
  const std::optional<int64_t> number = read_number<int64_t>(text);
  if (number && *number >= 0) return *number;
  return fail("{}: expected a number, found {}", option, text);
}

template <typename Value>
Result<void> read(const std::string& option, std::string_view text, Value& value) {
  if constexpr (std::same_as<Value, std::string>) {
    value = text;
  } else if constexpr (std::same_as<Value, Target>) {
    value = TRY(parse_target(text));
  } else if constexpr (std::same_as<Value, Faults>) {
    value = TRY(parse_faults(text));
  } else if constexpr (std::same_as<Value, std::vector<int>>) {
    if (text.empty()) return {};
    for (const std::string_view core : split(text, ','))
      value.push_back(static_cast<int>(TRY(parse_count(option, core))));
  } else {
    value = static_cast<Value>(TRY(parse_count(option, text)));
  }
  return {};
}

template <typename Value>
std::string text_of(const Value& value) {
  if constexpr (std::same_as<Value, std::string>)
    return value;
  else if constexpr (std::same_as<Value, std::vector<int>>)
    return fmt::format("{}", fmt::join(value, ","));
  else if constexpr (std::integral<Value>)
    return fmt::format("{:d}", value);
  else
    return print(value);
}

}  // namespace

Result<void> parse_options(const std::vector<std::string>& arguments, const ProgramOptions& options,
                           std::string_view program) {
  for (size_t i = 0; i + 1 < arguments.size(); i += 2) {
    const std::string &name = arguments[i], &text = arguments[i + 1];
    const auto option = std::ranges::find(options, name, &ProgramOption::name);
    if (option == options.end()) return fail("{} {}: no such option of {}", name, text, program);
    TRY(std::visit([&](auto* value) { return read(name, text, *value); }, option->value));
  }
  if (arguments.size() % 2 != 0) return fail("{}: no value", arguments.back());
  return {};
}

std::vector<std::string> print_options(const ProgramOptions& options) {
  std::vector<std::string> words;
  for (const ProgramOption& option : options) {
    words.push_back(option.name);
    words.push_back(std::visit([](const auto* value) { return text_of(*value); }, option.value));
  }
  return words;
}

}  // namespace dovetail
