// SPDX-License-Identifier: Apache-2.0
#pragma once

// plan_svg: a picture of a plan, an SVG file of 1000 pixels: time to the right, bytes upwards, each
// buffer the rectangle that it occupies, pools one below the other.
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
// Pointing at a rectangle shows its name, bytes, times and offset. Colours are kinds of buffers; no
// kinds given: those that are written and those that are only read. It needs no font and no style
// sheet, and its numbers are whole tenths of pixels, so that the same plan gives the same bytes on
// any machine. Charts of measurements are report/charts's; this one lies here because a package has
// it, too, and what makes packages knows nothing of reports.

#include <string>
#include <vector>

#include "core/memory/plan.h"

namespace dovetail {

struct PlanPictureOptions {
  std::string title = "memory plan";
  std::vector<std::string> kinds = {};  // for the legend
  std::vector<size_t> kind_of = {};     // of each buffer, an index into kinds
};

std::string plan_svg(const PlanningProblem& problem, const Plan& plan,
                     const PlanPictureOptions& options = {});

}  // namespace dovetail
