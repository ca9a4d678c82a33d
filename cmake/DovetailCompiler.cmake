# SPDX-License-Identifier: Apache-2.0
# Language, warnings and the compiler cache, for every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS ON)  # TRY is a GNU statement expression
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# Files of a library are joined sixteen at a time: most of a file's time is that of its headers. What a file includes is
# judged by scripts/lint and by the preset dev, which compile each file by itself.
if(DOVETAIL_UNITY)
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 16)
  # A hidden type of a .cc file is hidden in the joined one, too.
  add_compile_options(-Wno-subobject-linkage)
endif()

add_compile_options(-Wall -Wextra)
# Nobody replaces a function of libdovetail.so by one of the same name: calls inside it need no table, and are inlined.
add_compile_options(-fno-semantic-interposition)
if(DOVETAIL_WERROR)
  # GCC 13 sees out-of-bounds copies in std::string that are not there (GCC bug 105329 and its kin).
  add_compile_options(-Werror -Wno-error=array-bounds -Wno-error=stringop-overflow -Wno-error=restrict)
  # GCC says of -fsanitize that it makes the first see what is not there. The second takes LLVM's own operator new and
  # delete for no pair where -fsanitize keeps one of them from being inlined.
  if(CMAKE_CXX_FLAGS_DEBUG MATCHES "-fsanitize")
    add_compile_options(-Wno-error=maybe-uninitialized -Wno-error=mismatched-new-delete)
  endif()
endif()

# __FILE__ is the path inside the repository: short messages, and the same bytes wherever the checkout lies.
# The second form is what ccache passes on when it makes paths relative (CCACHE_BASEDIR below).
file(RELATIVE_PATH source_from_build "${CMAKE_BINARY_DIR}" "${CMAKE_SOURCE_DIR}")
add_compile_options(
  "-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=" "-fmacro-prefix-map=${source_from_build}=")

# TRY and CHECK; installed headers have DOVETAIL_TRY and DOVETAIL_CHECK alone.
add_compile_definitions(DOVETAIL_SHORT_MACROS)

foreach(feature LLVM ONNX OPENCL VERIFY)
  if(feature STREQUAL "VERIFY")
    set(name DOVETAIL_VERIFY)
  else()
    set(name DOVETAIL_HAVE_${feature})
  endif()
  if(DOVETAIL_${feature})
    add_compile_definitions(${name}=1)
  else()
    add_compile_definitions(${name}=0)
  endif()
endforeach()

find_program(CCACHE_PROGRAM ccache)
mark_as_advanced(CCACHE_PROGRAM)
if(CCACHE_PROGRAM)
  set(ccache_launcher
      ${CMAKE_COMMAND} -E env "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}"
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${ccache_launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ccache_launcher})
endif()
