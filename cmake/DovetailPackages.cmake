# SPDX-License-Identifier: Apache-2.0
# Every third-party package, found here and linked PRIVATE by the one library that uses it.
# A missing one stops with the way out: the install script, or the option that builds without it.

function(dovetail_require found what option)
  if(found)
    return()
  endif()
  set(way_out "run scripts/install-dependencies")
  if(option)
    string(APPEND way_out ", or configure with -D${option}=OFF")
  endif()
  message(FATAL_ERROR "${what} not found: ${way_out}")
endfunction()

find_package(Threads REQUIRED)
foreach(package fmt nlohmann_json CLI11 spdlog GTest rapidcheck)
  find_package(${package} CONFIG QUIET)
  dovetail_require("${${package}_FOUND}" "${package}" "")
endforeach()

find_package(ZLIB QUIET)
dovetail_require("${ZLIB_FOUND}" "zlib" "")
find_package(Boost 1.74 CONFIG QUIET)  # headers only
dovetail_require("${Boost_FOUND}" "Boost" "")
find_package(Eigen3 3.4 CONFIG QUIET)  # headers only, too
dovetail_require("${Eigen3_FOUND}" "Eigen 3.4" "")

find_path(DLPACK_INCLUDE_DIR dlpack/dlpack.h)  # a header without a CMake config
mark_as_advanced(DLPACK_INCLUDE_DIR)
set(dlpack_found OFF)
if(DLPACK_INCLUDE_DIR)
  set(dlpack_found ON)
endif()
dovetail_require("${dlpack_found}" "DLPack" "")

if(DOVETAIL_LLVM)
  # "19.1", not "19": LLVM's version file only accepts an equal major.minor.
  find_package(LLVM 19.1 CONFIG QUIET)
  dovetail_require("${LLVM_FOUND}" "LLVM 19.1" DOVETAIL_LLVM)
endif()

if(DOVETAIL_ONNX)
  find_package(Protobuf MODULE QUIET)  # has no CMake config; ONNX's config needs its targets
  dovetail_require("${Protobuf_FOUND}" "protobuf" DOVETAIL_ONNX)
  find_package(ONNX CONFIG QUIET)
  dovetail_require("${ONNX_FOUND}" "ONNX" DOVETAIL_ONNX)
endif()

if(DOVETAIL_OPENCL)
  find_package(OpenCL MODULE QUIET)
  dovetail_require("${OpenCL_FOUND}" "OpenCL" DOVETAIL_OPENCL)
endif()

# By hand: XGBoost's own config stops with an error unless its command-line program is installed, too.
if(DOVETAIL_XGBOOST)
  find_path(XGBOOST_INCLUDE_DIR xgboost/c_api.h)
  find_library(XGBOOST_LIBRARY xgboost)
  mark_as_advanced(XGBOOST_INCLUDE_DIR XGBOOST_LIBRARY)
  set(xgboost_found OFF)
  if(XGBOOST_INCLUDE_DIR AND XGBOOST_LIBRARY)
    set(xgboost_found ON)
  endif()
  dovetail_require("${xgboost_found}" "XGBoost" DOVETAIL_XGBOOST)
endif()
