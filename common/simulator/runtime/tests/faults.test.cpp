// What a program's errors lead to: sticky errors, and reports that name the place.
#include <csignal>

#include "common/simulator/runtime/tests/program.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator::runtime;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// What faults.cu prints when cudaDeviceSynchronize returns a kernel's fault.
std::string sticky(int code) {
  const std::string number = std::to_string(code);
  return "peek 0\nlaunch 0\nsynchronise " + number + "\nlast " + number + "\nthen 0\nmalloc " + number +
         "\nreset 0\nmalloc 0\n";
}

}  // namespace

TEST_CASE("a store out of bounds is reported with thread, allocation, instruction and line") {
  const Outcome outcome = run_program("faults", {"out_of_bounds"});
  INFO(outcome.errors);
  CHECK(outcome.output == sticky(700));
  CHECK(has(outcome.errors, "cudaErrorIllegalAddress (700)"));
  CHECK(has(outcome.errors, "in kernel store(int *, long long), block (0,0,0), thread (0,0,0)"));
  CHECK(has(outcome.errors, "write of 4 bytes at 0x"));
  CHECK(has(outcome.errors, "the address is 0 bytes after the 400 bytes at 0x"));
  CHECK(has(outcome.errors, "of the 2nd cudaMalloc"));
  CHECK(has(outcome.errors, "instruction st.global.u32, PTX line "));
  CHECK(has(outcome.errors, "faults.cu:9:  data[index] = 1;  // the store that faults"));
}

TEST_CASE("with CUDA_LAUNCH_BLOCKING a launch itself returns its kernel's error") {
  const auto launch_says = [](const char* blocking) {
    const std::string output = run_program("faults", {"null"}, {{"CUDA_LAUNCH_BLOCKING", blocking}}).output;
    return output.substr(0, output.find("last"));
  };
  CHECK(launch_says("1") == "peek 700\nlaunch 700\nsynchronise 700\n");
  CHECK(launch_says("0") == "peek 0\nlaunch 0\nsynchronise 700\n");
}

TEST_CASE("a load before the start of an allocation is reported as a read") {
  const Outcome outcome = run_program("faults", {"read"});
  INFO(outcome.errors);
  CHECK(outcome.output == sticky(700));
  CHECK(has(outcome.errors, "read of 4 bytes at 0x"));
  CHECK(has(outcome.errors, "the address is 4 bytes before the 400 bytes at 0x"));
}

TEST_CASE("null, freed, foreign and misaligned pointers are distinguished") {
  Outcome outcome = run_program("faults", {"null"});
  CHECK(outcome.output == sticky(700));
  CHECK(has(outcome.errors, "a null pointer"));

  outcome = run_program("faults", {"freed"});
  INFO(outcome.errors);
  CHECK(outcome.output == sticky(700));
  CHECK(has(outcome.errors, "of the 2nd cudaMalloc, which was freed before"));

  outcome = run_program("faults", {"host_memory"});
  CHECK(outcome.output == sticky(700));

  outcome = run_program("faults", {"misaligned"});
  CHECK(outcome.output == sticky(716));
  CHECK(has(outcome.errors, "cudaErrorMisalignedAddress (716)"));
  CHECK(has(outcome.errors, "misaligned(char *)"));
}

TEST_CASE("an access past a device variable names the variable") {
  const Outcome outcome = run_program("faults", {"past_variable"});
  INFO(outcome.errors);
  CHECK(outcome.output == sticky(700));
  CHECK(has(outcome.errors, "4 bytes after the 16 bytes at 0x"));
  CHECK(has(outcome.errors, "of the variable 'variable'"));
}

// As on an H200 (2026-11-24), whatever the depth.
TEST_CASE("a recursion that overflows the stack accesses illegal addresses") {
  for (const char* depth : {"recursion", "deep_recursion"}) {
    const Outcome outcome = run_program("faults", {depth});
    CHECK(outcome.output == sticky(700));
    CHECK(has(outcome.errors, "cudaErrorIllegalAddress (700): the call of "));
    CHECK(has(outcome.errors, "needs more stack than the"));
  }
}

TEST_CASE("a trap is a launch failure") {
  const Outcome outcome = run_program("faults", {"trap"});
  CHECK(outcome.output == sticky(719));
  CHECK(has(outcome.errors, "cudaErrorLaunchFailure (719)"));
  CHECK(has(outcome.errors, "block (0,0,0), thread (3,0,0)"));
}

TEST_CASE("a failed assertion prints a line for each thread on stderr") {
  const Outcome outcome = run_program("faults", {"assertion"});
  INFO(outcome.errors);
  CHECK(outcome.output == sticky(710));
  for (const char* block : {"[0,0,0]", "[1,0,0]"}) {
    CHECK(has(outcome.errors, std::string(": void affirm(int): block: ") + block +
                                  ", thread: [2,0,0] Assertion `a == 0 || threadIdx.x < 2` failed.\n"));
  }
  CHECK(has(outcome.errors, "cudaErrorAssert (710)"));
}

TEST_CASE("host code that dereferences a device pointer is reported with advice") {
  const Outcome outcome = run_program("faults", {"host_dereference"});
  INFO(outcome.errors);
  CHECK(outcome.signal == SIGSEGV);
  CHECK(outcome.output == "before\n");
  CHECK(has(outcome.errors, "host code dereferenced the device pointer 0x"));
  CHECK(has(outcome.errors, "byte 12 of the 1000 bytes of the 1st cudaMalloc"));
  CHECK(has(outcome.errors, "copy it with cudaMemcpy"));
}

TEST_CASE("other segmentation faults are passed on without a message") {
  const Outcome outcome = run_program("faults", {"host_null"});
  CHECK(outcome.signal == SIGSEGV);
  CHECK(outcome.errors.empty());
}

TEST_CASE("device output appears at the next synchronisation, or never") {
  Outcome outcome = run_program("faults", {"print"});
  INFO(outcome.errors);
  CHECK(outcome.output.rfind("before the synchronisation\nsay 1\nsay 1\nafter it\n", 0) == 0);
  outcome = run_program("faults", {"print_unseen"});
  CHECK(outcome.output.empty());
}

TEST_CASE("a barrier that some threads never reach is reported with who waits where") {
  Outcome outcome = run_program("waits", {"barrier_in_branch"});
  INFO(outcome.errors);
  CHECK(outcome.output == "synchronise 719\n");
  CHECK(has(outcome.errors,
            "not all threads of the block reach one barrier: 20 threads wait at the barrier in line 15 "
            "of waits.cu (bar.sync), warp 0; "));
  CHECK(has(outcome.errors,
            "12 threads are past that, in line 17 of waits.cu, and wait for the rest of the warp, "
            "warp 0; 32 threads have ended"));
  CHECK(has(outcome.errors, "waits.cu:15:  __syncthreads();  // not for all"));

  outcome = run_program("waits", {"group_in_branch"});
  INFO(outcome.errors);
  CHECK(outcome.output == "synchronise 719\n");
  CHECK(has(outcome.errors, "20 threads wait at the barrier in line 24 of waits.cu (barrier.sync), warp 0"));
  CHECK(has(outcome.errors, "waits.cu:24:  block.sync();  // the group has more threads"));
}

TEST_CASE("threads that have ended are not waited for at a barrier, as on an H200") {
  for (const char* name : {"returns_some_threads", "barrier_for_warps"}) {
    const Outcome outcome = run_program("waits", {name});
    INFO(name << outcome.errors);
    CHECK(outcome.output == "synchronise 0\n");
  }
}

TEST_CASE("a grid that waits forever is reported with how many blocks are at grid.sync()") {
  Outcome outcome = run_program("waits", {"skips_grid_sync"}, {{"WARPBOOK_STEP_LIMIT", "1000000"}});
  INFO(outcome.errors);
  CHECK(outcome.output == "synchronise 719\n");
  CHECK(has(outcome.errors,
            "grid.sync() waits forever: only 6 of 7 blocks of the grid have arrived, and 1 block has ended"));
  CHECK(has(outcome.errors, "waits.cu:32:  cg::this_grid().sync();  // waits for the block that left"));

  outcome = run_program("waits", {"plain_launch"});
  CHECK(outcome.output == "synchronise 719\n");
  CHECK(has(outcome.errors, "the kernel stopped itself (trap)"));
  CHECK(has(outcome.errors, "waits.cu:32:"));

  outcome = run_program("waits", {"waits_for_flag"}, {{"WARPBOOK_STEP_LIMIT", "1000000"}});
  INFO(outcome.errors);
  CHECK(outcome.output == "synchronise 719\n");
  CHECK(has(outcome.errors, "the grid loops forever: 128 threads are in a loop in line 4"));
  CHECK(has(outcome.errors, " that never ends, waiting for 4 bytes at byte 0 of "));
}

TEST_CASE("grids that wait forever are found when the host waits, or at the program's end") {
  Outcome outcome = run_program("waits", {"two_streams"});
  INFO(outcome.errors);
  CHECK(outcome.output == "synchronise 719\n");
  CHECK(has(outcome.errors, "the grid loops forever: 32 threads are in a loop in line 4"));

  const Outcome end = run_program("waits", {"ends_at_once"});
  INFO(end.errors);
  CHECK(end.exit_code == 0);
  CHECK(end.output.empty());
  CHECK(has(end.errors, "the grid loops forever: 32 threads are in a loop in line 4"));
}

TEST_CASE("other host threads get time to release a waiting grid") {
  const Outcome outcome = run_program("waits", {"thread_that_sleeps"}, {{"WARPBOOK_PATIENCE", "1"}});
  INFO(outcome.errors);
  CHECK(outcome.output == "synchronise 719\n");
  CHECK(has(outcome.errors, "the host has waited for 1 s, and none of the program's other threads (1) has written"));
  CHECK(has(outcome.errors, "the grid loops forever"));
}

TEST_CASE("without errors nothing is reported") {
  const Outcome outcome = run_program("faults");
  CHECK(outcome.output == "peek 0\nlaunch 0\nsynchronise 0\nlast 0\nthen 0\nmalloc 0\nreset 0\nmalloc 0\n");
  CHECK(outcome.errors.empty());
}
