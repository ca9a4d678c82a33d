// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/migrate.h"

#include <fmt/core.h>

#include <array>
#include <iterator>

namespace dovetail {
namespace {

struct Migration {
  int schema;                        // of the lines it reads; the next entry's of those it writes
  std::string (*step)(std::string);  // takes and gives a line's object
};

constexpr std::array kMigrations = {
    Migration{.schema = 1, .step = [](std::string object) { return object; }},
};
static_assert(kMigrations.back().schema == kSchema,
              "the last entry is this version's, the identity");

}  // namespace

Result<std::string> migrate(std::string object, int schema) {
  if (schema > kSchema) {
    return fail(fmt::format(
        "schema {} is newer than this program's {}; use the version of dovetail that wrote it",
        schema, kSchema));
  }
  if (schema < kMigrations.front().schema) {
    return fail(fmt::format("schema {} does not exist; expected {} to {}", schema,
                            kMigrations.front().schema, kSchema));
  }
  for (const Migration& migration : kMigrations) {
    if (migration.schema >= schema) object = migration.step(std::move(object));
  }
  return object;
}

}  // namespace dovetail
