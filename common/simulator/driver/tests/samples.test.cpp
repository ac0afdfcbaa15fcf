// Sample programs for the driver API and for code that is generated at run time. Each compares its own answer.
#include <cstdlib>

#include "common/simulator/runtime/tests/program.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator::runtime;

namespace {

/// @p name must compare its answer and find it right. @returns its output
Outcome check_sample(const std::string& name) {
  Outcome outcome = run_program("samples/" + name);
  INFO(name << " said:\n" << outcome.output << outcome.errors);
  CHECK(outcome.signal == 0);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.output.find(name + ": passed\n") != std::string::npos);
  return outcome;
}

/// A write that is not allowed must be explained by @p reason.
void check_fault(const std::string& kind, const std::string& reason) {
  const Outcome outcome = run_program("samples/vector_add_mapped", {kind});
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.output.find("fault: passed\n") != std::string::npos);
  CHECK(outcome.errors.find(reason) != std::string::npos);
  CHECK(outcome.errors.find("in kernel touch") != std::string::npos);
}

}  // namespace

TEST_CASE("a program that is linked to libcuda alone runs, prints and writes managed memory") {
  const Outcome outcome = check_sample("vector_add_driver");
  CHECK(outcome.output.find("hello from thread 1\n") != std::string::npos);
  CHECK(outcome.output.find("mmmm\n") != std::string::npos);
}

TEST_CASE("memory is mapped by the program, in chunks and at two addresses") { check_sample("vector_add_mapped"); }

TEST_CASE("an access to addresses without memory or without access is explained") {
  check_fault("unmapped", "no memory is mapped there (cuMemMap)");
  check_fault("inaccessible", "the device may not access it (cuMemSetAccess)");
  check_fault("read_only", "which the device may only read (cuMemSetAccess with CU_MEM_ACCESS_FLAGS_PROT_READ)");
}

TEST_CASE("two processes map the same memory") {
  // If the device is in a process of its own, there are no files of its memory to pass on.
  if (std::getenv("WARPBOOK_RUN_APART") != nullptr) return;
  check_sample("shared_memory");
}

TEST_CASE("bytes are copied to arrays and back") { check_sample("array_bytes"); }

TEST_CASE("streams wait for values and write them, several in one call") { check_sample("stream_batches"); }

TEST_CASE("libraries give kernels and variables of all kinds") { check_sample("library_globals"); }

TEST_CASE("PTX and fat binaries are linked at run time, and what cannot be linked is told") {
  const Outcome outcome = check_sample("jit_link");
  CHECK(outcome.errors.find("code.cubin: the input is machine code") != std::string::npos);
}

TEST_CASE("a program that opens libcuda finds each call by name and version") { check_sample("matrix_dynamic_link"); }

TEST_CASE("calls of older versions of CUDA are found by their version, and work") { check_sample("older_calls"); }

TEST_CASE("green contexts run their kernels on their part of the multiprocessors") { check_sample("green_contexts"); }

TEST_CASE("a program uses both APIs on one device") { check_sample("driver_and_runtime"); }

TEST_CASE("graphs of the driver are captured, made of nodes, and updated") { check_sample("graphs_driver"); }

#if WARPBOOK_HAVE_NVRTC
TEST_CASE("code that NVRTC compiles at run time runs, as PTX and as a cubin") {
  CHECK(check_sample("vector_add_nvrtc").errors.empty());
}

TEST_CASE("what nvJitLink links runs: PTX, link-time optimised code, and both") {
  const Outcome outcome = check_sample("jit_lto");
  CHECK(outcome.errors.find("the device code is LTO-IR") != std::string::npos);
}
#else
TEST_CASE("code that is made at run time is not tested: NVRTC is not installed") {
  WARN("Install nvidia-cuda-nvrtc and nvidia-nvjitlink (common/setup.sh) and configure again.");
}
#endif
