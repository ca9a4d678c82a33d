// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/exec/exec_strategy.h"

#include <deque>
#include <unordered_map>

#include "search/strategies/exec/line_program.h"
#include "search/strategies/exec/messages.h"

namespace dovetail {
namespace {

class ExecStrategy final : public Strategy {
 public:
  ExecStrategy(const StrategyContext& context, std::string command, double answer_seconds)
      : space_(context.space), command_(std::move(command)), answer_seconds_(answer_seconds) {
    await(space_.default_trace(), space_.default_point());
  }

  Result<void> start(const StrategyContext& context) {
    Result<std::unique_ptr<LineProgram>> program = LineProgram::start(command_);
    if (!program) return explained(program.error());
    program_ = std::move(*program);
    if (Result<void> sent = send(exec::space_message(context)); !sent) return sent;
    const exec::Answer answer = TRY(receive());
    const auto* ready = std::get_if<exec::Ready>(&answer);
    if (!ready) return explained({"did not begin with {\"type\":\"ready\"}"});
    answer_seconds_ = ready->timeout_seconds.value_or(answer_seconds_);
    return {};
  }

  Result<std::vector<KeyedTrace>> propose(size_t n) override {
    TRY(tell());
    TRY(send(exec::ask_message(n)));
    const exec::Answer answer = TRY(receive());
    const auto* proposed = std::get_if<exec::Propose>(&answer);
    if (!proposed) return explained({"was asked for points and did not propose any"});
    if (proposed->points.size() > n)
      return explained({"proposed " + std::to_string(proposed->points.size()) + " points where " +
                        std::to_string(n) + " were asked for"});
    std::vector<KeyedTrace> traces;
    for (const Point& point : proposed->points) {
      traces.push_back(space_.decode(point));
      await(traces.back(), point);
    }
    return traces;
  }

  void observe(std::span<const Observation> observations) override {
    for (const Observation& observation : observations) {
      const auto awaited = awaited_.find(observation.trace.key);
      if (awaited == awaited_.end()) continue;
      std::deque<Point>& points = awaited->second;
      // The first point of a trace is measured, later ones are rejected, and that is told sooner.
      const bool is_first = !observation.rejected;
      untold_.push_back({is_first ? points.front() : points.back(), observation});
      is_first ? points.pop_front() : points.pop_back();
      if (points.empty()) awaited_.erase(awaited);
    }
  }

 private:
  void await(const KeyedTrace& trace, const Point& point) { awaited_[trace.key].push_back(point); }

  // Deferred until the next question, because observe() cannot return an error.
  Result<void> tell() {
    if (untold_.empty()) return {};
    const std::string message = exec::tell_message(space_, untold_);
    untold_.clear();
    return send(message);
  }

  Result<void> send(const std::string& message) {
    const Result<void> sent = program_->send(message, answer_seconds_);
    if (!sent) return explained(sent.error());
    return {};
  }

  // The next answer; questions for domains before it are answered.
  Result<exec::Answer> receive() {
    while (true) {
      const Result<std::string> line = program_->receive(answer_seconds_);
      if (!line) return explained(line.error());
      Result<exec::Answer> answer = exec::parse_answer(space_, *line);
      if (!answer) return explained(answer.error());
      const auto* asked = std::get_if<exec::AskDomains>(&*answer);
      if (!asked) return answer;
      TRY(send(exec::domains_message(space_, asked->point)));
    }
  }

  Unexpected explained(const Error& error) const {
    return fail("strategy exec:" + command_ + " " + error.message);
  }

  const Space& space_;
  std::string command_;
  double answer_seconds_;
  std::unique_ptr<LineProgram> program_;
  // By trace. A program may propose one again before its result comes: each proposal is observed.
  std::unordered_map<uint64_t, std::deque<Point>> awaited_;
  std::vector<exec::ToldPoint> untold_;
};

Result<StrategyOptions> check_command(const StrategyOptions& given) {
  const auto command = given.find(kCommandOption);
  if (command == given.end() || command->second.find_first_not_of(" \t") == std::string::npos)
    return fail("strategy exec needs a program: exec:COMMAND");
  if (command->second.find('\n') != std::string::npos)
    return fail("strategy exec: the command has several lines, expected one");
  return given;
}

}  // namespace

StrategyEntry exec_entry() {
  const auto make = [](const StrategyContext& context, const StrategySpec& spec) {
    return make_exec(context, spec.options.find(kCommandOption)->second);
  };
  return {.name = "exec",
          .meaning = "a program of yours, exec:COMMAND, by JSON lines (docs/strategies.md)",
          .is_program = true,
          .complete = check_command,
          .make = make};
}

Result<std::unique_ptr<Strategy>> make_exec(const StrategyContext& context,
                                            const std::string& command, double answer_seconds) {
  auto strategy = std::make_unique<ExecStrategy>(context, command, answer_seconds);
  TRY(strategy->start(context));
  return std::unique_ptr<Strategy>(std::move(strategy));
}

}  // namespace dovetail
