// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/region_tensors.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/ir/region/region_text.h"

namespace dovetail {
namespace {

// Memory of a run in floats: storage, values, and the reference in double with its error bound.
constexpr double kFloatsPerElement = 8;
constexpr double kMebibyte = 1 << 20;

double most_bytes() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE)) /
         kFloatsPerElement;
}

std::string expected_bytes() {
  return fmt::format("expected at most {:.0f} MiB, an eighth of this machine's memory",
                     most_bytes() / kMebibyte);
}

OuterTensor as_computed(const Tensor& tensor) {
  return {.name = tensor.name, .type = tensor.type, .shape = shape_of(tensor)};
}

OuterTensor operand_of(const Operator& op, const Computation& computation, Operand operand,
                       const std::string& name) {
  return {.name = name,
          .type = tensor_named(computation, name).type,
          .shape = logical_shape(op, operand)};
}

std::vector<OuterTensor> operands_of(const Operator& op, const Computation& computation) {
  std::vector<OuterTensor> operands = {operand_of(op, computation, Operand::input, "X"),
                                       operand_of(op, computation, Operand::weight, "W")};
  for (const Epilogue& epilogue : op.epilogues) {
    if (epilogue.kind == EpilogueKind::bias)
      operands.push_back(operand_of(op, computation, Operand::bias, "bias"));
    if (epilogue.kind == EpilogueKind::add)
      operands.push_back(operand_of(op, computation, Operand::addend, "add"));
  }
  if (op.tail)
    for (const TailTensor& tensor : op.tail->tensors)
      operands.push_back(
          {.name = tensor.name, .type = tensor.type, .shape = tail_shape(op, tensor)});
  return operands;
}

// Names followed by a bracket, each once, in the order of the text.
std::vector<std::string> tensors_named_in(std::string_view text) {
  const auto is_letter = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  std::vector<std::string> names;
  for (size_t at = 0; at < text.size();) {
    const auto* const begin = text.begin() + at;
    const auto* const end = std::find_if_not(begin, text.end(), is_letter);
    const auto* const next = std::find_if(end, text.end(), [](char c) { return c != ' '; });
    std::string name(begin, end);
    if (!name.empty() && next != text.end() && *next == '[' &&
        std::ranges::find(names, name) == names.end())
      names.push_back(std::move(name));
    at = static_cast<size_t>(std::max(end, begin + 1) - text.begin());
  }
  return names;
}

}  // namespace

std::vector<OuterTensor> tensors_given(const Region& region, std::string_view text) {
  if (region.op) return operands_of(*region.op, region.computations.front().computation);
  const std::vector<Tensor> given = given_tensors(region);
  std::vector<OuterTensor> tensors;
  for (const std::string& name : tensors_named_in(text.substr(0, text.find(':')))) {
    const auto tensor = std::ranges::find(given, name, &Tensor::name);
    if (tensor != given.end()) tensors.push_back(as_computed(*tensor));
  }
  CHECK(tensors.size() == given.size(), "the text names every tensor that is given");
  return tensors;
}

std::vector<OuterTensor> tensors_made(const Region& region) {
  std::vector<OuterTensor> tensors;
  for (const std::string& name : region.outputs) {
    const auto maker = std::ranges::find_if(region.computations, [&](const NamedComputation& c) {
      return c.computation.output.tensor == name;
    });
    CHECK(maker != region.computations.end());
    tensors.push_back(as_computed(tensor_named(maker->computation, name)));
  }
  if (region.op) tensors.front().shape = logical_shape(*region.op, Operand::output);
  return tensors;
}

Result<void> check_memory(const Region& region) {
  double bytes = 0;
  for (const Tensor& tensor : tensors_of(region))
    bytes += static_cast<double>(tensor_bytes(tensor));
  if (bytes <= most_bytes()) return {};
  return fail("{}: tensors of {:.0f} MiB; {}", print(region), bytes / kMebibyte, expected_bytes());
}

Result<void> check_memory(const Graph& graph) {
  for (const GraphTensor& tensor : graph.tensors) {
    double bytes = is_stored(tensor.type) ? static_cast<double>(bytes_of(tensor.type)) : 1;
    for (const int64_t extent : tensor.shape.value_or(std::vector<int64_t>()))
      bytes *= static_cast<double>(extent);
    if (bytes > most_bytes())
      return fail("tensor {} of {:.0f} MiB; {}", tensor.name, bytes / kMebibyte, expected_bytes());
  }
  return {};
}

}  // namespace dovetail
