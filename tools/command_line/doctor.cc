// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/verb_parser.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

constexpr Option<DoctorOptions> kDoctorOptions[] = {
    {"--profile", &DoctorOptions::profile, "write the target's limits to FILE"},
    {"--target", &DoctorOptions::target, "whose limits --profile writes (cpu)"},
};

}  // namespace

Result<Action> parse_doctor(Arguments arguments) {
  DoctorOptions options;
  VerbParser parser("doctor", "Measures what this machine can do and says what would help.");
  parser.add<DoctorOptions>(kDoctorOptions, options);
  parser.add_json();
  if (TRY(parser.parse(std::move(arguments)))) return parser.help();
  if (options.target && options.profile.empty()) {
    return fail("doctor: --target needs --profile FILE");
  }
  return Action([options = std::move(options), json = parser.wants_json()] {
    return run_doctor(options, json);
  });
}

}  // namespace dovetail
