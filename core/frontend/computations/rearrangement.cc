// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/frontend/computations/node_rules.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::node_rules {

Result<NodeRegion> depth_to_space(RegionWriter& write) {
  const int64_t block = TRY(integer_attribute(write.node(), "blocksize", 1));
  const std::string mode = TRY(text_attribute(write.node(), "mode", "DCR"));
  if (write.output_shape().size() != 4 || block < 1) return refuse("of another rank than 4");
  if (mode != "DCR" && mode != "CRD") return refuse("mode " + mode);
  const std::string place = fmt::format("a2%{0}*{0}+a3%{0}", block);
  const std::string channel = mode == "DCR"
                                  ? fmt::format("({})*{}+a1", place, write.output_shape()[1])
                                  : fmt::format("a1*{}+{}", block * block, place);
  return write.finish_one(
      write.read(0, {"a0", channel, fmt::format("a2/{}", block), fmt::format("a3/{}", block)}));
}

Result<NodeRegion> space_to_depth(RegionWriter& write) {
  const int64_t block = TRY(integer_attribute(write.node(), "blocksize", 1));
  if (write.output_shape().size() != 4 || block < 1) return refuse("of another rank than 4");
  const int64_t channels = write.shape(0)[1];
  return write.finish_one(write.read(
      0, {"a0", fmt::format("a1%{}", channels), fmt::format("a2*{}+a1/{}", block, channels * block),
          fmt::format("a3*{}+a1/{}%{}", block, channels, block)}));
}

// Reverses the first elements of each sequence, up to its length.
Result<NodeRegion> reverse_sequence(RegionWriter& write) {
  const size_t rank = write.output_shape().size();
  const auto batch = axis_of(TRY(integer_attribute(write.node(), "batch_axis", 1)), rank);
  const auto time = axis_of(TRY(integer_attribute(write.node(), "time_axis", 0)), rank);
  if (!batch || !time || write.computed(1) != ComputedType::integer)
    return refuse("an axis beyond its rank");
  std::vector<std::string> indices = write.axes();
  indices[*time] =
      fmt::format("clamp(select({0}<{1},{1}-1-{0},{0}),0,{2})", RegionWriter::axis(*time),
                  write.read(1, {RegionWriter::axis(*batch)}), write.shape(0)[*time] - 1);
  return write.finish_one(write.read(0, indices));
}

}  // namespace dovetail::node_rules
