// SPDX-License-Identifier: Apache-2.0
#pragma once

// FeatureWriter: collects values, or their names: one walk gives both, so that they cannot differ.

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "costmodel/features/features.h"

namespace dovetail {

class FeatureWriter {
 public:
  explicit FeatureWriter(std::vector<std::string>* names = nullptr) : names_(names) {}

  // All that follows, until the next call, is named `group.…`.
  void begin(std::string_view group) { group_ = group; }
  void begin_level(int level) {
    level_name_ = "level" + std::to_string(level);
    group_ = level_name_;
  }
  void put(std::string_view name, double value) {
    if (names_ != nullptr) names_->push_back(std::string(group_) + "." + std::string(name));
    values_.push_back(std::isfinite(value) ? static_cast<float>(value) : 0);
  }
  void put_size(std::string_view name, double value) {
    put(name, std::copysign(std::log2(1 + std::abs(value)), value));
  }
  FeatureVector take() { return std::move(values_); }

 private:
  std::vector<std::string>* names_;
  std::string level_name_;
  std::string_view group_;
  FeatureVector values_;
};

}  // namespace dovetail
