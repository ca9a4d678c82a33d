// SPDX-License-Identifier: Apache-2.0
//
// RegionLayouts: the layouts of a region's tensors. Each run of dimensions is one axis, inner
// tensors follow the order of the output, and one dimension may be in blocks of a vector:
//
//     X[n=1, c=64, h=56, w=56]  by c      split(axis=c, factor=16) reorder(n, c.0, h, w, c.1)
//     E[j=128, i=1536], of Y[i, j]                reorder(i, j)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/region/region.h"
#include "core/ir/schedule/trace.h"
#include "primitives/space/memory_bound/axis_runs.h"

namespace dovetail::memory_bound {

struct StageAxis;

// The part of a dimension that an axis stores: all of it or, in blocks, c.0 or c.1 of c.
enum class AxisPart : uint8_t { whole, blocks, block };

// A storage axis and its dimensions, outermost first.
struct StoredAxis {
  std::string name;
  std::vector<size_t> dims;
  int64_t extent = 1;
  AxisPart part = AxisPart::whole;
};

class RegionLayouts {
 public:
  RegionLayouts(const Region& region, const AxisRuns& runs, const std::string& blocked,
                int64_t lanes);

  const std::vector<StoredAxis>& axes(const std::string& tensor) const;
  TensorLayout lines(const std::string& tensor) const;
  // Elements from one iteration of the axis to the next; nullopt where that varies.
  std::optional<int64_t> stride(const Access& access, const StageAxis& axis) const;

 private:
  struct Stored {
    Tensor tensor;
    std::vector<size_t> order;  // its dimensions, outermost first
    std::vector<StoredAxis> axes;
    std::vector<LayoutPrimitive> primitives;
  };

  void order_dims(Stored& stored) const;
  void fuse_runs(Stored& stored) const;
  void block(Stored& stored) const;
  bool is_blocked(const std::string& tensor, size_t dim) const;
  const Stored& of(const std::string& tensor) const;

  const Region& region_;
  const AxisRuns& runs_;
  int blocked_run_ = AxisRuns::kNone;
  int64_t lanes_;
  std::vector<Stored> tensors_;
};

}  // namespace dovetail::memory_bound
