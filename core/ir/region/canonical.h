// SPDX-License-Identifier: Apache-2.0
//
// canonical: one text for regions that mean the same, whatever a model called their tensors and
// axes and in which order it wrote them down, so that equal regions find each other's records.
//
//     P[x]+=exp(V[x,y]-Q[x])  …      V, P and Q become A, B, C …, x and y become a, b
//     Y[i,j]=B[j]+A[i,j]             operands of + * min max stand in one order
//     T[j,i]=…; Y[i,j]=T[j,i]        dimensions of inner tensors, too, and parts that are
//                                    independent of each other
//
//     const CanonicalTask task = canonical(spec);
//     print(task.spec)               the key of logs
//     task.names.at("V")             "A": elements keep their order, only names change
//
// Operators are spelled by their kinds, and stay as they are. Colours are ranks among sorted keys:
// every tensor, dimension and axis has one, which is refined by what it meets where it is used,
// until nothing changes; ties (A + A') are split each way, and the least text wins. So no hash
// decides, and nothing that a model named. A border takes part in it: which of two equal inputs is
// the blocked one.
//
// Not identified, on purpose: (a+b)+c and a+(b+c), x/2 and x*0.5, one elementwise step and two,
// dimensions of one, dimensions of a tensor at the border in another order.
#pragma once

#include <map>
#include <string>

#include "core/ir/region/task_spec.h"

namespace dovetail {

struct CanonicalTask {
  TaskSpec spec;
  std::map<std::string, std::string, std::less<>> names;  // of tensors: ours -> canonical
};

CanonicalTask canonical(const TaskSpec& spec);

}  // namespace dovetail
