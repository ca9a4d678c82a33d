// SPDX-License-Identifier: Apache-2.0
#pragma once

// onnx_schemas: the ONNX schema of each operator, by type and operator set: its inputs, its
// attributes and its shape inference.
//
//   onnx_schemas().GetSchema("Split", 18)      has num_outputs, and parts that are not all equal
//   onnx_schemas().GetSchema("Relu", 18)       libonnx's own, of operator set 14
//
// Debian's libonnx 1.12 ends at operator set 17, while torch's exporter writes 18 and later. A
// table holds the operators that changed since, as far as this version computes them; the others
// are unchanged. A node with an attribute or input that its row lacks is refused by the check of
// nodes, so that a newer meaning is never ignored. Why nodes are not rewritten to operator set 17:
// that needs ranks and shapes that only inference finds, and users would see other nodes than the
// exporter's.
//
// To add an operator: a row in onnx_schemas.cc, a case in tests/core/frontend/newer_opsets_test.cc;
// for its computation see computations/node_region.h.

namespace onnx {
class ISchemaRegistry;
}

namespace dovetail {

const onnx::ISchemaRegistry& onnx_schemas();

}  // namespace dovetail
