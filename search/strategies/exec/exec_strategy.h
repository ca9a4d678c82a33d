// SPDX-License-Identifier: Apache-2.0
#pragma once

// The strategy `exec:CMD`: a user's program, in any language, that proposes and observes in JSON
// lines over stdin and stdout (docs/strategies.md has the messages and an example):
//
//   we    {"type":"space","task":"gmm:m=8,…","seed":0,"parameters":[…],…}
//   it    {"type":"ready"}
//   we    {"type":"ask","count":16}
//   it    {"type":"propose","points":[{"register_tile.m":4},[0.5,0.1,…]]}
//   we    {"type":"tell","observations":[{"point":{…},"status":"ok","seconds":0.0012}]}
//   …                                                         its stdin ends when the search does
//
// Its proposals are repaired (search/strategies/points/points.h), so that a program need not know
// how domains depend on one another; it may ask for the domains along a point. Its stdout carries
// the protocol; its stderr is shown. An invalid line, an exit or a timeout is an error that ends
// the campaign; measurements are in the log by then, and --resume continues if the program still
// proposes the same.

#include "search/strategies/strategies.h"

namespace dovetail {

// The option that holds CMD.
inline constexpr std::string_view kCommandOption = "command";

// Timeout of an answer, unless the program's `ready` sets another one.
inline constexpr double kAnswerSeconds = 60;

Result<std::unique_ptr<Strategy>> make_exec(const StrategyContext& context,
                                            const std::string& command,
                                            double answer_seconds = kAnswerSeconds);

}  // namespace dovetail
