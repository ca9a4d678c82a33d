/* SPDX-License-Identifier: Apache-2.0
 * What the archive's driver has in place of the functions of src/NAME.c that name members of the
 * header's structs. Those structs hold words alone, pointers and lengths, in a fixed order: here they
 * are arrays of them. scripts/make-ir-driver compiles this behind the parts of c_driver_text.cc.
 *
 *   model     weights (of several files: each with its length), parallel_for, parallel_context,
 *             then four words, the first of them the variant where there are several
 *   weights   of several files: each with its length
 */
#define WEIGHTS_WORDS (PKGNAME_WEIGHTS_FILES == 1 ? 1 : 2 * PKGNAME_WEIGHTS_FILES)

extern const int pkgname_is_choosing; /* the processor is asked */
extern const int pkgname_is_internal; /* the workspace is the library's own */
extern unsigned char* const pkgname_own[];

static const pkgname_code* pkgname_code_of(const void* const* model) {
  return PKGNAME_VARIANTS > 1 ? (const pkgname_code*)model[WEIGHTS_WORDS + 2] : &pkgname_codes[0];
}

static void pkgname_find_arenas(
    const void* const* model, void* workspace, unsigned char** arenas) {
  for (int i = 0; i < PKGNAME_WORKSPACES; ++i)
    arenas[i] = pkgname_is_internal      ? pkgname_own[i]
                : PKGNAME_WORKSPACES > 1 ? ((unsigned char**)workspace)[i]
                                         : (unsigned char*)workspace;
  for (int i = 0; model != NULL && i < PKGNAME_WEIGHTS_FILES; ++i)
    arenas[PKGNAME_WORKSPACES + i] =
        (unsigned char*)model[PKGNAME_WEIGHTS_FILES > 1 ? 2 * i : 0];
}

pkgname_status pkgname_enter_init(const void** model, const void* weights, size_t bytes) {
  const void* const* const files = (const void* const*)weights; /* of several */
  if (model == NULL || (PKGNAME_WEIGHTS_FILES > 1 && weights == NULL)) return PKGNAME_NULL;
  for (int i = 0; i < WEIGHTS_WORDS + 6; ++i) model[i] = NULL;
  for (int i = 0; i < PKGNAME_WEIGHTS_FILES; ++i) {
    const pkgname_status status =
        PKGNAME_WEIGHTS_FILES > 1 ? pkgname_check_file(files[2 * i], (size_t)files[2 * i + 1], i)
                                  : pkgname_check_file(weights, bytes, i);
    if (status != PKGNAME_OK) return status;
  }
  if (pkgname_is_choosing) {
    const pkgname_code* const code = pkgname_choose();
    if (code == NULL) return PKGNAME_CPU;
    if (PKGNAME_VARIANTS > 1) model[WEIGHTS_WORDS + 2] = code;
  }
  if (PKGNAME_WEIGHTS_FILES == 1) model[0] = weights;
  for (int i = 0; PKGNAME_WEIGHTS_FILES > 1 && i < WEIGHTS_WORDS; ++i) model[i] = files[i];
  return PKGNAME_OK;
}

pkgname_status pkgname_enter_check_weights(const void* const* model) {
  if (model == NULL) return PKGNAME_NULL;
  const unsigned char* files[PKGNAME_WEIGHTS_FILES];
  for (int i = 0; i < PKGNAME_WEIGHTS_FILES; ++i)
    files[i] = (const unsigned char*)model[PKGNAME_WEIGHTS_FILES > 1 ? 2 * i : 0];
  return pkgname_check_bytes(files);
}

pkgname_status pkgname_enter_run(
    const void* const* model, const void* const* inputs, const void* const* outputs,
    void* workspace) {
  if (model == NULL || inputs == NULL || outputs == NULL) return PKGNAME_NULL;
  if (PKGNAME_VARIANTS > 1 && model[WEIGHTS_WORDS + 2] == NULL) return PKGNAME_NULL;
  if (!pkgname_is_internal && PKGNAME_WORKSPACES > 1 && workspace == NULL) return PKGNAME_NULL;
  const pkgname_code* const code = pkgname_code_of(model);
  unsigned char* arenas[PKGNAME_ARENAS];
  pkgname_find_arenas(model, workspace, arenas);
  const void* tensors[PKGNAME_TENSORS + 1];
  for (int i = 0; i < PKGNAME_TENSORS; ++i)
    tensors[i] = i < PKGNAME_INPUTS ? inputs[i] : outputs[i - PKGNAME_INPUTS];
  const pkgname_status status = pkgname_check(code, arenas, tensors);
  if (status != PKGNAME_OK) return status;

  unsigned char* bases[PKGNAME_BASES];
  void* table[PKGNAME_MOST_BUFFERS];
  pkgname_find_bases(code, arenas, tensors, bases);
  pkgname_launch_all(code, bases, (pkgname_parallel_for)model[WEIGHTS_WORDS],
                     (void*)model[WEIGHTS_WORDS + 1], table);
  pkgname_give_outputs(bases, tensors);
  return PKGNAME_OK;
}

void pkgname_enter_map(
    const void* const* model, void* workspace, const void** tensors, int first, int last) {
  unsigned char* arenas[PKGNAME_ARENAS];
  if (first == last) {
    tensors[0] = NULL;
    return;
  }
  pkgname_find_arenas(NULL, workspace, arenas);
  const pkgname_code* const code = pkgname_code_of(model);
  for (int i = first; i < last; ++i) tensors[i - first] = pkgname_at(arenas, code->homes[i]);
}
