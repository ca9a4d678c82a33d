// SPDX-License-Identifier: Apache-2.0
#include "core/backends/opencl/opencl_programs.h"

#include "core/backends/opencl/driver/opencl_api.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

Result<void> compile(cl_program program, cl_device_id device) {
  const cl_int code = clBuildProgram(program, 1, &device, "-cl-std=CL1.2", nullptr, nullptr);
  if (code == CL_SUCCESS) return {};
  size_t size = 0;
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  while (!log.empty() && log.back() == '\0') log.pop_back();
  return opencl_error("clBuildProgram", code, first_error_line(log));
}

Result<std::string> binary_in(cl_program program) {
  size_t size = 0;  // one device, so one binary
  cl_int code = clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr);
  if (code != CL_SUCCESS) return opencl_error("clGetProgramInfo", code, "binary size");
  std::string bytes(size, '\0');
  auto* place = reinterpret_cast<unsigned char*>(bytes.data());
  code = clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr);
  if (code != CL_SUCCESS) return opencl_error("clGetProgramInfo", code, "binary");
  return bytes;
}

Result<std::vector<std::string>> kernels_in(cl_program program) {
  size_t size = 0;
  cl_int code = clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, nullptr, &size);
  if (code != CL_SUCCESS) return opencl_error("clGetProgramInfo", code, "kernel names");
  std::string names(size, '\0');  // "first;second", and a zero
  code = clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, size, names.data(), nullptr);
  if (code != CL_SUCCESS) return opencl_error("clGetProgramInfo", code, "kernel names");
  while (!names.empty() && names.back() == '\0') names.pop_back();
  std::vector<std::string> kernels;
  for (const std::string_view name : split(names, ';')) kernels.emplace_back(name);
  return kernels;
}

}  // namespace

Result<std::string> OpenclPrograms::binary_of(CodeForm form, const std::string& text) {
  if (const std::string* known = binaries_.find(text)) return *known;
  ++compiled_texts_;
  const bool is_source = form == CodeForm::opencl_source;
  const OwnedProgram program = TRY(is_source ? from_source(text) : from_binary(text));
  TRY(compile(program.get(), device_));
  std::string binary = TRY(binary_in(program.get()));
  binaries_.keep(text, binary, binary.size());
  return binary;
}

Result<std::shared_ptr<const OpenclProgram>> OpenclPrograms::program_of(const std::string& binary) {
  if (const auto* known = programs_.find(binary)) return *known;
  auto made = std::make_shared<OpenclProgram>();
  made->program = TRY(from_binary(binary));
  TRY(compile(made->program.get(), device_));
  made->kernels = TRY(kernels_in(made->program.get()));
  std::shared_ptr<const OpenclProgram> program = std::move(made);
  programs_.keep(binary, program, binary.size());
  return program;
}

Result<OwnedProgram> OpenclPrograms::from_source(const std::string& source) const {
  const char* text = source.data();
  const size_t size = source.size();
  cl_int error = CL_SUCCESS;
  OwnedProgram program(clCreateProgramWithSource(queue_->context.get(), 1, &text, &size, &error));
  TRY(check_opencl("clCreateProgramWithSource", error));
  return program;
}

Result<OwnedProgram> OpenclPrograms::from_binary(const std::string& binary) const {
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
  const size_t size = binary.size();
  cl_int status = CL_SUCCESS;
  cl_int error = CL_SUCCESS;
  OwnedProgram program(clCreateProgramWithBinary(queue_->context.get(), 1, &device_, &size, &bytes,
                                                 &status, &error));
  TRY(check_opencl("clCreateProgramWithBinary", error));
  TRY(check_opencl("clCreateProgramWithBinary", status));
  return program;
}

}  // namespace dovetail
