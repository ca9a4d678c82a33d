// SPDX-License-Identifier: Apache-2.0
#pragma once

// onnx_schemas: what ONNX says of each operator, by type and operator set: its inputs, its
// attributes, and the shapes that follow from theirs.
//
//   onnx_schemas().GetSchema("Split", 18)      has num_outputs, and parts that are not all equal
//   onnx_schemas().GetSchema("Relu", 18)       libonnx's own, of operator set 14
//
// Debian's libonnx 1.12 ends at operator set 17, while torch's exporter writes 18 and later. What
// changed since, and what of it this version computes, is a table here; the rest means what it
// meant. A node that says more than its row knows (an attribute, an input) is refused by the check
// of nodes, so that a newer meaning is never passed over. Why no rewriting of nodes to operator set
// 17: a rewrite needs ranks and shapes that only inference finds, and a user sees other nodes than
// the exporter's.
//
// To add an operator: a row in onnx_schemas.cc, a case in tests/core/frontend/newer_opsets_test.cc;
// what it computes: computations/node_region.h.

namespace onnx {
class ISchemaRegistry;
}

namespace dovetail {

const onnx::ISchemaRegistry& onnx_schemas();

}  // namespace dovetail
