// SPDX-License-Identifier: Apache-2.0
#pragma once

// Metadata of a package: the record behind each call, the accuracy of its regions, and the origin
// of its weights' bytes.
//
//   PackageFacts facts = facts_of_calls(variants, "logs/tune.jsonl");
//   facts.calls[0]     {.node = "Conv_0", .task = "c2d:…", .record = "#1.17@c2d:…"}
//   add_memory_facts(variants, facts);         once they are compiled
//
// Records lose the log's path, so that a package does not reveal where it was made; the log's hash
// says which log they are in. Errors are the
// largest on the data, or the rule's estimates if the network did not run.

#include <string>

#include "campaign/package/compiled_variants.h"
#include "core/base/result.h"
#include "deploy/package/package_facts.h"

namespace dovetail {

PackageFacts facts_of_calls(const CompiledVariants& variants, const std::string& log);

// Adds origins of weights, summed over the variants, and the memory plan of the best of them.
void add_memory_facts(const CompiledVariants& variants, PackageFacts& facts);

// SHA-256 of a file, in hexadecimal digits.
Result<std::string> digest_of_file(const std::string& path);

}  // namespace dovetail
