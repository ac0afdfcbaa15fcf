// Tests of occupancy against the answers of cudaOccupancyMaxActiveBlocksPerMultiprocessor on an H200, 2026-11-21.
#include "common/simulator/model/occupancy.h"

#include <cstdio>
#include <fstream>
#include <string>

#include "common/simulator/model/near.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;

TEST_CASE("occupancy agrees with the H200 for every combination of registers, threads and shared memory asked") {
  const Device& device = load_device("h200");
  std::ifstream file(std::string(WARPBOOK_MODEL_VALIDATION) + "/h200_2026-11-21_occupancy.csv");
  REQUIRE(file.is_open());
  std::string line;
  std::getline(file, line);
  int rows = 0, wrong = 0;
  while (std::getline(file, line)) {
    unsigned registers = 0, threads = 0, fixed = 0, dynamic = 0, blocks = 0;
    REQUIRE(std::sscanf(line.c_str(), "%u,%u,%u,%u,%u", &registers, &threads, &fixed, &dynamic, &blocks) == 5);
    ++rows;
    if (occupancy(device, registers, threads, fixed + dynamic).blocks != blocks) {
      ++wrong;
      UNSCOPED_INFO(line << " but the model says " << occupancy(device, registers, threads, fixed + dynamic).blocks);
    }
  }
  CHECK(rows == 3213);
  CHECK(wrong == 0);
}

TEST_CASE("the shared memory that a multiprocessor gets for a kernel is what the driver gives it on an H200") {
  const Device& device = load_device("h200");
  std::ifstream file(std::string(WARPBOOK_MODEL_VALIDATION) + "/carveouts/h200_2026-11-24.csv");
  REQUIRE(file.is_open());
  std::string line;
  std::getline(file, line);
  int rows = 0;
  while (std::getline(file, line)) {
    unsigned threads = 0, bytes = 0, registers = 0, kib = 0, limit = 0;
    REQUIRE(std::sscanf(line.c_str(), "%u,%u,%u,%u,%u", &threads, &bytes, &registers, &kib, &limit) == 5);
    CAPTURE(line);
    ++rows;
    const Occupancy found = occupancy(device, registers, threads, bytes);
    CHECK(found.carveout_bytes == std::uint64_t{kib} * 1024);
    CHECK(found.limit_carveout == limit);
  }
  CHECK(rows == 238);
}

TEST_CASE("clusters that the device holds are those of an H200") {
  const Device& device = load_device("h200");
  // Blocks of 1024 threads: two on a multiprocessor (2026-11-23).
  const std::pair<unsigned, unsigned> wanted[] = {{2, 132}, {8, 30},  {9, 23},  {10, 21}, {11, 16}, {12, 16}, {13, 14},
                                                  {14, 14}, {15, 14}, {16, 14}, {17, 4},  {18, 4},  {32, 0}};
  for (const auto& [cluster, held] : wanted) {
    CAPTURE(cluster);
    CHECK(active_clusters(device, 2, cluster) == held);
  }
  CHECK(active_clusters(device, 32, 1) == 1056);
  CHECK(active_clusters(device, 4, 2) == 264);
  CHECK(active_clusters(device, 1, 8) == 15);
}

TEST_CASE("the limit that holds occupancy down is named") {
  const Device& device = load_device("h200");
  CHECK(std::string(occupancy(device, 16, 1024, 0).limiter) == "warps");
  CHECK(std::string(occupancy(device, 128, 256, 0).limiter) == "registers");
  CHECK(std::string(occupancy(device, 16, 64, 100 * 1024).limiter) == "shared_mem");
  CHECK(std::string(occupancy(device, 16, 32, 0).limiter) == "blocks");
  const Occupancy half = occupancy(device, 16, 32, 0);
  CHECK(half.blocks == 32);
  CHECK(near(half.fraction, 0.5));
}

TEST_CASE("a block that cannot run has an occupancy of zero") {
  const Device& device = load_device("h200");
  CHECK(occupancy(device, 16, 0, 0).blocks == 0);
  CHECK(occupancy(device, 16, 1025, 0).blocks == 0);
  CHECK(occupancy(device, 16, 32, 232449).blocks == 0);
  CHECK(occupancy(device, 255, 512, 0).blocks == 0);
}
