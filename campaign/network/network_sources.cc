// SPDX-License-Identifier: Apache-2.0
#include "campaign/network/network_sources.h"

#include <memory>
#include <utility>

#include "campaign/network/network_variants.h"
#include "campaign/recorded_tasks.h"

namespace dovetail {

Result<SharedLog> NetworkSources::read_log(const Listener& listener) const {
  return std::make_shared<const std::optional<Log>>(TRY(read_log_of_run(log, listener, exact)));
}

Result<Partition> NetworkSources::read_parts(const std::optional<Log>& own_log) const {
  Graph graph = TRY(read_model(model, inputs));
  const PartitionOptions as_tuned =
      own_log ? TRY(partition_of(*own_log, graph)) : PartitionOptions();
  return partition(std::move(graph), as_tuned);
}

Result<SharedLog> log_of_variant(const SharedLog& log, const std::optional<std::string>& variant) {
  if (!*log || variant == kDefaultVariant) return std::make_shared<const std::optional<Log>>();
  if (!variant || !has_fixed_layout(*variant)) return log;
  return std::make_shared<const std::optional<Log>>(TRY(campaigns_of_variant(**log, *variant)));
}

}  // namespace dovetail
