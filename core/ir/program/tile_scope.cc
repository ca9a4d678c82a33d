// SPDX-License-Identifier: Apache-2.0
#include "core/ir/program/tile_scope.h"

#include "core/ir/lexer.h"
#include "core/ir/program/program_words.h"

namespace dovetail {

std::string print(TileScope scope) { return std::string(kTileScopes[static_cast<size_t>(scope)]); }

Result<TileScope> parse_tile_scope(std::string_view text) {
  for (size_t i = 0; i < kTileScopes.size(); ++i) {
    if (kTileScopes[i] == text) return static_cast<TileScope>(i);
  }
  return fail("found " + quoted(text) +
              ", expected the scope of a tile: registers, private, local or workspace");
}

}  // namespace dovetail
