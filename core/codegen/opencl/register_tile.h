// SPDX-License-Identifier: Apache-2.0
#pragma once

// Maps a tile to variables of OpenCL C.
//
//   registers acc[7, 2, 16], last axis vectorized    ->  float16 acc_0_0, acc_0_1, …, acc_6_1;
//   registers acc[7, 2, 16], indexed by a real loop  ->  float acc[224];
//   local W.cache[4, 64]                             ->  __local float W_cache[256];
//   registers acc[7, 2] i64                          ->  long acc[14];
//
// Named variables stay in registers with every OpenCL compiler; an array may be in memory.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/codegen/opencl/text.h"
#include "core/codegen/work_groups/geometry.h"
#include "core/ir/program/program.h"

namespace dovetail::opencl {

// Widths 16, 8, 4, 2, 1 that cover [0, extent): 20 -> {0, 16} {16, 4}.
struct Chunk {
  int64_t first = 0;
  int width = 1;
};
std::vector<Chunk> vector_chunks(int64_t extent);

struct TileVariable {
  std::string name;
  int width = 1;
};
struct TileElement {
  int variable = 0;   // index into TilePlan::variables
  int component = 0;  // vector component
};

struct TilePlan {
  std::string tile;  // its name in the program
  std::vector<int64_t> extents;
  ElementType type = ElementType::f32;
  bool is_array = false;  // `variables` then has the array only
  bool is_local = false;  // an array, declared at the start of the kernel
  std::vector<TileVariable> variables;
  std::vector<TileElement> elements;  // by row-major position; empty for an array
};

// `block` declares the tile; `expanded` are the unrolled loops around it.
TilePlan plan_tile(const ScopedTile& tile, const Block& block, const Geometry& geometry,
                   const std::set<std::string>& expanded, Identifiers& identifiers);

// `float4 acc_0, acc_1;` one line per vector type, broken when long.
std::vector<std::string> declarations(const TilePlan& plan);

}  // namespace dovetail::opencl
