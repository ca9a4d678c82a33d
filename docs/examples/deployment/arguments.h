/* SPDX-License-Identifier: Apache-2.0
 * Shared by the programs of this folder: their arguments, files of a known size, and statuses.
 * Whatever is wrong ends the program with one line.
 */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program with exit code 2 unless it has as many arguments as its usage names. */
static inline void expect_arguments(int found, int expected, const char* program,
                                    const char* usage) {
  if (found == expected) return;
  fprintf(stderr, "usage: %s %s\n", program, usage);
  exit(2);
}

static inline void cannot_be_read(const char* path) {
  fprintf(stderr, "%s: cannot be read: %s\n", path, strerror(errno));
  exit(1);
}

/* The whole file, which must have exactly so many bytes. */
static inline void read_file(const char* path, void* to, size_t bytes) {
  FILE* file = fopen(path, "rb");
  size_t found = 0;
  if (file == NULL) cannot_be_read(path);
  found = fread(to, 1, bytes, file);
  if (ferror(file)) cannot_be_read(path); /* such as a folder */
  if (found != bytes || fgetc(file) != EOF) {
    fprintf(stderr, "%s: %s%zu bytes found, expected %zu\n", path,
            found == bytes ? "more than " : "", found, bytes);
    exit(1);
  }
  fclose(file);
}

/* Ends the program unless the status is NAME_OK. */
static inline void expect_ok(int status, const char* text) {
  if (status == 0) return;
  fprintf(stderr, "%s\n", text);
  exit(1);
}

#endif
