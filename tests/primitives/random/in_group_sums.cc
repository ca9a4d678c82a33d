// SPDX-License-Identifier: Apache-2.0
#include "tests/primitives/random/in_group_sums.h"

#include <fmt/format.h>

#include <cstdint>
#include <initializer_list>

namespace dovetail::testing {
namespace {

class DrawInGroupSum {
 public:
  explicit DrawInGroupSum(std::mt19937_64& rng) : rng_(rng) {}

  InGroupSum drawn() {
    const int64_t rows = pick({2, 4}), columns = pick({2, 4}), lanes = pick({2, 4});
    const int64_t parts = pick({2, 2, 3, 4}), block = pick({4, 8});
    const int64_t m = rows * pick({1, 2, 3}), n = columns * lanes * pick({1, 2, 3});
    const bool shared_parts = one_in(2) && parts > 1;  // the parts, too, are of work-items
    std::string trace = fmt::format(
        "loops: split(loop=k, factor={}) ; rfactor(k.0) ; split(loop=m, factor={}) ; "
        "split(loop=n, factor={}) ; split(loop=n.1, factor={}) ; "
        "reorder(m.0, n.0, m.1, n.1.0, k.0, n.1.1) ; vectorize(n.1.1) ; bind(m.0, group.1) ; "
        "bind(n.0, group.0) ; bind(m.1, thread.1) ; bind(n.1.0, thread.0) ; "
        "cache_write(tensor=Y, at=n.1.0)\n",
        block, rows, columns * lanes, lanes);
    trace += fmt::format(
        "loops Y.rf: compute_at(stage=gmm, loop=n.0, scope=local) ; split(loop=n, factor={}) ; "
        "split(loop=k.1, factor={}) ; reorder(k.0, m, n.0, k.1.0, k.1.1, n.1) ; vectorize(n.1) ; ",
        lanes, pick({2, block}));
    if (shared_parts && rows == parts) {
      trace += "bind(k.0, thread.1) ; bind(n.0, thread.0) ; ";  // then no loop is over rows
    } else {
      trace += "bind(m, thread.1) ; bind(n.0, thread.0) ; ";
    }
    trace += "cache_write(tensor=Y.rf, at=n.0)";
    for (const char* factor : {"X", "W"})
      if (!one_in(3))
        trace += fmt::format(" ; cache_read(tensor={}, at={}, scope=local{})", factor,
                             one_in(2) ? "n.0" : "k.1.0", one_in(3) ? ", pad=4" : "");
    if (one_in(4)) trace += " ; double_buffer(tensor=W.cache)";
    return {fmt::format("gmm:m={},n={},k={}", m, n, parts * block), trace + "\n"};
  }

 private:
  bool one_in(uint64_t n) { return rng_() % n == 0; }
  int64_t pick(std::initializer_list<int64_t> items) {
    return items.begin()[rng_() % items.size()];
  }

  std::mt19937_64& rng_;
};

}  // namespace

InGroupSum in_group_sum(std::mt19937_64& rng) { return DrawInGroupSum(rng).drawn(); }

}  // namespace dovetail::testing
