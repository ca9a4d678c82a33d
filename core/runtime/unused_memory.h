// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory that this process has and does not need for now goes back to the system.
//
//   release_unused_memory();   // code is built: 60 MB and more that a network's run does not need
//
// A compiler's library is large, and linking it reads most of it. Its pages are the file's own, so
// that letting them go loses nothing: what is called again comes back from the page cache. What it
// allocated and freed, the allocator keeps by itself. Why not load the library only where it is
// needed: all verbs but a few compile, and the run of a network comes after it.

namespace dovetail {

// Pages of shared libraries that nobody can write, and what the allocator has free. It does nothing
// on systems that cannot tell.
void release_unused_memory();

}  // namespace dovetail
