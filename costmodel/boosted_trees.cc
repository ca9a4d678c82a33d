// SPDX-License-Identifier: Apache-2.0
#include "costmodel/boosted_trees.h"

#include <fmt/format.h>
#include <xgboost/c_api.h>

#include <cmath>
#include <numeric>

#include "core/base/check.h"

namespace dovetail {

struct BoostedTrees::Handle {
  BoosterHandle booster = nullptr;
  Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (booster != nullptr) XGBoosterFree(booster);
  }
};

namespace {

void require(int status) {
  CHECK(status == 0, fmt::format("XGBoost failed: {}", XGBGetLastError()));
}

class Matrix {
 public:
  explicit Matrix(std::span<const FeatureVector> rows) {
    const size_t columns = rows.empty() ? feature_names().size() : rows.front().size();
    std::vector<float> values;
    values.reserve(rows.size() * columns);
    for (const FeatureVector& row : rows) {
      CHECK(row.size() == columns, "all rows have the same features");
      values.insert(values.end(), row.begin(), row.end());
    }
    require(XGDMatrixCreateFromMat(values.data(), rows.size(), columns, std::nanf(""), &handle_));
  }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
  ~Matrix() { XGDMatrixFree(handle_); }

  void set(const char* field, const std::vector<float>& values) {
    require(XGDMatrixSetFloatInfo(handle_, field, values.data(), values.size()));
  }
  DMatrixHandle get() const { return handle_; }

 private:
  DMatrixHandle handle_ = nullptr;
};

void set_parameters(BoosterHandle booster, const BoostingOptions& options) {
  const std::pair<const char*, std::string> parameters[] = {
      {"objective", "reg:squarederror"},
      {"tree_method", "hist"},
      {"nthread", "1"},
      {"verbosity", "0"},
      {"disable_default_eval_metric", "1"},
      {"max_bin", "64"},
      {"max_depth", "6"},
      {"eta", "0.15"},
      {"seed", std::to_string(options.seed % (uint64_t{1} << 31))},
  };
  for (const auto& [name, value] : parameters)
    require(XGBoosterSetParam(booster, name, value.c_str()));
}

int load(BoosterHandle booster, std::string_view bytes) {
  return XGBoosterLoadModelFromBuffer(booster, bytes.data(), bytes.size());
}

double mean(const std::vector<float>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(std::max<size_t>(values.size(), 1));
}

}  // namespace

Result<void> BoostedTrees::available() { return {}; }

Result<BoostedTrees> BoostedTrees::train(const TrainingRows& rows, const BoostingOptions& options,
                                         const BoostedTrees* prior) {
  CHECK(!rows.features.empty() && rows.features.size() == rows.labels.size(),
        "a label for each row, and a row at least");
  Matrix matrix(rows.features);
  matrix.set("label", rows.labels);
  auto handle = std::make_shared<Handle>();
  const DMatrixHandle matrices[] = {matrix.get()};
  require(XGBoosterCreate(matrices, 1, &handle->booster));
  if (prior != nullptr) {
    if (load(handle->booster, prior->bytes()) != 0)
      return fail("the trees to go on from cannot be read again");
  } else {
    require(XGBoosterSetParam(handle->booster, "base_score",
                              fmt::format("{}", mean(rows.labels)).c_str()));
  }
  set_parameters(handle->booster, options);
  int first = 0;  // trees of the prior
  if (prior != nullptr) require(XGBoosterBoostedRounds(prior->handle_->booster, &first));
  for (int round = 0; round < options.rounds; ++round)
    require(XGBoosterUpdateOneIter(handle->booster, first + round, matrix.get()));
  return BoostedTrees(std::move(handle));
}

Result<BoostedTrees> BoostedTrees::from_bytes(std::string_view bytes) {
  auto handle = std::make_shared<Handle>();
  require(XGBoosterCreate(nullptr, 0, &handle->booster));
  if (load(handle->booster, bytes) != 0) return fail("found no trees that XGBoost reads");
  require(XGBoosterSetParam(handle->booster, "nthread", "1"));
  return BoostedTrees(std::move(handle));
}

std::vector<double> BoostedTrees::predict(std::span<const FeatureVector> rows) const {
  if (rows.empty()) return {};
  const Matrix matrix(rows);
  const bst_ulong* shape = nullptr;
  bst_ulong dimensions = 0;
  const float* values = nullptr;
  constexpr const char* kConfig =
      R"({"type": 0, "training": false, "iteration_begin": 0, "iteration_end": 0,)"
      R"( "strict_shape": false})";
  require(XGBoosterPredictFromDMatrix(handle_->booster, matrix.get(), kConfig, &shape, &dimensions,
                                      &values));
  CHECK(dimensions == 1 && shape[0] == rows.size(), "one prediction for each row");
  return {values, values + rows.size()};
}

std::string BoostedTrees::bytes() const {
  bst_ulong size = 0;
  const char* data = nullptr;
  require(XGBoosterSaveModelToBuffer(handle_->booster, R"({"format": "json"})", &size, &data));
  return {data, size};
}

}  // namespace dovetail
