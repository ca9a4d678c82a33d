// SPDX-License-Identifier: Apache-2.0
//
// NetworkProgram: a compiled network: the programs of its regions, the buffers between them, and
// the calls in execution order.
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
// A program may be called several times: layers of one shape share its code, each with its own
// buffers. A call's buffers are in the order of its program's and have the same sizes; their
// layouts may be stated for another shape, where calls see one storage as different shapes.
//
// Kernels marked `once` run before all others, call by call, to prepare constants. The others are
// numbered consecutively over all calls; lifetimes are intervals of these numbers.
//
// Why not one program with all kernels: only one of BERT's twelve layers is compiled, and its
// records are in a log under one name.
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
  std::string name;             // the graph node's
  size_t program = 0;           // index into NetworkProgram::programs
  std::vector<size_t> buffers;  // indices into NetworkProgram::buffers, in the program's order
  friend bool operator==(const NetworkCall&, const NetworkCall&) = default;
};

// Roles are those in the network: its inputs are activations, its outputs are outputs, and buffers
// between or within calls are temporaries.
struct NetworkBuffer {
  Buffer buffer;
  // The graph's tensors that the buffer holds: an input, an output, or a constant followed by the
  // guests in its storage, in the layout's order. Empty for other buffers.
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

// Succeeds when every program verifies, each call's buffers exist, have the size, element type and
// memory scope of its program's and a role that allows the program's accesses, and every buffer is
// written before a call reads it.
Result<void> verify(const NetworkProgram& network);

// The lifetime of each of the network's buffers, in kernels that do not run once. Inputs, constants
// and prepared buffers live throughout, outputs to the end; nullopt for a buffer that no such
// kernel uses.
std::vector<std::optional<Lifetime>> lifetimes_of(const NetworkProgram& network);
// The same without extending buffers to the whole run: an input ends with its last reader, an
// output starts with its writer. Outside its span a buffer's memory may be reused.
std::vector<std::optional<Lifetime>> spans_of_use(const NetworkProgram& network);
size_t kernels_repeated(const NetworkProgram& network);  // kernels that do not run once

// Drops kernel bodies, unneeded once code exists: a large network's unrolled loops take tens of MB.
NetworkProgram without_bodies(NetworkProgram network);

// Peak bytes of simultaneously live temporaries: a lower bound for every memory plan.
int64_t live_workspace_bytes(const NetworkProgram& network);

}  // namespace dovetail
