// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/driver/c_driver.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "deploy/package/c_literal.h"
#include "deploy/package/driver/c_driver_text.h"
#include "deploy/package/driver/c_tables.h"
#include "deploy/package/driver/driver_tables.h"

namespace dovetail {
namespace {

// An #error for any other architecture; empty for one that has no test here.
std::string architecture_check(const PackageVariants& variants) {
  const std::string& triple = variants[0].executable->target.llvm_triple;
  const std::string_view processor = std::string_view(triple).substr(0, triple.find('-'));
  const auto require = [](std::string_view macros, std::string_view words) {
    return fmt::format("#if {}\n#error \"the kernels of this package are for {}\"\n#endif\n",
                       macros, words);
  };
  if (processor == "x86_64") return require("!defined(__x86_64__) && !defined(_M_X64)", "x86-64");
  if (processor == "aarch64" || processor == "arm64")
    return require("!defined(__aarch64__) && !defined(_M_ARM64)", "AArch64");
  return "";
}

// The library's own workspace, one array per pool.
std::string internal_workspaces(const PackageInterface& interface) {
  std::string text = fmt::format(
      "#if defined(_MSC_VER)\n#define {0}_ALIGNED_TO(bytes) __declspec(align(bytes))\n#else\n"
      "#define {0}_ALIGNED_TO(bytes) __attribute__((aligned(bytes)))\n#endif\n",
      interface.macro);
  for (const InterfaceArena& pool : interface.workspaces) {
    const std::string bytes =
        pool.bytes == 0 ? "1" : fmt::format("{}_{}_BYTES", interface.macro, pool.macro);
    text += fmt::format("static {}_ALIGNED_TO({}) unsigned char {}_own_{}[{}];\n", interface.macro,
                        pool.alignment, interface.name, pool.c_name, bytes);
  }
  return text + "\n";
}

// The address of each workspace pool in C: `(unsigned char*)workspace`.
std::vector<std::string> workspace_expressions(const PackageInterface& interface,
                                               const PackageOptions& options) {
  std::vector<std::string> found;
  const bool has_pools = interface.workspaces.size() > 1;
  for (const InterfaceArena& pool : interface.workspaces)
    if (options.workspace == WorkspaceForm::internal)
      found.push_back(fmt::format("{}_own_{}", interface.name, pool.c_name));
    else
      found.push_back(has_pools ? fmt::format("(unsigned char*)workspaces->{}", pool.c_name)
                                : "(unsigned char*)workspace");
  return found;
}

std::vector<std::string> weights_expressions(const PackageInterface& interface) {
  std::vector<std::string> found;
  const bool has_pools = interface.weights.size() > 1;
  for (const InterfaceArena& pool : interface.weights)
    found.push_back(has_pools ? "model->weights." + pool.c_name : "model->weights");
  return found;
}

// The body of NAME_map_inputs or NAME_map_outputs.
std::string map_body(const PackageInterface& interface, const PackageOptions& options,
                     std::string_view role, size_t first, std::string_view code) {
  const auto& tensors = role == "inputs" ? interface.inputs : interface.outputs;
  const bool is_internal = options.workspace == WorkspaceForm::internal;
  if (tensors.empty()) {
    const std::string unused =
        is_internal
            ? ""
            : fmt::format("  (void)workspace{};\n", interface.workspaces.size() > 1 ? "s" : "");
    return unused + (code.starts_with("(const") ? "  (void)model;\n" : "") +
           "  inputs->none = NULL;\n";
  }
  std::string text = fmt::format("  unsigned char* const arenas[] = {{{}}};\n",
                                 fmt::join(workspace_expressions(interface, options), ", "));
  text += fmt::format("  const {0}_code* const code = {1};\n", interface.name, code);
  for (size_t i = 0; i < tensors.size(); ++i)
    text += fmt::format("  {0}->{1} = (void*){2}_at(arenas, code->homes[{3}]);\n", role,
                        tensors[i].c_name, interface.name, first + i);
  return text;
}

// Words for NAME_init, which depend on the number of weights files.
void add_opening_words(TextWords& words, const PackageInterface& interface) {
  const std::string& name = interface.name;
  const bool has_pools = interface.weights.size() > 1;
  std::string clear, check, take;
  for (size_t i = 0; i < interface.weights.size(); ++i) {
    const std::string& pool = interface.weights[i].c_name;
    const std::string member =
        has_pools ? fmt::format("model->weights.{}", pool) : "model->weights";
    const std::string given = has_pools ? fmt::format("weights->{}", pool) : "weights";
    const std::string bytes = has_pools ? fmt::format("weights->{}_bytes", pool) : "bytes";
    clear += fmt::format("  {} = NULL;\n", member);
    check += fmt::format("  {0}status = {1}_check_file({2}, {3}, {4});\n",
                         i > 0 ? "" : fmt::format("{}_status ", name), name, given, bytes, i);
    check += fmt::format("  if (status != {}_OK) return status;\n", interface.macro);
    if (!has_pools) take = fmt::format("  {} = {};\n", member, given);
  }
  words["clear"] = clear + filled(R"(  model->parallel_for = NULL;
  model->parallel_context = NULL;
@clear_variant@
  for (int i = 0; i < @reserved@; ++i) model->reserved[i] = NULL;
)",
                                  words);
  words["check_files"] = check;
  words["take_weights"] = has_pools ? "  model->weights = *weights;\n" : take;
  words["no_weights"] = has_pools ? " || weights == NULL" : "";
  words["init_arguments"] = has_pools ? "weights" : "weights, bytes";
}

void add_code_words(TextWords& words, bool has_variants, bool is_choosing) {
  words["clear_variant"] = has_variants ? "  model->variant = NULL;\n" : "";
  std::string choice;
  if (has_variants)
    choice =
        "  model->variant = @name@_choose();\n  if (model->variant == NULL) return @NAME@_CPU;\n";
  else if (is_choosing)
    choice = "  if (@name@_choose() == NULL) return @NAME@_CPU;\n";
  words["choice"] = filled(choice, words);
  words["code_of_model"] =
      filled(has_variants ? "(const @name@_code*)model->variant" : "&@name@_codes[0]", words);
}

void add_run_words(TextWords& words, const PackageInterface& interface,
                   const PackageOptions& options, bool has_variants) {
  std::vector<std::string> arenas = workspace_expressions(interface, options);
  for (const std::string& weights : weights_expressions(interface))
    arenas.push_back("(unsigned char*)" + weights);
  std::vector<std::string> tensors;
  for (const InterfaceTensor& tensor : interface.inputs)
    tensors.push_back("inputs->" + tensor.c_name);
  for (const InterfaceTensor& tensor : interface.outputs)
    tensors.push_back("outputs->" + tensor.c_name);
  words["arenas_given"] = "\n" + c_rows(arenas, "     ");
  words["tensors_given"] = "\n" + c_rows(tensors, "     ");
  std::vector<std::string> files;
  for (const std::string& weights : weights_expressions(interface))
    files.push_back("(const unsigned char*)" + weights);
  words["weights_of_model"] = fmt::format("{}", fmt::join(files, ", "));
  const bool is_struct =
      interface.workspaces.size() > 1 && options.workspace == WorkspaceForm::caller;
  words["missing"] = fmt::format("{}{}", is_struct ? " || workspaces == NULL" : "",
                                 has_variants ? " || model->variant == NULL" : "");
  const std::string code = words["code_of_model"];
  words["map_inputs"] = map_body(interface, options, "inputs", 0, code);
  words["map_outputs"] = map_body(interface, options, "outputs", interface.inputs.size(), code);
}

}  // namespace

Result<std::string> c_driver(const PackageVariants& variants, const PackageInterface& interface,
                             const BuildNames& build, const PackageOptions& options,
                             const DriverData& data) {
  const bool has_variants = variants.size() > 1;
  const DriverTables tables = TRY(driver_tables(variants, interface));
  TextWords words = form_words(interface, build, options);
  add_code_words(words, has_variants, tables.is_choosing());
  add_opening_words(words, interface);
  add_run_words(words, interface, options, has_variants);
  add_table_words(words, tables, interface, data.weights_headers);
  words["header"] = fmt::format("\"{}.h\"", interface.name);
  words["architecture"] = architecture_check(variants);
  words["internal"] =
      options.workspace == WorkspaceForm::internal ? internal_workspaces(interface) : "";
  words["metadata"] = c_text_return(data.metadata);
  words["types"] = filled(kDriverTypes, words);
  std::string text = filled(kDriverHead, words) + c_tables(tables, interface);
  if (tables.is_choosing()) text += filled(kDriverCpu, words);
  for (const std::string_view part :
       {kDriverHash, kDriverWeights, kDriverOpening, kDriverChecks, kDriverLaunches, kDriverRun})
    text += filled(part, words);
  return with_aligned_comments(text);
}

}  // namespace dovetail
