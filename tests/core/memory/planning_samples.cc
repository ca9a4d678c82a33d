// SPDX-License-Identifier: Apache-2.0
#include "tests/core/memory/planning_samples.h"

#include <algorithm>
#include <filesystem>
#include <random>

#include "core/base/files.h"
#include "core/memory/problem_text.h"
#include "tests/support/golden.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

struct Piece {
  int64_t lower, upper;  // times
  int64_t begin, end;    // kilobytes
};

class Cutter {
 public:
  explicit Cutter(const PerfectPacking& packing) : packing_(packing), random_(packing.seed) {}

  std::vector<Piece> cut() {
    pieces_ = {{0, packing_.times, 0, packing_.bytes / 1024}};
    while (std::ssize(pieces_) < packing_.buffers) cut_one();
    std::shuffle(pieces_.begin(), pieces_.end(), random_);
    return std::move(pieces_);
  }

 private:
  int64_t draw(int64_t count) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(count));
  }

  // The largest of three, so that sizes differ by orders of magnitude, but not by all of them.
  size_t pick() {
    const auto area = [&](size_t i) {
      return static_cast<double>(pieces_[i].upper - pieces_[i].lower) *
             static_cast<double>(pieces_[i].end - pieces_[i].begin);
    };
    size_t best = static_cast<size_t>(draw(std::ssize(pieces_)));
    for (int k = 0; k < 2; ++k) {
      const auto other = static_cast<size_t>(draw(std::ssize(pieces_)));
      if (area(other) > area(best)) best = other;
    }
    return best;
  }

  void cut_one() {
    Piece& piece = pieces_[pick()];
    const Piece whole = piece;
    const int64_t length = whole.upper - whole.lower;
    const int64_t height = whole.end - whole.begin;
    if (length > 4 && height > 4 && draw(4) == 0 && std::ssize(pieces_) + 4 <= packing_.buffers) {
      cut_around(piece, whole);
    } else if (draw(2) == 0 && length > 1) {
      piece.upper = whole.lower + 1 + draw(length - 1);
      pieces_.push_back({piece.upper, whole.upper, whole.begin, whole.end});
    } else if (height > 1) {
      piece.end = whole.begin + 1 + draw(height - 1);
      pieces_.push_back({whole.lower, whole.upper, piece.end, whole.end});
    }
  }

  void cut_around(Piece& piece, const Piece& whole) {
    const int64_t t1 = whole.lower + 1 + draw(whole.upper - whole.lower - 2);
    const int64_t t2 = t1 + 1 + draw(whole.upper - t1 - 1);
    const int64_t k1 = whole.begin + 1 + draw(whole.end - whole.begin - 2);
    const int64_t k2 = k1 + 1 + draw(whole.end - k1 - 1);
    piece = {t1, t2, k1, k2};
    for (const Piece& around :
         {Piece{whole.lower, t2, whole.begin, k1}, Piece{t2, whole.upper, whole.begin, k2},
          Piece{t1, whole.upper, k2, whole.end}, Piece{whole.lower, t1, k1, whole.end}})
      pieces_.push_back(around);
  }

  const PerfectPacking packing_;
  std::mt19937_64 random_;
  std::vector<Piece> pieces_;
};

}  // namespace

PlanningProblem planning_case(const std::string& name, std::vector<Pool> pools) {
  const std::string base = source_dir().string() + "/tests/core/memory/cases/" + name;
  PlanningProblem problem =
      right(parse_problem(right(read_file(base + ".csv")), name, std::move(pools)));
  if (std::filesystem::exists(base + ".conflicts.csv"))
    problem.conflicts =
        right(parse_conflicts(right(read_file(base + ".conflicts.csv")), name, problem));
  return problem;
}

PlanningProblem perfect_packing(const PerfectPacking& packing) {
  PlanningProblem problem;
  for (const Piece& piece : Cutter(packing).cut())
    problem.buffers.push_back({.id = "b" + std::to_string(problem.buffers.size()),
                               .bytes = (piece.end - piece.begin) * 1024,
                               .lifetime = {piece.lower, piece.upper}});
  return problem;
}

PlanningProblem random_planning_problem(int buffers, uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto draw = [&](int64_t count) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(count));
  };
  PlanningProblem problem;
  if (draw(2) == 0) problem.pools.push_back({.name = "other", .alignment = 1 + draw(4)});
  for (int i = 0; i < buffers; ++i) {
    const int64_t lower = draw(2 * buffers);
    LiveBuffer buffer{.id = "b" + std::to_string(i),
                      .bytes = draw(12),
                      .lifetime = {lower, lower + draw(8)},
                      .alignment = draw(3) == 0 ? int64_t{1} << draw(4) : 1};
    if (problem.pools.size() == 2 && draw(3) == 0) buffer.pools = {1, 0};
    if (draw(6) == 0) buffer.access = PoolAccess::ro;
    problem.buffers.push_back(buffer);
  }
  if (buffers < 2 || seed % 2 == 0) return problem;
  problem.conflicts.emplace();
  for (int64_t k = draw(3 * buffers); k > 0; --k) {
    const auto a = static_cast<int>(draw(buffers));
    const auto b = static_cast<int>(draw(buffers));
    if (a != b) problem.conflicts->emplace_back(a, b);
  }
  return problem;
}

}  // namespace dovetail::testing
