// Runs one kernel of the benchmark through OpenCL: opencl_bench SOURCE_FOLDER KERNEL SIZE REPETITIONS.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdint>
#include <fstream>
#include <sstream>

#include "common/command_line/command_line.h"
#include "common/simulator/bench/workload.h"

using namespace warpbook::bench;

namespace {

void check(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  std::fprintf(stderr, "%s: OpenCL error %d\n", what, status);
  std::exit(1);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
    std::exit(2);
  }
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

struct OpenCl {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  OpenCl() {
    cl_platform_id platform = nullptr;
    check(clGetPlatformIDs(1, &platform, nullptr),
          "clGetPlatformIDs (which implementations are installed? see clinfo)");
    char name[128] = "";
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, nullptr);
    std::fprintf(stderr, "%s\n", name);
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
    cl_int status = CL_SUCCESS;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
  }

  cl_kernel build(const std::string& folder, const char* name) const {
    const std::string text = read_file(folder + "/dialects.h") + read_file(folder + "/kernels.inc");
    const char* source = text.c_str();
    cl_int status = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &status);
    check(status, "clCreateProgramWithSource");
    if (clBuildProgram(program, 1, &device, "", nullptr, nullptr) != CL_SUCCESS) {
      std::vector<char> log(1 << 16);
      clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
      std::fprintf(stderr, "%s\n", log.data());
      std::exit(1);
    }
    cl_kernel kernel = clCreateKernel(program, name, &status);
    check(status, "clCreateKernel");
    return kernel;
  }

  cl_mem upload(std::vector<float>& values) const {
    cl_int status = CL_SUCCESS;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.size() * sizeof(float),
                                   values.data(), &status);
    check(status, "clCreateBuffer");
    return buffer;
  }
};

}  // namespace

int main(int argc, char** argv) {
  std::string folder, name;
  int size = 0, repetitions = 0;
  warpbook::CommandLine line("Times a kernel by OpenCL.");
  line.add("SOURCE_FOLDER", folder, "Where the kernels' sources are").required();
  line.add("KERNEL", name, "One of workloads.h").required();
  line.add("SIZE", size, "Of the problem").required();
  line.add("REPETITIONS", repetitions, "Of which the fastest counts").required();
  if (const std::optional<int> status = line.parse(argc, argv, 2)) return *status;
  const Workload work = workload(name, size);
  const OpenCl opencl;
  cl_kernel kernel = opencl.build(folder, work.name);

  std::vector<std::vector<float>> in;
  cl_uint argument = 0;
  const auto pass = [&](cl_mem buffer) {
    check(clSetKernelArg(kernel, argument++, sizeof buffer, &buffer), "clSetKernelArg");
  };
  for (std::size_t i = 0; i < work.inputs; ++i) {
    in.push_back(input(work, i));
    pass(opencl.upload(in.back()));
  }
  std::vector<float> out(work.out_count, -1.0f);
  cl_mem device_out = opencl.upload(out);
  pass(device_out);
  if (work.kernel != Kernel::block_reduction)
    check(clSetKernelArg(kernel, argument, sizeof(int), &work.size), "clSetKernelArg");

  const std::size_t local[2] = {work.block[0], work.block[1]};
  const std::size_t global[2] = {local[0] * work.grid[0], local[1] * work.grid[1]};
  const Time time = fastest(repetitions, [&] {
    check(clEnqueueNDRangeKernel(opencl.queue, kernel, 2, nullptr, global, local, 0, nullptr, nullptr), work.name);
    check(clFinish(opencl.queue), work.name);
  });
  check(clEnqueueReadBuffer(opencl.queue, device_out, CL_TRUE, 0, out.size() * sizeof(float), out.data(), 0, nullptr,
                            nullptr),
        "clEnqueueReadBuffer");
  const std::size_t wrong = wrong_elements(work, in, out);
  print_result(work, time, wrong);
  return wrong == 0 ? 0 : 1;
}
