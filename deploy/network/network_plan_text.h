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
// All that a network keeps is in it: temporaries, inputs and outputs, constants. What only the
// preparation of constants reads is gone by then, and its times are others. Sizes are multiples of
// the alignment, as they were planned.

#include <string>

#include "core/memory/plan.h"
#include "deploy/network/network_plan.h"

namespace dovetail {

struct StatedPlan {
  PlanningProblem problem;  // its pools are the plan's arenas, without limits
  Plan plan;
};
// For a plan of this network.
StatedPlan stated_plan(const NetworkProgram& network, const NetworkPlan& plan);

std::string plan_text(const NetworkProgram& network, const NetworkPlan& plan);

// The same as a picture (core/memory/plan_picture.h).
std::string plan_picture(const NetworkProgram& network, const NetworkPlan& plan);

}  // namespace dovetail
