// SPDX-License-Identifier: Apache-2.0
//
// A contraction of halves as a product of matrices whose tiles tensor cores compute.
//
//   gmm:b=12,m=128,n=128,k=64 in f16       rows m, columns n, reduction k; b over groups
//   c2d:n=16,ci=256,co=256,h=14,w=14,k=3   rows 8 of n by w, columns o, reduction i; h over groups
//                                          taps kh, kw
//
// Why rows of two axes: an instruction reads blocks of eight rows that lie together, and any number
// of blocks with one step between them (intrinsic.h). A convolution has both without a copy for
// each tap: the eight rows of a block are images of a batch (or neighbours along w where there is
// one image), from block to block it is a step along w (or h), and another tap of the window is the
// same blocks from another address on. So the tile of X that a group keeps is read kh * kw times,
// where an implicit product of matrices loads as many tiles. This needs channels in eights and
// images in eights inside of the pixels, X[n.0, i.0, h, w, n.1, i.1]: a layout, which the trace
// states (tile_layouts.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ir/region/region.h"
#include "core/ir/target.h"

namespace dovetail::tensor_cores {

// A block of an operand: eight rows of 16 bytes along the reduction.
inline constexpr int64_t kBlock = 8, kBlockRowBytes = 16;

// One axis that moves along a dim, by so many elements.
struct DimStep {
  std::string axis;
  int64_t elements = 1;
  bool operator==(const DimStep&) const = default;
};

struct OperandDim {
  std::string name;
  int64_t extent = 1;
  std::vector<DimStep> steps = {};
  // Taps of a transposed convolution's window are stored by phase, and so are the pixels that a
  // stride leaves between neighbours along the base: so many of them.
  int64_t phases = 1;
  // Its index is a quotient or a remainder of a window, as that of a split factor's parts
  // (split_product.h): a few taps have all elements.
  bool is_of_parts = false;

  bool has(const std::string& axis) const;
  bool is_only(const std::string& axis) const;  // indexed by the axis itself
};

// One factor of the product, and the output's axes that it alone has.
struct ProductOperand {
  std::string tensor;
  bool is_constant = false;  // converted once, so that it may be stored with zeros behind its ends
  std::vector<OperandDim> dims = {};
  std::vector<Axis> axes = {};  // outermost first, as the output has them
  Axis base = {}, step = {};    // eight of the first in a block, blocks along the second

  const OperandDim& dim_of(const std::string& axis) const;
};

// True if the axis alone indexes the outermost dim, as images of a batch do.
bool is_first_dim(const ProductOperand& operand, const std::string& axis);

// A dim of the output, and the loop that runs over it: h.0 where the phases of h are apart.
struct OutputDim {
  std::string name;
  int64_t extent = 1;
  std::string axis;
  int64_t phases = 1;
};

// Axes are named like the loops over them.
struct WarpProduct {
  ProductOperand rows, columns;
  Axis reduction;             // an axis of both operands alone
  std::vector<Axis> windows;  // the other reductions
  std::vector<Axis> outer;    // the output's others, in both operands or in none: over groups
  Tensor output;
  std::vector<OutputDim> output_dims;
  // Both factors': f16 or bf16 as stored, or tf32, to which f32 is rounded.
  ElementType type = ElementType::f16;
};

// nullopt for other regions, and where tiles of 64 by 64 would compute more than four times what is
// asked for.
std::optional<WarpProduct> warp_product(const Region& region, const Target& target);

int64_t factor_bytes(const WarpProduct& product);  // an element's, as stored
int64_t block_terms(const WarpProduct& product);   // elements of the reduction in a block
// Elements of the reduction that an instruction adds up: two blocks.
int64_t instruction_terms(const WarpProduct& product);

// The reduction with all terms of its last instruction, and whether a kernel has to store the
// tensor with zeros there: then copies have the name X.pad.
int64_t padded_reduction(const WarpProduct& product);
std::string stored_name(const WarpProduct& product, const ProductOperand& operand);

}  // namespace dovetail::tensor_cores
