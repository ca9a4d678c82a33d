// SPDX-License-Identifier: Apache-2.0
#pragma once

// Linker: builds a network program, call by call.
//
//   Linker linker("resnet18");
//   const size_t x = linker.hold(input, "x", {"x"});
//   linker.constant(weight, "conv1.W", {"conv1.weight"})   the same one again is the same buffer
//   linker.call("conv1", key, program, {x, w, y});         calls with one key share their program
//
// Names are the graph's, made unique, with characters replaced that a program's text cannot have.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/network/network_program.h"

namespace dovetail {

class Linker {
 public:
  explicit Linker(std::string name) { network_.name = std::move(name); }

  // `name` need not be unique or a valid name.
  size_t hold(Buffer buffer, std::string_view name, std::vector<std::string> tensors = {});
  size_t constant(Buffer buffer, std::string_view name, std::vector<std::string> tensors);
  void call(std::string name, const std::string& key, const Program& program,
            std::vector<size_t> buffers);
  NetworkProgram linked() && { return std::move(network_); }

 private:
  std::string free_name(std::string_view wanted);

  NetworkProgram network_;
  std::set<std::string, std::less<>> names_;
  std::map<std::string, size_t> programs_;   // by key
  std::map<std::string, size_t> constants_;  // by tensors, type and layout
};

}  // namespace dovetail
