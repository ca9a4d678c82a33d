// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout/store_at.h"
#include "core/base/text.h"
#include "primitives/refuse.h"

#include <fmt/format.h>

#include <algorithm>

namespace dovetail {
namespace {

Tensor* find_tensor(Computation& computation, const std::string& name) {
  const auto it = std::ranges::find(computation.tensors, name, &Tensor::name);
  return it == computation.tensors.end() ? nullptr : &*it;
}

LogicalDim* find_dim(std::vector<LogicalDim>& dims, const std::string& name) {
  const auto it = std::ranges::find(dims, name, &LogicalDim::name);
  return it == dims.end() ? nullptr : &*it;
}

// Performs one line; `joined` is the result of the lines before it.
class Join {
 public:
  Join(const TensorLayout& line, JoinedComputation& joined)
      : line_(line),
        store_(std::get<layout::StoreAt>(line.primitives.front())),
        what_(fmt::format("layout {}: {}", line.tensor, print(LayoutPrimitive(store_)))),
        joined_(joined) {}

  Result<void> perform() {
    TRY(check_line());
    Tensor* guest = find_tensor(joined_.computation, line_.tensor);
    if (guest == nullptr) return refuse(what_, "no such tensor");
    Tensor* host = find_tensor(joined_.computation, store_.host);
    if (host == nullptr) return refuse(what_, "no tensor {} to store it in", store_.host);
    TRY(check_tensors(*host, *guest));
    LogicalDim* along = find_dim(host->dims, store_.axis);
    const LogicalDim* own = find_dim(guest->dims, store_.axis);
    const int64_t at = along->extent;
    along->extent += own == nullptr ? 1 : own->extent;
    joined_.guests[host->name].push_back({guest->name, guest->dims, store_.axis, at});
    redirect(*host, *guest, at);
    std::erase_if(joined_.computation.tensors,
                  [&](const Tensor& tensor) { return tensor.name == line_.tensor; });
    return {};
  }

 private:
  Result<void> check_line() const {
    if (line_.primitives.size() > 1)
      return refuse(
          what_, "found other primitives beside it, expected it alone; the host's line has them");
    if (line_.scope != MemoryScope::global)
      return refuse(what_, "found scope {}, expected the host's", print(line_.scope));
    if (store_.host == line_.tensor) return refuse(what_, "a tensor cannot hold itself");
    return {};
  }

  Result<void> check_tensors(Tensor& host, const Tensor& guest) const {
    if (guest.role != TensorRole::constant || host.role != TensorRole::constant) {
      return refuse(what_, "{} is no constant; joining it would be a pass of every inference",
                    guest.role != TensorRole::constant ? guest.name : host.name);
    }
    if (joined_.guests.contains(guest.name))
      return refuse(what_, "{} holds another tensor itself", guest.name);
    if (find_dim(host.dims, store_.axis) == nullptr) {
      return refuse(what_, "{} has no axis {}, expected one of {}", host.name, store_.axis,
                    one_of(host.dims, &LogicalDim::name));
    }
    for (const LogicalDim& dim : guest.dims) {
      const LogicalDim* same = find_dim(host.dims, dim.name);
      if (same == nullptr) {
        return refuse(what_, "{} has no axis {} that {} could lie along", host.name, dim.name,
                      guest.name);
      }
      if (dim.name != store_.axis && same->extent != dim.extent) {
        return refuse(what_, "axis {} has extent {} in {} and {} in {}, expected the same",
                      dim.name, dim.extent, guest.name, same->extent, host.name);
      }
    }
    return {};
  }

  // guest[x] -> host[…]: x where the guest has the dimension, `at` along the axis, 0 elsewhere.
  void redirect(const Tensor& host, const Tensor& guest, int64_t at) {
    for (Access& access : joined_.computation.reads) {
      if (access.tensor != guest.name) continue;
      Access moved{host.name, std::vector<IndexExpr>(host.dims.size())};
      for (size_t j = 0; j < host.dims.size(); ++j) {
        if (host.dims[j].name == store_.axis) moved.indices[j] = at;
        for (size_t g = 0; g < guest.dims.size(); ++g)
          if (guest.dims[g].name == host.dims[j].name)
            moved.indices[j] = moved.indices[j] + access.indices[g];
      }
      access = std::move(moved);
    }
  }

  const TensorLayout& line_;
  const layout::StoreAt& store_;
  std::string what_;  // prefix of error messages
  JoinedComputation& joined_;
};

}  // namespace

bool is_store_at(const TensorLayout& line) {
  return std::ranges::any_of(line.primitives, [](const LayoutPrimitive& primitive) {
    return std::holds_alternative<layout::StoreAt>(primitive);
  });
}

Result<JoinedComputation> apply_store_at(const std::vector<TensorLayout>& layouts,
                                         const Computation& computation) {
  JoinedComputation joined{computation, {}};
  for (const TensorLayout& line : layouts) {
    if (!is_store_at(line)) continue;
    if (!std::holds_alternative<layout::StoreAt>(line.primitives.front()))
      return refuse("layout " + line.tensor, "store_at after other primitives, expected it alone");
    TRY(Join(line, joined).perform());
  }
  return joined;
}

}  // namespace dovetail
