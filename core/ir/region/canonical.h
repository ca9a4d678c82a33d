// SPDX-License-Identifier: Apache-2.0
//
// canonical: one text for equivalent regions, independent of a model's names and order of tensors
// and axes, so that equal regions share records.
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
// Regions of one operator have canonical specs and stay unchanged. Others are canonicalised by
// colour refinement: every tensor, dimension and axis has a colour, its rank among sorted keys,
// which is refined by the keys of its uses to a fixed point; ties (A + A') are broken each way, and
// the least text wins. So the result depends on no hash and on no name of the model. The border
// takes part: it may distinguish two equal inputs, one of which is blocked.
//
// Deliberately kept distinct: (a+b)+c and a+(b+c), x/2 and x*0.5, one elementwise step and two,
// regions that differ in dimensions of extent 1, permuted dimensions of a tensor at the border.
#pragma once

#include <map>
#include <string>

#include "core/ir/region/task_spec.h"

namespace dovetail {

struct CanonicalTask {
  KeyedTask spec;
  std::map<std::string, std::string, std::less<>> names;  // tensors: original -> canonical
};

CanonicalTask canonical(const TaskSpec& spec);

}  // namespace dovetail
