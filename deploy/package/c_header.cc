// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/c_header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/printable.h"
#include "core/base/text.h"
#include "deploy/package/c_literal.h"

namespace dovetail {
namespace {

constexpr std::string_view kHeader = R"(/* SPDX-License-Identifier: Apache-2.0
 * @name@: a network as machine code, by @tool@ from the model with
 * sha256 @model@,
 * for @system@, @processor@, @threads@. C99, C11, C++11 and up. Build @id8@.@beyond@ */
#ifndef @NAME@_H
#define @NAME@_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

@sizes@
/* Row-major, at any address. Those at a multiple of 64 are used where they are; others are copied
 * to their place in the workspace, or from it.@indices@ */
@inputs@
@outputs@
@pools@
typedef enum @name@_status {
  @NAME@_OK = 0,
  @NAME@_NULL = -1, /* a pointer is missing */
  @NAME@_ALIGNED = -2, /* workspace or weights are no multiple of their alignment */
  @NAME@_WEIGHTS = -3, /* not this package's weights: magic, version, id, length or hash */
  @NAME@_CHECKSUM = -4, /* @name@_check_weights: a byte is another one */
  @NAME@_CPU = -5, /* this processor lacks what the code needs */
  @NAME@_OVERLAP = -6   /* an output or a workspace lies over another, an input or weights */
} @name@_status;
const char* @name@_status_text(@name@_status status);

/* Calls task(tables, first, last) for ranges that make up 0..extent, once each, in any order, on
 * any threads, and returns when all are done. NULL: all of it on the calling thread.@shared@ */
typedef void (*@name@_task)(void* const* tables, int64_t first, int64_t last);
typedef void (*@name@_parallel_for)(
    void* context, @name@_task task, void* const* tables, int64_t extent);

/* A plain value: copy it, share it; @name@_run never writes to it. */
typedef struct @name@ {
  @weights_member@
  @name@_parallel_for parallel_for; /* may be NULL */
  void* parallel_context;
@variant_member@
  const void* reserved[@reserved@];
} @name@;

/* Header and library of two builds do not link. */
#define @name@_init @name@_init_@id8@

int @name@_abi(void); /* @NAME@_ABI of the library */
const char* @name@_metadata(void); /* metadata.json, less calls, accuracy, files, log and options */

/* Takes no time that grows with the weights: reads their first 64 bytes, and asks the processor. */
@name@_status @name@_init(@name@* model, @init_parameters@);
@name@_status @name@_check_weights(const @name@* model); /* reads every byte */

@run_comment@
@name@_status @name@_run(
    const @name@* model, const @name@_inputs* inputs,
    const @name@_outputs* outputs@run_parameter@);

/* Places @inside@ with which @name@_run copies nothing. A run uses the inputs' bytes
 * for other things: write them again before the next one (they are yours to write, const or not).
 * Outputs last until then. */
void @name@_map_inputs(@map_parameters@@name@_inputs* inputs);
void @name@_map_outputs(@map_parameters@@name@_outputs* outputs);

#ifdef __cplusplus
}
#endif

#endif /* @NAME@_H */
)";

using Lines = std::vector<std::pair<std::string, std::string>>;  // code, comment

std::string print(const Lines& lines) {
  std::string text;
  for (const auto& [code, comment] : lines)
    text += comment.empty() ? code + "\n" : fmt::format("{} /* {} */\n", code, comment);
  return text;
}

// Words as further lines of a comment, each within the header's columns.
std::string comment_lines(std::string_view text) {
  constexpr size_t kColumns = 97;  // without the end of the comment
  std::string lines;
  for (const std::string_view line : split(text, '\n')) {
    size_t column = kColumns;
    for (const std::string_view word : split(line, ' ')) {
      if (word.empty()) continue;
      if (column + 1 + word.size() > kColumns) {
        lines += "\n *";
        column = 2;
      }
      lines += " " + in_comment(word);
      column += 1 + word.size();
    }
  }
  return lines;
}

std::string shape_of(const InterfaceTensor& tensor) {
  return tensor.shape.empty() ? "{1}" : fmt::format("{{{}}}", fmt::join(tensor.shape, ", "));
}

void add_arenas(Lines& lines, const PackageInterface& interface,
                const std::vector<InterfaceArena>& arenas, std::string_view what) {
  for (const InterfaceArena& arena : arenas) {
    const std::string pool =
        arenas.size() == 1 ? "" : fmt::format(", pool {}", in_comment(arena.name));
    lines.emplace_back(fmt::format("#define {}_{}_BYTES {}", interface.macro, arena.macro,
                                   size_literal(arena.bytes)),
                       fmt::format("{}{}", what, pool));
    if (arenas.size() == 1) continue;
    lines.emplace_back(
        fmt::format("#define {}_{}_ALIGNMENT {}", interface.macro, arena.macro, arena.alignment),
        "");
  }
}

void add_tensors(Lines& lines, const PackageInterface& interface,
                 const std::vector<InterfaceTensor>& tensors, std::string_view role) {
  for (const InterfaceTensor& tensor : tensors) {
    const std::string scalar = tensor.shape.empty() ? ", a scalar" : "";
    lines.emplace_back(fmt::format("#define {}_{}_BYTES {}", interface.macro, tensor.macro,
                                   size_literal(tensor.bytes)),
                       fmt::format("{} \"{}\", {}{}", role, in_comment(tensor.name),
                                   name_of(tensor.type), scalar));
    lines.emplace_back(
        fmt::format("#define {}_{}_SHAPE {}", interface.macro, tensor.macro, shape_of(tensor)), "");
  }
}

std::string sizes(const PackageInterface& interface, const PackageOptions& options) {
  const std::string& macro = interface.macro;
  Lines lines = {
      {fmt::format("#define {}_ABI {}", macro, kPackageAbi), "of this header's shape"},
      {fmt::format("#define {}_ALIGNMENT {}", macro, interface.alignment),
       "of workspace and weights"},
      {fmt::format("#define {}_THREADS {}", macro, interface.threads), "it was tuned for"},
  };
  const bool is_internal = options.workspace == WorkspaceForm::internal;
  add_arenas(lines, interface, interface.workspaces,
             is_internal ? "scratch, inside the library" : "scratch, for one run at a time");
  add_arenas(lines, interface, interface.weights, "of the weights");
  std::string text = print(lines) + "\n" + tensor_sizes(interface);
  if (options.weights == WeightsForm::embed) {
    text += "\n/* The weights are in the library. */\n";
    for (const InterfaceArena& arena : interface.weights)
      text += fmt::format("extern const unsigned char {}[{}_{}_BYTES];\n",
                          weights_symbol(interface, arena), macro, arena.macro);
  }
  return text;
}

std::string tensor_struct(const PackageInterface& interface,
                          const std::vector<InterfaceTensor>& tensors, std::string_view role,
                          std::string_view constness) {
  Lines lines;
  for (const InterfaceTensor& tensor : tensors)
    lines.emplace_back(fmt::format("  {}{}* {};", constness, c_type(tensor.type), tensor.c_name),
                       fmt::format("{} [{}]", name_of(tensor.type), fmt::join(tensor.shape, ", ")));
  if (tensors.empty()) lines.emplace_back("  const void* none;", "the network has none");
  return fmt::format("typedef struct {0}_{1} {{\n{2}}} {0}_{1};\n", interface.name, role,
                     print(lines));
}

// The structs of pointers, where there is more than one pool.
std::string pool_structs(const PackageInterface& interface, const PackageOptions& options) {
  std::string text;
  if (interface.workspaces.size() > 1 && options.workspace == WorkspaceForm::caller) {
    text += fmt::format("/* One piece of memory a pool. */\ntypedef struct {}_workspaces {{\n",
                        interface.name);
    for (const InterfaceArena& pool : interface.workspaces)
      text += fmt::format("  void* {};\n", pool.c_name);
    text += fmt::format("}} {}_workspaces;\n\n", interface.name);
  }
  if (interface.weights.size() > 1) {
    text +=
        fmt::format("/* One file a pool, and how long it is. */\ntypedef struct {}_weights {{\n",
                    interface.name);
    for (const InterfaceArena& pool : interface.weights)
      text += fmt::format("  const void* {0};\n  size_t {0}_bytes;\n", pool.c_name);
    text += fmt::format("}} {}_weights;\n\n", interface.name);
  }
  return text;
}

// Words for the functions' parameters, which depend on the form.
void add_workspace_words(TextWords& words, const PackageInterface& interface,
                         const PackageOptions& options, bool has_variants) {
  const std::string model = has_variants ? fmt::format("const {}* model, ", interface.name) : "";
  const bool is_internal = options.workspace == WorkspaceForm::internal;
  const bool has_pools = interface.workspaces.size() > 1;
  const std::string given = has_pools
                                ? fmt::format("const {}_workspaces* workspaces", interface.name)
                                : "void* workspace";
  words["inside"] = is_internal ? "inside the library" : "inside the workspace";
  words["run_parameter"] = is_internal ? "" : ", " + given;
  words["map_parameters"] = model + (is_internal ? "" : given + ", ");
  words["run_comment"] =
      is_internal ? "/* Not re-entrant: the workspace is the library's, for one run at a time. */\n"
                  : "/* Re-entrant: each thread brings its own workspace. Models that never run at "
                    "once may\n"
                    " * share one, as large as the largest of them asks for. */\n";
}

// A comment's end about inputs that may be indices: those of integers.
std::string index_comment(const PackageInterface& interface) {
  const auto is_integer = [](const InterfaceTensor& tensor) {
    return computed_type(tensor.type) == ComputedType::integer;
  };
  if (std::ranges::none_of(interface.inputs, is_integer)) return "";
  return " No element is checked: one that indexes an\n"
         " * axis, such as a token's number, is taken to the axis's nearest end where it is "
         "outside.";
}

}  // namespace

std::string size_literal(int64_t bytes) {
  const bool is_wide = bytes > std::numeric_limits<uint32_t>::max();
  return fmt::format("{}{}", bytes, is_wide ? "ull" : "u");
}

std::string tensor_sizes(const PackageInterface& interface) {
  Lines lines;
  add_tensors(lines, interface, interface.inputs, "input");
  add_tensors(lines, interface, interface.outputs, "output");
  return print(lines);
}

void add_tensor_structs(TextWords& words, const PackageInterface& interface) {
  words["indices"] = index_comment(interface);
  words["inputs"] = tensor_struct(interface, interface.inputs, "inputs", "const ");
  words["outputs"] = tensor_struct(interface, interface.outputs, "outputs", "") + "\n";
}

std::string in_comment(std::string_view text) {
  std::string line = printable(text);
  for (const std::string_view pair : {"*/", "/*"})
    for (size_t at = line.find(pair); at != std::string::npos; at = line.find(pair))
      line.insert(at + 1, " ");
  return line;
}

TextWords form_words(const PackageInterface& interface, const BuildNames& build,
                     const PackageOptions& options) {
  const bool has_variants = interface.weights.at(0).sections.size() > 1;
  const bool has_pools = interface.weights.size() > 1;
  TextWords words = {{"name", interface.name},
                     {"NAME", interface.macro},
                     {"id", build.id},
                     {"id8", build.id.substr(0, 8)},
                     {"tool", in_comment(build.tool)},
                     {"model", build.model},
                     {"processor", in_comment(build.processor)},
                     {"beyond", comment_lines(build.beyond)},
                     {"system", in_comment(build.system)},
                     {"threads", counted(interface.threads, "thread")}};
  words["weights_member"] =
      has_pools ? fmt::format("{}_weights weights; /* read-only: mapped files, or flash */",
                              interface.name)
                : "const void* weights; /* read-only: a mapped file, flash, or an object */";
  words["variant_member"] =
      has_variants ? "  const void* variant; /* the code that init chose for this processor */\n"
                   : "";
  words["reserved"] = has_variants ? "3" : "4";
  words["shared"] =
      interface.threads > 1 ? "" : " Code for one\n * thread, as this is, never calls it.";
  words["init_parameters"] = has_pools ? fmt::format("const {}_weights* weights", interface.name)
                                       : "const void* weights, size_t bytes";
  add_workspace_words(words, interface, options, has_variants);
  return words;
}

std::string c_header(const PackageInterface& interface, const BuildNames& build,
                     const PackageOptions& options) {
  TextWords words = form_words(interface, build, options);
  words["sizes"] = sizes(interface, options) + "\n";
  add_tensor_structs(words, interface);
  words["pools"] = pool_structs(interface, options);
  return with_aligned_comments(filled(kHeader, words));
}

}  // namespace dovetail
