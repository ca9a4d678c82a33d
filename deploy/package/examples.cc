// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/examples.h"

#include <fmt/format.h>

#include "deploy/package/build_files.h"

namespace dovetail {

const std::string_view kExampleHead = R"(/* SPDX-License-Identifier: Apache-2.0
 * Runs @name@ once@how@.
 * Inputs are files of raw numbers in the order of @name@_inputs, zeros where none is given; outputs
 * go to standard output, one behind the other.
 *
 *   @compile@
 *   ./@program@@weights_argument@@input_arguments@ > outputs.bin
@warning@
 */
#if !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE /* mmap, posix_memalign */
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
@includes@

#include @header@

)";

const std::string_view kExampleMapFile =
    R"(/* The whole file, read-only. MAP_POPULATE brings its pages in before the first run. Ends the
 * program where there is no such file, or none with bytes. */
static const void* map_file(const char* path, size_t* bytes) {
#if !defined(MAP_POPULATE)
  const int populate = 0;
#else
  const int populate = MAP_POPULATE;
#endif
  struct stat status;
  const int file = open(path, O_RDONLY);
  const char* wrong = NULL;
  void* mapped = MAP_FAILED;
  if (file >= 0 && fstat(file, &status) == 0) {
    *bytes = (size_t)status.st_size;
    if (S_ISDIR(status.st_mode))
      wrong = "it is a folder";
    else if (*bytes == 0)
      wrong = "it is empty";
    else
      mapped = mmap(NULL, *bytes, PROT_READ, MAP_PRIVATE | populate, file, 0);
  }
  if (mapped == MAP_FAILED) {
    fprintf(stderr, "%s: cannot be read: %s\n", path, wrong == NULL ? strerror(errno) : wrong);
    exit(1);
  }
  close(file);
  return mapped;
}

)";

const std::string_view kExampleReadInput =
    R"(/* The bytes of a file; zeros where there is no such argument. 0: not as many. */
static int read_input(const char* path, const void* to, size_t bytes) {
  FILE* file = path == NULL ? NULL : fopen(path, "rb");
  size_t count = 0;
  int is_longer = 0;
  memset((void*)to, 0, bytes);
  if (path == NULL) return 1;
  if (file != NULL) count = fread((void*)to, 1, bytes, file);
  if (file == NULL || ferror(file)) { /* of a folder, too */
    fprintf(stderr, "%s: cannot be read: %s\n", path, strerror(errno));
    return 0;
  }
  is_longer = count == bytes && fgetc(file) != EOF;
  fclose(file);
  if (count < bytes)
    fprintf(stderr, "%s: %lu bytes found, expected %lu\n", path, (unsigned long)count,
            (unsigned long)bytes);
  else if (is_longer)
    fprintf(stderr, "%s: more than %lu bytes found, expected as many\n", path,
            (unsigned long)bytes);
  return count == bytes && !is_longer;
}

)";

namespace {

constexpr std::string_view kMemory =
    R"(static void* aligned_memory(size_t alignment, size_t bytes) {
  void* memory = NULL;
  return posix_memalign(&memory, alignment, bytes + (bytes == 0)) == 0 ? memory : NULL;
}

)";

constexpr std::string_view kMain = R"(int main(int argc, char** argv) {
  @name@ model;
  @name@_inputs inputs;
  @name@_outputs outputs;
@usage@
@open@
  if (status != @NAME@_OK) {
    fprintf(stderr, "@name@: %s\n", @name@_status_text(status));
    return 1;
  }
@workspace@
@hook@

  /* Here both lie in the workspace, so that nothing is copied; any other memory would do. */
  @name@_map_inputs(@map_arguments@&inputs);
  @name@_map_outputs(@map_arguments@&outputs);
@read_inputs@

  status = @name@_run(&model, &inputs, &outputs@run_argument@);
  if (status != @NAME@_OK) {
    fprintf(stderr, "@name@: %s\n", @name@_status_text(status));
    return 1;
  }
@write_outputs@
@free_workspace@
  return fflush(stdout) == 0 ? 0 : 1;
}
)";

constexpr std::string_view kOpenMp =
    R"(/* One range a thread. OpenMP's threads wait by spinning: never ask for more of them than
 * there are idle cores (OMP_NUM_THREADS, OMP_WAIT_POLICY=passive). */
static void with_openmp(void* context, @name@_task task, void* const* tables, int64_t extent) {
  (void)context;
#pragma omp parallel
  {
    const int64_t count = omp_get_num_threads(), i = omp_get_thread_num();
    task(tables, extent * i / count, extent * (i + 1) / count);
  }
}

)";

constexpr std::string_view kThreads =
    R"(// Threads that wait for work without spinning. A loop of a few microseconds is not worth
// waking them for: measure, and leave the hook NULL where it does not pay.
class Pool {
 public:
  explicit Pool(int threads) : count_(threads) {
    for (int i = 1; i < threads; ++i)
      threads_.emplace_back([this, i](std::stop_token stop) { work(stop, i); });
  }

  void run(@name@_task task, void* const* tables, int64_t extent) {
    {
      std::scoped_lock lock(mutex_);
      task_ = task, tables_ = tables, extent_ = extent;
      running_ = count_ - 1;
      ++round_;
    }
    begin_.notify_all();
    take_part(0);
    std::unique_lock lock(mutex_);
    end_.wait(lock, [this] { return running_ == 0; });
  }

 private:
  void work(const std::stop_token& stop, int i) {
    std::unique_lock lock(mutex_);
    for (int64_t seen = 0;;) {
      if (!begin_.wait(lock, stop, [&] { return round_ != seen; })) return;
      seen = round_;
      lock.unlock();
      take_part(i);
      lock.lock();
      if (--running_ == 0) end_.notify_one();
    }
  }
  void take_part(int i) const {
    task_(tables_, extent_ * i / count_, extent_ * (i + 1) / count_);
  }

  const int count_;
  std::mutex mutex_;
  std::condition_variable_any begin_, end_;
  @name@_task task_ = nullptr;
  void* const* tables_ = nullptr;
  int64_t extent_ = 0, round_ = 0;
  int running_ = 0;
  std::vector<std::jthread> threads_;  // last: they end before what they use
};

static void with_pool(void* context, @name@_task task, void* const* tables, int64_t extent) {
  static_cast<Pool*>(context)->run(task, tables, extent);
}

)";

// For weights from files, which may be damaged.
std::string check_lines(const PackageInterface& interface, const PackageOptions& options) {
  if (options.weights != WeightsForm::file) return "";
  return filled(
      "  /* Reads every byte: a damaged file gives wrong outputs and no error. */\n"
      "  if (status == @NAME@_OK) status = @name@_check_weights(&model);\n",
      {{"name", interface.name}, {"NAME", interface.macro}});
}

// Opens the network: with weights mapped from files, or embedded.
std::string opening(const PackageInterface& interface, const PackageOptions& options) {
  const std::string& name = interface.name;
  const bool is_file = options.weights == WeightsForm::file;
  const bool has_pools = interface.weights.size() > 1;
  std::string text;
  if (!has_pools && !is_file)
    return filled(
        "  @name@_status status = @name@_init(&model, @name@_weights, sizeof @name@_weights);\n",
        {{"name", name}});
  if (!has_pools)
    return filled(
        "  size_t bytes = 0;\n"
        "  const void* weights = map_file(argv[1], &bytes);\n"
        "  @name@_status status = @name@_init(&model, weights, bytes);\n",
        {{"name", name}});
  text = fmt::format("  {}_weights weights;\n", name);
  for (size_t i = 0; i < interface.weights.size(); ++i)
    text += filled(
        is_file ? "  weights.@pool@ = map_file(argv[@i@], &weights.@pool@_bytes);\n"
                : "  weights.@pool@ = @name@_@pool@_weights;\n"
                  "  weights.@pool@_bytes = sizeof @name@_@pool@_weights;\n",
        {{"name", name}, {"pool", interface.weights[i].c_name}, {"i", std::to_string(i + 1)}});
  return text + fmt::format("  {0}_status status = {0}_init(&model, &weights);\n", name);
}

std::string workspace_lines(const PackageInterface& interface, const PackageOptions& options) {
  if (options.workspace == WorkspaceForm::internal) return "";
  const std::string& macro = interface.macro;
  if (interface.workspaces.size() == 1)
    return fmt::format(
        "  void* workspace = aligned_memory({0}_ALIGNMENT, {0}_WORKSPACE_BYTES);\n"
        "  if (workspace == NULL) return 1;\n",
        macro);
  std::string text = fmt::format("  {}_workspaces workspaces;\n", interface.name);
  for (const InterfaceArena& pool : interface.workspaces)
    text += fmt::format(
        "  workspaces.{0} = aligned_memory({1}_{2}_ALIGNMENT, {1}_{2}_BYTES);\n"
        "  if (workspaces.{0} == NULL) return 1;\n",
        pool.c_name, macro, pool.macro);
  return text;
}

std::string free_lines(const PackageInterface& interface, const PackageOptions& options) {
  if (options.workspace == WorkspaceForm::internal) return "";
  if (interface.workspaces.size() == 1) return "  free(workspace);\n";
  std::string text;
  for (const InterfaceArena& pool : interface.workspaces)
    text += fmt::format("  free(workspaces.{});\n", pool.c_name);
  return text;
}

void add_arguments(TextWords& words, const PackageInterface& interface,
                   const PackageOptions& options) {
  const bool is_internal = options.workspace == WorkspaceForm::internal;
  const bool has_variants = interface.weights[0].sections.size() > 1;
  const std::string given = is_internal                        ? ""
                            : interface.workspaces.size() == 1 ? "workspace"
                                                               : "&workspaces";
  words["run_argument"] = is_internal ? "" : ", " + given;
  words["map_arguments"] =
      std::string(has_variants ? "&model, " : "") + (is_internal ? "" : given + ", ");
  words["weights_argument"] = "";
  if (options.weights == WeightsForm::file)
    for (const InterfaceArena& weights : interface.weights)
      words["weights_argument"] += " ../" + weights_path(interface, weights);
  words["input_arguments"] = "";
  for (const InterfaceTensor& tensor : interface.inputs)
    words["input_arguments"] += fmt::format(" {}.bin", tensor.c_name);
}

size_t first_input_argument(const PackageInterface& interface, const PackageOptions& options) {
  return options.weights == WeightsForm::file ? 1 + interface.weights.size() : 1;
}

}  // namespace

std::string example_usage_lines(const PackageInterface& interface, const PackageOptions& options) {
  const size_t first = first_input_argument(interface, options);
  std::string arguments;
  if (options.weights == WeightsForm::file)
    for (const InterfaceArena& weights : interface.weights) {
      const std::string path = weights_path(interface, weights);
      arguments += " " + path.substr(path.rfind('/') + 1);
    }
  for (const InterfaceTensor& tensor : interface.inputs)
    arguments += fmt::format(" [{}.bin]", tensor.c_name);
  const std::string fewer = first == 1 ? "" : fmt::format("argc < {} || ", first);
  return fmt::format(
      "  if ({}argc > {}) {{\n"
      "    fprintf(stderr, \"usage: %s{} > outputs.bin\\n\", argv[0]);\n"
      "    return 2;\n"
      "  }}\n",
      fewer, first + interface.inputs.size(), arguments);
}

std::string example_read_lines(const PackageInterface& interface, const PackageOptions& options) {
  const size_t first = first_input_argument(interface, options);
  std::string text;
  for (size_t i = 0; i < interface.inputs.size(); ++i)
    text += fmt::format(
        "  if (!read_input(argc > {0} ? argv[{0}] : NULL, inputs.{1}, {2}_{3}_BYTES)) return 1;\n",
        first + i, interface.inputs[i].c_name, interface.macro, interface.inputs[i].macro);
  return text;
}

std::string example_write_lines(const PackageInterface& interface) {
  std::string text;
  for (const InterfaceTensor& tensor : interface.outputs)
    text += fmt::format("  fwrite(outputs.{}, 1, {}_{}_BYTES, stdout);\n", tensor.c_name,
                        interface.macro, tensor.macro);
  return text;
}

PackageExamples package_examples(const PackageInterface& interface, const BuildNames& build,
                                 const PackageOptions& options) {
  TextWords words = form_words(interface, build, options);
  add_arguments(words, interface, options);
  words["header"] = fmt::format("\"{}.h\"", interface.name);
  words["usage"] = example_usage_lines(interface, options);
  words["open"] = opening(interface, options) + check_lines(interface, options);
  words["workspace"] = workspace_lines(interface, options);
  words["free_workspace"] = free_lines(interface, options);
  words["read_inputs"] = example_read_lines(interface, options);
  words["write_outputs"] = example_write_lines(interface);
  const auto example = [&](std::string_view hook_code, std::map<std::string, std::string> own) {
    TextWords all = words;
    for (auto& [name, word] : own) all[name] = filled(word, words);
    std::string text = filled(kExampleHead, all);
    if (options.weights == WeightsForm::file) text += kExampleMapFile;
    if (options.workspace == WorkspaceForm::caller) text += kMemory;
    if (!interface.inputs.empty()) text += kExampleReadInput;
    return text + filled(hook_code, all) + filled(kMain, all);
  };
  return {
      .sequential =
          example("", {{"how", ""},
                       {"compile", "cc -O2 -I../include main.c -L../lib -l@name@ -o main"},
                       {"program", "main"},
                       {"warning", ""},
                       {"includes", ""},
                       {"hook", ""}}),
      .threads = example(
          kThreads,
          {{"how", " on several threads"},
           {"compile", "c++ -std=c++20 -O2 -I../include threads.cc -L../lib -l@name@ -o threads"},
           {"program", "threads"},
           {"warning",
            " *\n * Threads beyond the cores that are free make a run slower, not faster.\n"},
           {"includes",
            "\n#include <condition_variable>\n#include <mutex>\n#include <stop_token>\n"
            "#include <thread>\n#include <vector>\n"},
           {"hook",
            "  Pool pool(@NAME@_THREADS > 1 ? @NAME@_THREADS : 2);\n"
            "  model.parallel_for = with_pool;\n  model.parallel_context = &pool;\n"}}),
      .openmp =
          example(kOpenMp,
                  {{"how", " on OpenMP's threads"},
                   {"compile", "cc -O2 -fopenmp -I../include openmp.c -L../lib -l@name@ -o openmp"},
                   {"program", "openmp"},
                   {"warning", ""},
                   {"includes", "#include <omp.h>\n"},
                   {"hook", "  model.parallel_for = with_openmp;\n"}})};
}

}  // namespace dovetail
