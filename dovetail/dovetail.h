// SPDX-License-Identifier: Apache-2.0
#pragma once

// Everything that the library offers: tune a model, compile what was found, run it on arrays.
//
//   namespace dt = dovetail::api;
//   const dt::Model model = DOVETAIL_TRY(dt::Model::load("net.onnx"));
//   const dt::Target cpu = DOVETAIL_TRY(dt::find_target({.threads = 2}));
//   const dt::Log log("net.jsonl");
//   DOVETAIL_TRY(dt::tune(model, cpu, log, {.trials = 200}));
//   dt::Network network = DOVETAIL_TRY(dt::compile(model, cpu, log));
//   const std::vector<dt::NDArray> outputs = DOVETAIL_TRY(network.run(inputs));
//
// Handles (Model, Task, Log, Network) are cheap to copy; copies are the same object. Calls of one
// handle may come from any thread. No function forks, pins or signals its caller, prints, or sets
// environment variables; tune() starts worker programs.

#include "dovetail/log.h"
#include "dovetail/model.h"
#include "dovetail/ndarray.h"
#include "dovetail/network.h"
#include "dovetail/result.h"
#include "dovetail/target.h"
#include "dovetail/task.h"
#include "dovetail/tuner.h"
