// SPDX-License-Identifier: Apache-2.0
//
// NetworkProgram: what a network becomes: programs of its regions, the buffers between them, and
// the calls that run one after the other.
//
//   network resnet18
//   program 0
//   buffer X: f32 activation X[n=1, i=3, h=224, w=224] as …        what one region was lowered to
//   …
//   storage
//   buffer x: f32 activation x[a=1, b=3, c=224, d=224] as …        what is held for the network
//   buffer conv1.W: f32 constant conv1.W[…] as …
//   buffer conv1.Y: f32 temporary conv1.Y[…] as …
//   holds x input
//   holds conv1.W conv1.weight conv1.bias                         tensors of the graph, by name
//   calls
//   call conv1 0 x conv1.W conv1.Y                                 program 0 on these buffers
//
// A program may be called often: layers of one shape share their code, each with buffers of its
// own. Buffers of a call are in the order of its program's, as many bytes each; their layouts may
// be written down in other terms, where only a shape changed in between.
//
// Kernels `once` run before everything else, call by call: they prepare constants. All others are
// numbered through, which is the time that lifetimes are counted in.
//
// Why not one program with all kernels: of BERT's twelve layers one is compiled, and what runs is
// found in a log under one name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/program/lifetimes.h"
#include "core/ir/program/program.h"

namespace dovetail {

struct NetworkCall {
  std::string name;             // of the graph's node
  size_t program = 0;           // index into NetworkProgram::programs
  std::vector<size_t> buffers;  // of the program's buffers, in order: indices into the network's
  friend bool operator==(const NetworkCall&, const NetworkCall&) = default;
};

// Roles are the network's: activations are its inputs, outputs its outputs, and what lies between
// two calls, or within one, is a temporary.
struct NetworkBuffer {
  Buffer buffer;
  // The graph's tensors that the buffer holds: of an input, an output, or a constant (with those
  // that live in its storage, in the layout's order). Of others none.
  std::vector<std::string> tensors = {};
  friend bool operator==(const NetworkBuffer&, const NetworkBuffer&) = default;
};

struct NetworkProgram {
  std::string name;
  std::vector<Program> programs;
  std::vector<NetworkBuffer> buffers;
  std::vector<NetworkCall> calls;
  friend bool operator==(const NetworkProgram&, const NetworkProgram&) = default;
};

std::string print(const NetworkProgram& network);
// The error names the line.
Result<NetworkProgram> parse_network(std::string_view text);

// Holds when every program verifies, each call's buffers are there, as large as its program's and
// of a role that allows what the program does with them, and what a call reads was written before.
Result<void> verify(const NetworkProgram& network);

// From which kernel to which a buffer holds something, kernels that run once left out; one for each
// of the network's buffers. Inputs, constants and what is prepared live all the time; nothing for a
// buffer that no such kernel uses.
std::vector<std::optional<Lifetime>> lifetimes_of(const NetworkProgram& network);
// From the first kernel that names a buffer to the last one: an input's last reader, an output's
// writer. What was given or made by then is as free as anything else.
std::vector<std::optional<Lifetime>> spans_of_use(const NetworkProgram& network);
size_t kernels_repeated(const NetworkProgram& network);  // by which lifetimes are counted

// For whoever has the code: written-out loops of a large network take tens of megabytes.
NetworkProgram without_bodies(NetworkProgram network);

// The most bytes of temporaries that live at one time: no plan needs less.
int64_t live_workspace_bytes(const NetworkProgram& network);

}  // namespace dovetail
