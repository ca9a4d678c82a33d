// SPDX-License-Identifier: Apache-2.0
#pragma once

// The words that options take, each list from the table that decides what is accepted: --help and
// shell completion show what there is.
//
//   target_forms()      cpu, cpu:threads=N, cpu:arch=NAME, opencl, ...
//   search_variants()   joint, no_texture, unfused, no_layouts, loop_only
//
// An option names one of these functions (Option::values, campaign/option_table.h).

#include <string>
#include <vector>

namespace dovetail {

std::vector<std::string> target_forms();
std::vector<std::string> cache_words();
std::vector<std::string> recorded_cache_words();  // without `network`, which stands for one of two
std::vector<std::string> strategy_names();
std::vector<std::string> cost_model_names();
std::vector<std::string> search_variants();
std::vector<std::string> network_variants();
std::vector<std::string> fixed_layouts();
std::vector<std::string> planner_names();
std::vector<std::string> shown_texts();
std::vector<std::string> library_words();  // that bench compares with, or none
std::vector<std::string> engine_words();   // that run compares with

}  // namespace dovetail
