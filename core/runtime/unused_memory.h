// SPDX-License-Identifier: Apache-2.0
#pragma once

// Returns memory that this process holds but does not need for now to the system.
//
//   give_large_blocks_back();  // in main(): weights that are freed are no longer the process's
//   release_unused_memory();   // code is built: 60 MB and more that a network's run does not need
//
// The compiler's library is large, and linking it reads most of it. Its pages are file-backed, so
// dropping them loses nothing: code that is called again is read from the page cache. Memory that
// the library allocated and freed stays with the allocator by default. Why not load the library on
// demand: all but a few verbs compile, and a network runs only after compiling.

namespace dovetail {

// Both are no-ops on systems without support.

// From now on, the allocator returns every freed block of 1 MiB or more to the system. By default,
// glibc's keeps freed blocks of up to 32 MB once one was freed.
void give_large_blocks_back();

// Drops the read-only pages of the program and its shared libraries, and the allocator's free
// memory.
void release_unused_memory();

}  // namespace dovetail
