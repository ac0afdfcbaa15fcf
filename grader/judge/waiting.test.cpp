// The advice for a kernel limited by latency: why it has few warps, and nothing about accesses that waste little.
#include "common/testing/catch.h"
#include "grader/judge/slow.h"

using namespace warpbook::grader;

namespace {

/// One kernel of 10 us on 132 multiprocessors, with a load that moves some sectors more than it must.
std::string told(const std::string& metrics, const std::string& limiter = "latency", int sectors = 35, int lanes = 320,
                 const std::string& space = "global") {
  const std::string moved = space == "shared" ? "wavefronts" : "sectors";
  const Profile profile = parse_profile(
      R"({"format": "warpbook.profile", "version": 1, "kernels": [{"name": "sum", "time_us": 10, "limiter": ")" +
      limiter + R"(", "metrics": {)" + metrics +
      R"(}, "lines": [{"file": "sum.cu", "line": 7, "inst_executed": 10, "thread_inst_executed": )" +
      std::to_string(lanes) + R"(, "accesses": [{"op": "ld", "space": ")" + space + R"(", "requests": 10, ")" + moved +
      R"(": )" + std::to_string(sectors) + ", \"" + moved + R"(_ideal": 30, "bytes_per_lane": 4}]}]}]})");
  return text_of(explain_slow(profile, {10, 8, 1.2, 2, true}, {}));
}

std::string launch(double blocks, double waves, int by_registers, int by_shared) {
  return R"("launch__grid_size": )" + std::to_string(blocks) + R"(, "launch__block_size": 256,
            "launch__waves_per_multiprocessor": )" +
         std::to_string(waves) + R"(, "launch__registers_per_thread": 40, "launch__shared_mem_per_block": 32768,
            "launch__occupancy_limit_warps": 8, "launch__occupancy_limit_registers": )" +
         std::to_string(by_registers) + R"(, "launch__occupancy_limit_shared_mem": )" + std::to_string(by_shared);
}

}  // namespace

TEST_CASE("a latency-bound kernel with few blocks gets the number that the device runs") {
  const std::string few = told(launch(1, 1 / 1056.0, 8, 8));
  CHECK_THAT(few, Catch::Contains("Its grid has 1 block of 256 threads; the device runs about 1060 of them at a time"));
  CHECK_THAT(few, Catch::Contains("Launch as many blocks as the device runs"));
  CHECK_THAT(few, !Catch::Contains("neighbouring"));
  CHECK_THAT(told(launch(1024, 0.97, 8, 8)), !Catch::Contains("Its grid has"));
}

TEST_CASE("a latency-bound kernel with few blocks on a multiprocessor gets what a block takes") {
  const std::string registers = told(launch(1024, 1.29, 6, 7));
  CHECK_THAT(registers, Catch::Contains("A thread of it takes 40 registers: a multiprocessor runs 6 blocks of 256 "
                                        "threads at a time, where it has threads for 8"));
  CHECK_THAT(registers, Catch::Contains("__launch_bounds__"));
  CHECK_THAT(registers, !Catch::Contains("per request"));
  const std::string shared = told(launch(1024, 1.29, 6, 5));
  CHECK_THAT(shared,
             Catch::Contains("A block of it takes 32768 bytes of shared memory: a multiprocessor runs 5 blocks"));
  CHECK_THAT(shared, Catch::Contains("Keep only what other threads need"));
  CHECK_THAT(told(launch(1024, 0.97, 7, 8)), Catch::Contains("several things to wait for at once"));
}

TEST_CASE("one of many latency-bound kernels gets the number of launches") {
  const auto of_many = [](const std::string& metrics) {
    std::string kernels;
    for (int i = 0; i < 4; ++i)
      kernels += (i == 0 ? "" : ", ") +
                 std::string(R"({"name": "step", "time_us": 10, "limiter": "latency", "start_us": )") +
                 std::to_string(10 * i) + R"(, "metrics": {)" + metrics + "}}";
    const Profile profile =
        parse_profile(R"({"format": "warpbook.profile", "version": 1, "kernels": [)" + kernels + "]}");
    return text_of(explain_slow(profile, {40, 12, 1.2, 2, true}, {}));
  };
  const std::string large = of_many(launch(4096, 3.9, 8, 8));
  CHECK_THAT(large, Catch::Contains("It is one of 4 launches, and takes 25 % of the time"));
  CHECK_THAT(large, Catch::Contains("Merge kernels that work on the same elements"));
  const std::string small = of_many(launch(1, 1 / 1056.0, 8, 8));
  CHECK_THAT(small, Catch::Contains("run at the same time: each in a stream of its own"));
  CHECK_THAT(small, !Catch::Contains("as many blocks"));
}

TEST_CASE("a kernel with idle lanes gets the line, and one with scattered accesses gets those") {
  const std::string idle = told(launch(1, 1 / 1056.0, 8, 8), "latency", 35, 10);
  CHECK_THAT(idle, Catch::Contains("On average 1 of a warp's 32 lanes work"));
  CHECK_THAT(idle, Catch::Contains("sum.cu:7"));
  CHECK_THAT(idle, Catch::Contains("Divide the work"));
  const std::string scattered = told(launch(1024, 0.97, 8, 8), "latency", 320);
  CHECK_THAT(scattered, Catch::Contains("32 sectors per request; ideal: 3"));
  CHECK_THAT(scattered, Catch::Contains("Let neighbouring threads"));
}

TEST_CASE("accesses that waste little are too many, not badly arranged") {
  const std::string much = told("", "dram");
  CHECK_THAT(much, Catch::Contains("sum.cu:7"));
  CHECK_THAT(much, Catch::Contains("Read each element once and keep it"));
  CHECK_THAT(much, !Catch::Contains("neighbouring threads"));
  CHECK_THAT(told("", "lsu", 30, 320, "shared"), Catch::Contains("Load more with each access"));
  CHECK_THAT(told("", "lsu", 60, 320, "shared"), Catch::Contains("different banks"));
  CHECK_THAT(told("", "l2", 40), Catch::Contains("Let neighbouring threads"));
}
