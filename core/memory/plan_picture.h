// SPDX-License-Identifier: Apache-2.0
#pragma once

// plan_svg: a plan as an SVG file, 1000 pixels wide: time to the right, bytes upwards, each buffer
// a rectangle, pools one below the other.
//
//   bytes |####|      |      sram: 262144 of 262144 bytes, 98 buffers
//         |####|======|
//         |****|**|         what is free above the line of what is alive was lost to the order in
//         +-----------      which lifetimes begin and end
//          kernel
//
//   plan_svg(problem, plan, {.title = "resnet18", .kinds = {"temporaries", "inputs"},
//                            .kind_of = {0, 0, 1}})
//
// Hovering over a rectangle shows its name, bytes, times and offset. Colours are kinds of buffers;
// by default those that are written and those that are only read. The file needs no font and no
// style sheet, and its numbers are whole tenths of pixels, so that it is byte-identical on any
// machine. Charts of measurements are in report/charts; this one is here because packages contain
// it, too, and the code that makes packages does not depend on reports.

#include <string>
#include <vector>

#include "core/memory/plan.h"

namespace dovetail {

struct PlanPictureOptions {
  std::string title = "memory plan";
  std::vector<std::string> kinds = {};  // for the legend
  std::vector<size_t> kind_of = {};     // index into kinds, per buffer
};

std::string plan_svg(const PlanningProblem& problem, const Plan& plan,
                     const PlanPictureOptions& options = {});

}  // namespace dovetail
