// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory that this process has and does not need for now goes back to the system.
//
//   give_large_blocks_back();  // in main(): weights that are freed are no longer the process's
//   release_unused_memory();   // code is built: 60 MB and more that a network's run does not need
//
// A compiler's library is large, and linking it reads most of it. Its pages are the file's own, so
// that letting them go loses nothing: what is called again comes back from the page cache. What it
// allocated and freed, the allocator keeps by itself. Why not load the library only where it is
// needed: all verbs but a few compile, and the run of a network comes after it.

namespace dovetail {

// Both do nothing on systems that cannot.

// From now on, the allocator keeps no freed block of 1 MiB or more. By itself, glibc's keeps those
// of up to 32 MB once one was freed.
void give_large_blocks_back();

// Pages of the program and its shared libraries that nobody can write, and what the allocator has
// free.
void release_unused_memory();

}  // namespace dovetail
