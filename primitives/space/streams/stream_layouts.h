// SPDX-License-Identifier: Apache-2.0
//
// StreamLayouts: how the tensors of a region are stored: each run of dimensions as one axis, inner
// tensors in the order of what is made of them, and one dimension in blocks of a vector, if wanted:
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
#include "primitives/space/streams/axis_runs.h"

namespace dovetail {

struct StreamAxis;

// What an axis is of a dimension that is stored in blocks: c.0 or c.1 of c.
enum class AxisPart : uint8_t { whole, blocks, block };

// An axis of the storage, and the dimensions in it, outermost first.
struct StoredAxis {
  std::string name;
  std::vector<size_t> dims;
  int64_t extent = 1;
  AxisPart part = AxisPart::whole;
};

class StreamLayouts {
 public:
  StreamLayouts(const Region& region, const AxisRuns& runs, const std::string& blocked,
                int64_t lanes);

  const std::vector<StoredAxis>& axes(const std::string& tensor) const;
  TensorLayout lines(const std::string& tensor) const;
  // From one iteration of the axis to the next; nothing where that is not one number.
  std::optional<int64_t> stride(const Access& access, const StreamAxis& axis) const;

 private:
  struct Stored {
    Tensor tensor;
    std::vector<size_t> order;  // of its dimensions
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

}  // namespace dovetail
