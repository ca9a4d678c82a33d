// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/verb_parser.h"
#include "tools/verbs.h"

namespace dovetail {

Result<Action> parse_doctor(Arguments arguments) {
  DoctorOptions options;
  VerbParser parser("doctor", "Measures what this machine can do and says what would help.");
  parser.text("--profile", options.profile, "write the target's limits to FILE");
  parser.text("--target", options.target, "whose limits --profile writes (cpu)");
  parser.json(options.json);
  if (TRY(parser.parse(std::move(arguments)))) return parser.help();
  if (options.target && options.profile.empty()) {
    return fail("doctor: --target needs --profile FILE");
  }
  return Action([options = std::move(options)] { return run_doctor(options); });
}

}  // namespace dovetail
