// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/kept_text.h"

#include "core/base/check.h"
#include "core/record/gzip.h"

namespace dovetail {
namespace {

constexpr size_t kBlockBytes = 1 << 20;

}  // namespace

void KeptText::append(std::string_view text) {
  rest_ += text;
  tail_ += text.substr(text.size() - std::min(text.size(), kTailBytes));
  tail_.erase(0, tail_.size() - std::min(tail_.size(), kTailBytes));
  while (rest_.size() >= kBlockBytes) {
    blocks_.push_back(gzip(std::string_view(rest_).substr(0, kBlockBytes), GzipEffort::least));
    rest_.erase(0, kBlockBytes);
  }
}

std::string KeptText::text() const {
  std::string all;
  for (const std::string& block : blocks_) {
    Result<std::string> text = gunzip(block);
    CHECK(text.has_value(), "what was compressed here is gzip data");
    all += *text;
  }
  return all + rest_;
}

}  // namespace dovetail
