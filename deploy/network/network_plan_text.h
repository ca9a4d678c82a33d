// SPDX-License-Identifier: Apache-2.0
#pragma once

// A network's plan as the planning problem that it solves, for people and for `dovetail plan`.
//
//   id,lower,upper,size,alignment,pools,offset,access       plan_text, a package's plan.csv
//   x,0,2,602112,64,sram,0,rw
//   conv1.W,0,117,36864,64,flash,0,ro
//
//   dovetail plan plan.csv       reads it, checks it, and says what the plan says
//
// The text has all that a loaded network keeps: temporaries, inputs and outputs, constants. It
// omits what only the preparation of constants reads, which is freed by then and whose times are
// calls. Sizes are rounded up to the alignment, as they were planned.

#include <string>

#include "core/memory/plan.h"
#include "deploy/network/network_plan.h"

namespace dovetail {

struct StatedPlan {
  PlanningProblem problem;  // its pools are the plan's arenas, without limits
  Plan plan;
};
// Precondition: `plan` is a plan of `network`.
StatedPlan stated_plan(const NetworkProgram& network, const NetworkPlan& plan);

std::string plan_text(const NetworkProgram& network, const NetworkPlan& plan);

// The same as a picture (core/memory/plan_picture.h).
std::string plan_picture(const NetworkProgram& network, const NetworkPlan& plan);

}  // namespace dovetail
