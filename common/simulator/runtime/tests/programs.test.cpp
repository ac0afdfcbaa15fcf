// Programs built by nvcc that run unchanged on the virtual GPU.
#include <csignal>
#include <fstream>
#include <sstream>

#include "common/simulator/runtime/tests/checked_run.h"
#include "common/simulator/runtime/tests/program.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator::runtime;

namespace {

void check_passes(const std::string& name, const std::map<std::string, std::string>& environment = {}) {
  const Outcome outcome = run_program(name, {}, environment);
  INFO(name << " said:\n" << outcome.output << outcome.errors);
  CHECK(outcome.signal == 0);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.output.find(" 0 failed") != std::string::npos);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The output of @p name must match the file @p answers, which has more than @p least lines. Lines "==== 1 a" stand
/// before the output with the arguments 1 and a.
void check_answers(const std::string& name, const std::string& answers, std::size_t least) {
  constexpr std::string_view kArguments = "==== ";
  std::ifstream file(WARPBOOK_TEST_SOURCES "/" + answers);
  std::stringstream text;
  text << file.rdbuf();
  const auto wanted = lines_of(text.str());
  REQUIRE(wanted.size() > least);
  std::vector<std::string> got;
  const auto run = [&](const std::vector<std::string>& arguments) {
    const Outcome outcome = run_program(name, arguments);
    INFO(outcome.errors);
    CHECK(outcome.exit_code == 0);
    const auto lines = lines_of(outcome.output);
    got.insert(got.end(), lines.begin(), lines.end());
  };
  if (wanted[0].rfind(kArguments, 0) != 0) run({});
  for (const std::string& line : wanted) {
    if (line.rfind(kArguments, 0) != 0) continue;
    got.push_back(line);
    std::istringstream words(line.substr(kArguments.size()));
    run({std::istream_iterator<std::string>(words), {}});
  }
  for (std::size_t i = 0; i < wanted.size() && i < got.size(); ++i) {
    CAPTURE(i + 1);
    CHECK(got[i] == wanted[i]);
  }
  CHECK(got.size() == wanted.size());
}

}  // namespace

TEST_CASE("the runtime gives an H200's results") { check_answers("answers", "h200_answers.txt", 300); }

// The H200 ran the program on 2026-11-21 (driver 580.159, CUDA 13.0).
TEST_CASE("cooperative grids and groups of every size give an H200's results") {
  check_answers("cooperative", "h200_cooperative.txt", 40);
}

// The H200 ran the two programs on 2026-11-23 (driver 580.159, CUDA 13.0).
TEST_CASE("textures give what an H200 gave, bit for bit") { check_answers("texture_answers", "h200_textures.txt", 25); }

TEST_CASE("cube maps give on their edges and corners what an H200 gave, bit for bit") {
  check_answers("cube_edges", "h200_cube_edges.txt", 170);
}

// An H200 ran the program on 2026-11-27, all but its last part, and an H100 all of it, with the same answers (driver
// 580.159.04, CUDA 13.0).
TEST_CASE("printf in a kernel prints what an H200's does") { check_answers("printf_formats", "h200_printf.txt", 1700); }

TEST_CASE("pools count their memory as an H200's do") { check_answers("pool_numbers", "h200_pool_numbers.txt", 130); }

// An H100 ran the program twice on 2026-11-27 (driver 580.159, CUDA 13.0).
TEST_CASE("pools fill their holes and serve several streams as an H100's do") {
  check_answers("pool_streams", "h100_pool_streams.txt", 90);
}

TEST_CASE("pools of host and managed memory answer as an H100's do") {
  check_answers("pool_places", "h100_pool_places.txt", 400);
}

TEST_CASE("rarely used calls answer as an H100's driver does", "[processes]") {
  check_answers("rare_calls", "h100_rare_calls.txt", 230);
}

TEST_CASE("tensor copies move the same data as on an H200", "[processes]") {
  check_answers("tensor_answers", "h200_tensor_maps.txt", 480);
}

TEST_CASE("calls on captures and graphs give an H200's results") {
  check_answers("graph_answers", "h200_graphs.txt", 340);
}

TEST_CASE("kernels of every kind are launched in every way") { check_passes("launches"); }

TEST_CASE("threads of the host share the device, and pieces of host memory share pages") {
  check_passes("host_threads");
}

TEST_CASE("kernels and the host run concurrently, and wait for each other") {
  check_passes("side_by_side");
  check_passes("side_by_side", {{"WARPBOOK_SCHEDULE_SEED", "3"}});
  check_passes("side_by_side", {{"WARPBOOK_SCHEDULE_SEED", "4"}});
}

TEST_CASE("managed memory is on the side that uses it, also for system calls") { check_passes("managed"); }

TEST_CASE("embedded PTX is read whatever its compression") {
  for (const char* mode : {"none", "size", "speed", "balance"}) check_passes(std::string("launches_") + mode);
}

TEST_CASE("both dialects of PTX run, and the closest of several is chosen") {
  check_passes("launches_compute_100");
  check_passes("launches_several");
}

TEST_CASE("what nvcc makes for compute capability 10.0 runs") { check_passes("newer_devices"); }

TEST_CASE("threads exchange 16 bytes at once, with and without checkers, in every schedule") {
  check_passes("wide_atomics");
  check_passes("wide_atomics", {{"WARPBOOK_SCHEDULE_SEED", "3"}});
  const CheckedRun checked = run_checked("wide_atomics", {}, "all");
  CHECK(checked.outcome.exit_code == 0);
  CHECK(checked.report["findings"].empty());
}

TEST_CASE("a program with only machine code is refused with how to rebuild it") {
  const Outcome outcome = run_program("launches_cubin_only");
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.errors.find("no PTX in this program: rebuild with -arch=sm_90 or "
                            "-gencode arch=compute_90,code=compute_90") != std::string::npos);
  CHECK(outcome.output.find("cudaErrorNoKernelImageForDevice") != std::string::npos);
}

TEST_CASE("separately compiled device code is linked") { check_passes("linked"); }

TEST_CASE("NVIDIA's nvJitLink makes PTX of a program that has LTO-IR alone") {
  if (!is_apart()) return check_passes("linked_lto");
  // The device of another process does not run NVIDIA's linker on what it is sent.
  const Outcome outcome = run_program("linked_lto");
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.errors.find("the device code is LTO-IR, which is not linked for another process: add PTX with -gencode "
                            "arch=compute_90,code=compute_90") != std::string::npos);
}

TEST_CASE("kernels launch kernels as on an H200, in every schedule") {
  check_passes("device_launches");
  for (const char* seed : {"1", "2", "3", "7"}) check_passes("device_launches", {{"WARPBOOK_SCHEDULE_SEED", seed}});
}

TEST_CASE("refused launches are reported only if no thread queries the error") {
  const Outcome blind = run_program("device_launches", {"unnoticed"});
  CHECK(blind.exit_code == 0);
  CHECK(blind.errors.find("launches of 512 threads were refused") != std::string::npos);
  CHECK(blind.errors.find("cudaErrorLaunchPendingCountExceeded (69) at ") != std::string::npos);
  CHECK(blind.errors.find("device_launches.cu:") != std::string::npos);
  CHECK(run_program("device_launches").errors.find("were refused") == std::string::npos);
}

TEST_CASE("a call of the device runtime that is not supported names itself") {
  const Outcome outcome = run_program("device_launches", {"unsupported"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.errors.find("a call of cudaGraphKernelNodeSetEnabled in a kernel is not supported") !=
        std::string::npos);
}

TEST_CASE("copies and memsets of rows and boxes by kernels work as on an H200, in every schedule") {
  for (const char* seed : {"0", "1", "3"}) check_passes("device_copies", {{"WARPBOOK_SCHEDULE_SEED", seed}});
}

TEST_CASE("kernels launch graphs as on an H200, in every schedule") {
  for (const char* seed : {"0", "1", "4", "7"}) {
    CAPTURE(seed);
    check_passes("device_graphs", {{"WARPBOOK_SCHEDULE_SEED", seed}});
  }
  const Outcome outcome = run_program("device_graphs", {"no_flag"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.errors.find("without cudaGraphInstantiateFlagDeviceLaunch") != std::string::npos);
}

TEST_CASE("launches may be nested as deep as the limit of pending launches allows, in every schedule") {
  for (const char* seed : {"0", "1", "2", "5"}) {
    CAPTURE(seed);
    CHECK(run_program("device_launches", {"deep"}, {{"WARPBOOK_SCHEDULE_SEED", seed}}).exit_code == 0);
  }
}

TEST_CASE("children run after their parent unless a schedule seed shows a race with it") {
  const auto seen = [](const std::string& seed) {
    const Outcome outcome = run_program("device_launches", {"race"}, {{"WARPBOOK_SCHEDULE_SEED", seed}});
    REQUIRE(outcome.exit_code == 0);
    return outcome.output.find("the child saw 2") != std::string::npos;
  };
  CHECK(seen("0"));
  int early = 0;
  for (int seed = 1; seed <= 8; ++seed) early += !seen(std::to_string(seed));
  CHECK(early > 0);
  CHECK(early < 8);
}

TEST_CASE("device variables have values, addresses and names") { check_passes("symbols"); }

TEST_CASE("matrices are multiplied by wmma and mma") { check_passes("matrices"); }

TEST_CASE("textures are read according to their descriptions, in every schedule and on every processor") {
  check_passes("textures");
  check_passes("textures", {{"WARPBOOK_SCHEDULE_SEED", "4"}});
  check_passes("textures", {{"WARPBOOK_CHECK", "all"}});
  for (const char* isa : {"baseline", "avx2"}) check_passes("textures", {{"WARPBOOK_ISA", isa}});
}

TEST_CASE("surfaces are written, read, copied and captured, in every schedule") {
  for (const char* seed : {"0", "1", "4", "7"}) check_passes("surfaces", {{"WARPBOOK_SCHEDULE_SEED", seed}});
  check_passes("surfaces", {{"WARPBOOK_CHECK", "all"}});
}

// The error of a store outside was confirmed on an H200 on 2026-11-21.
TEST_CASE("a store outside of a surface names the surface, and leaked objects are reported") {
  const Outcome outside = run_program("surfaces", {"outside"}, {{"WARPBOOK_CHECK", "memory,leak"}});
  INFO(outside.errors);
  CHECK(outside.output.find("cudaErrorIllegalAddress") != std::string::npos);
  CHECK(
      outside.errors.find("write of 4 bytes at x = 64 bytes, y = 0 outside a surface of 16 x 4 texels of 4 bytes: the "
                          "1st cudaMalloc3DArray") != std::string::npos);
  CHECK(outside.errors.find("of the 1st cudaMalloc3DArray") != std::string::npos);
  const Outcome destroyed = run_program("surfaces", {"destroyed"}, {{"WARPBOOK_CHECK", "memory"}});
  CHECK(destroyed.output.find("cudaErrorIllegalAddress") != std::string::npos);
  CHECK(destroyed.errors.find("is not the handle of a surface object: it was destroyed before the kernel ran") !=
        std::string::npos);
  const Outcome left = run_program("surfaces", {"nothing"}, {{"WARPBOOK_CHECK", "leak"}});
  INFO(left.errors);
  CHECK(left.errors.find("cudaFreeArray") != std::string::npos);
  CHECK(left.errors.find("the surface object of the 1st cudaCreateSurfaceObject is never destroyed") !=
        std::string::npos);
}

TEST_CASE("memory of every kind is allocated, copied and filled") { check_passes("memory"); }

TEST_CASE("ranges are copied, prefetched and discarded in batches, in every schedule") {
  for (const char* seed : {"0", "4"}) check_passes("batches", {{"WARPBOOK_SCHEDULE_SEED", seed}});
}

TEST_CASE("memory is returned to the system when it is freed") { check_passes("returned_memory"); }

TEST_CASE("lanes, warps and blocks execute as on an H200") { check_passes("control_flow"); }

TEST_CASE("kernels allocate memory until the heap is full") { check_passes("device_heap"); }

TEST_CASE("the toolkit's libraries run") { check_passes("libraries"); }

TEST_CASE("streams and events keep their order on the virtual clock") {
  check_passes("streams");
  check_passes("streams_per_thread");
}

TEST_CASE("the use of a destroyed stream is reported, where a GPU's driver crashes") {
  const Outcome outcome = run_program("streams", {"destroyed"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.output == "3 checks, 0 failed\n");
}

TEST_CASE("the outcome does not depend on host threads or instruction set") {
  for (const char* threads : {"1", "3"}) check_passes("launches", {{"WARPBOOK_THREADS", threads}});
  for (const char* isa : {"baseline", "avx2"}) check_passes("launches", {{"WARPBOOK_ISA", isa}});
}

TEST_CASE("an unsupported call is reported once and fails") {
  const Outcome outcome = run_program("unsupported");
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.output == "801 cudaErrorNotSupported\n801 cudaErrorNotSupported\nlast 801\n");
  CHECK(outcome.errors == "warpbook: cudaGraphicsMapResources is not supported by the virtual GPU\n");
}

TEST_CASE("asynchronous work of samples comes out right in every schedule, and without findings") {
  for (const char* seed : {"0", "1", "2", "7"}) {
    CAPTURE(seed);
    check_passes("asynchronous_work", {{"WARPBOOK_SCHEDULE_SEED", seed}});
  }
  const Outcome checked = run_program("asynchronous_work", {}, {{"WARPBOOK_CHECK", "memory,init,race,sync,leak"}});
  CAPTURE(checked.errors);
  CHECK(checked.exit_code == 0);
  CHECK(checked.errors.find("no findings") != std::string::npos);
}

TEST_CASE("a bulk copy that is not waited for is a race, and bytes that never arrive are a deadlock") {
  const Outcome raced = run_program("asynchronous_work", {"race"}, {{"WARPBOOK_CHECK", "race"}});
  CAPTURE(raced.errors);
  CHECK(raced.errors.find("asynchronous copy in kernel") != std::string::npos);
  CHECK(raced.errors.find("// copies") != std::string::npos);
  CHECK(raced.errors.find("// reads") != std::string::npos);
  CHECK(raced.errors.find("has not waited for it") != std::string::npos);
  const Outcome stuck = run_program("asynchronous_work", {"dead", "lock"});
  CAPTURE(stuck.errors);
  CHECK(stuck.exit_code == 1);
  CHECK(stuck.errors.find("// waits") != std::string::npos);
  CHECK(stuck.errors.find("lacks 128 bytes") != std::string::npos);
}

TEST_CASE("graphs are captured, built explicitly, updated and launched, in every schedule") {
  for (const char* name : {"capture_rules", "cluster_graphs", "conditional_nodes", "graph_checks", "graph_memory",
                           "graph_pipeline", "graph_timing", "graph_updates", "jacobi_graphs", "simple_graphs"}) {
    for (const char* seed : {"0", "1", "4", "7"}) {
      CAPTURE(name, seed);
      check_passes(name, {{"WARPBOOK_SCHEDULE_SEED", seed}});
    }
  }
}

TEST_CASE("an unknown device is reported with the known ones") {
  const Outcome outcome = run_program("faults", {}, {{"WARPBOOK_DEVICE", "gt9000"}});
  CHECK(outcome.errors.find("gt9000") != std::string::npos);
  CHECK(outcome.errors.find("h200") != std::string::npos);
}

TEST_CASE("deferred work gives the same results if streams and the host wait") {
  for (const char* name : {"late_work", "streams", "streams_per_thread", "matrices", "memory", "managed", "page_faults",
                           "symbols", "host_threads", "device_heap", "asynchronous_copies", "linked"})
    check_passes(name, {{"WARPBOOK_SCHEDULE_SEED", "4"}});
  for (const char* name : {"late_work", "streams", "memory"}) check_passes(name, {{"WARPBOOK_SCHEDULE_SEED", "7"}});
}

TEST_CASE("unordered kernels give other results when work is deferred") {
  CHECK(run_program("late_work").output.find("raced: 7\n") != std::string::npos);
  const Outcome late = run_program("late_work", {}, {{"WARPBOOK_SCHEDULE_SEED", "4"}});
  CHECK(late.output.find("raced: 3\n") != std::string::npos);
}
