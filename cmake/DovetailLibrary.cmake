# SPDX-License-Identifier: Apache-2.0
# One library per folder of the tree; README.md has the tour. A source file joins its library by lying in its folder.

# dovetail_target_name(core/codegen/llvm out) -> dovetail_codegen_llvm
function(dovetail_target_name folder out)
  string(REGEX REPLACE "^core/" "" name "${folder}")
  string(REPLACE "/" "_" name "${name}")
  set(${out} "dovetail_${name}" PARENT_SCOPE)
endfunction()

# dovetail_library(<folder> [DEPENDS lib...] [PRIVATE lib...] [PRIVATE_INCLUDES dir...] [PRIVATE_DEFINITIONS def...]
#                  [EXCLUDE regex...] [OWN_HEADERS] [COLD])
#   DEPENDS          project libraries whose headers this folder may include; passed on to users
#   PRIVATE          third-party libraries seen by this folder's .cc files only
#   PRIVATE_INCLUDES third-party header folders, without warnings
#   EXCLUDE          files (full paths) that are no part of the library, such as main() functions
#   OWN_HEADERS      not compiled with the precompiled headers that the other libraries share
#   COLD             no search spends its own time here: it is not worth the time that -O2 takes to compile
# Works while the folder has no .cc file yet: then it is an INTERFACE library.
function(dovetail_library folder)
  cmake_parse_arguments(
    arg "OWN_HEADERS;COLD" "" "DEPENDS;PRIVATE;PRIVATE_INCLUDES;PRIVATE_DEFINITIONS;EXCLUDE" ${ARGN})
  dovetail_target_name("${folder}" target)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${folder}/*.cc")
  foreach(pattern ${arg_EXCLUDE})
    list(FILTER sources EXCLUDE REGEX "${pattern}")
  endforeach()

  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE ${arg_PRIVATE})
    target_include_directories(${target} SYSTEM PRIVATE ${arg_PRIVATE_INCLUDES})
    target_compile_definitions(${target} PRIVATE ${arg_PRIVATE_DEFINITIONS})
    set(headers dovetail_headers)
    if(arg_COLD AND CMAKE_BUILD_TYPE STREQUAL "Release")
      target_compile_options(${target} PRIVATE -O1)
      set(headers dovetail_cold_headers)
    endif()
    if(NOT arg_OWN_HEADERS)
      dovetail_share_precompiled(${target} ${headers})
    endif()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} "${CMAKE_SOURCE_DIR}")
  target_link_libraries(${target} ${scope} ${arg_DEPENDS})
endfunction()

# Precompiled headers, where they are wanted, with what ccache needs:
#   dovetail_precompile(<target> <header>...)       only for headers that cost most of a second in many files
#   dovetail_share_precompiled(<target> <other>)    those of <other>, whose flags are the same
function(dovetail_precompile target)
  if(NOT DOVETAIL_PCH)
    return()
  endif()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${ARGN})
  target_compile_options(${target} PRIVATE -fpch-preprocess)
endfunction()

function(dovetail_share_precompiled target other)
  if(DOVETAIL_PCH)
    target_precompile_headers(${target} REUSE_FROM ${other})
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  endif()
endfunction()

# What most files begin with, read once for each level of optimisation, because GCC 13 refuses what another level read.
# A file still includes what it uses: scripts/lint compiles without it.
if(DOVETAIL_PCH)
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/headers.cc" CONTENT "")
  foreach(headers dovetail_headers dovetail_cold_headers)
    add_library(${headers} OBJECT "${CMAKE_BINARY_DIR}/headers.cc")
    target_link_libraries(${headers} PRIVATE fmt::fmt)
    dovetail_precompile(
      ${headers} <fmt/format.h> <algorithm> <functional> <map> <memory> <optional> <set> <span> <string>
      <string_view> <variant> <vector>)
  endforeach()
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(dovetail_cold_headers PRIVATE -O1)
  else()
    set_target_properties(dovetail_cold_headers PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endif()

# dovetail_executable(<name> <main.cc>): built when the file exists, at the top of the build folder.
function(dovetail_executable name main)
  file(GLOB found CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${main}")
  if(NOT found)
    return()
  endif()
  add_executable(${name} ${found})
  target_link_libraries(${name} PRIVATE dovetail_tools)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}")
  target_compile_definitions(${name} PRIVATE DOVETAIL_VERSION="${PROJECT_VERSION}")
endfunction()

# dovetail_tests(<folder> [SHARDS n] [FIRST] [LIBRARIES lib...]): tests/<folder>/**/*_test.cc -> test_<folder>, ctest label
# `fast`; files named *_slow_test.cc -> test_<folder>_slow, label `slow`. SHARDS is of the fast ones, where their number
# of files says little of their time. FIRST: its shards take longest and are started first, or one would run alone at the
# end.
function(dovetail_tests folder)
  cmake_parse_arguments(arg "FIRST" "SHARDS" "LIBRARIES" ${ARGN})
  string(REPLACE "/" "_" name "test_${folder}")
  file(GLOB_RECURSE slow CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/${folder}/*_slow_test.cc")
  file(GLOB_RECURSE fast CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/${folder}/*_test.cc")
  list(FILTER fast EXCLUDE REGEX "_slow_test\\.cc$")
  # Code shared by the tests of one folder: any other .cc file beside them (tests/support is a library).
  file(GLOB_RECURSE shared CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/${folder}/*.cc")
  list(FILTER shared EXCLUDE REGEX "_test\\.cc$")
  if(folder STREQUAL "support")
    set(shared "")
  endif()
  if(NOT arg_SHARDS)
    list(LENGTH fast num_fast)
    math(EXPR arg_SHARDS "(${num_fast} + 5) / 6")
  endif()
  dovetail_test_executable(${name} fast ${arg_SHARDS} "${fast}" "${shared}" "${arg_LIBRARIES}")
  if(arg_FIRST)
    foreach(shard RANGE 1 ${arg_SHARDS})
      set_tests_properties(${name}.${shard}of${arg_SHARDS} PROPERTIES COST 1000)
    endforeach()
  endif()
  dovetail_test_executable(${name}_slow slow 6 "${slow}" "${shared}" "${arg_LIBRARIES}")
endfunction()

function(dovetail_test_executable name label shards sources shared libraries)
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources} ${shared})
  set_target_properties(${name} PROPERTIES UNITY_BUILD_BATCH_SIZE 8)  # they name small things alike more often
  target_link_libraries(${name} PRIVATE ${libraries} dovetail_test_support)
  dovetail_share_precompiled(${name} dovetail_test_support)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  if(label STREQUAL "fast")
    if(NOT TARGET fast_tests)
      add_custom_target(fast_tests)  # what `ctest -L fast` runs
    endif()
    add_dependencies(fast_tests ${name})
  endif()
  dovetail_test_shards(${name} ${label} ${shards} "${sources}")
endfunction()

# A program's tests are run by several processes, test_tools.1of4 to test_tools.4of4, each taking every fourth: a process
# for each test would begin with loading LLVM, LibTorch or an OpenCL compiler, which was a third of the time of all fast tests.
function(dovetail_test_shards name label shards sources)
  list(LENGTH sources num_sources)
  if(label STREQUAL "slow")
    set(timeout_seconds 1200)
  else()
    set(timeout_seconds 300)
  endif()
  if(CMAKE_CXX_FLAGS_DEBUG MATCHES "-fsanitize")  # several times slower, and machines differ by two
    math(EXPR timeout_seconds "3 * ${timeout_seconds}")
  endif()
  foreach(shard RANGE 1 ${shards})
    math(EXPR index "${shard} - 1")
    add_test(NAME ${name}.${shard}of${shards} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(
      ${name}.${shard}of${shards}
      PROPERTIES LABELS ${label} TIMEOUT ${timeout_seconds} COST ${num_sources}
                 ENVIRONMENT "GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()
