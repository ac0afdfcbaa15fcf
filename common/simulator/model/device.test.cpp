// Tests of device descriptions: the built-in ones, and the errors for invalid files.
#include "common/simulator/model/device.h"

#include <stdexcept>
#include <string>

#include "common/simulator/model/built_in_devices.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;

TEST_CASE("the H200 is built in with its attributes and constants") {
  const Device& device = load_device("h200");
  CHECK(device.display_name == "NVIDIA H200");
  CHECK(device.multiprocessors == 132);
  CHECK(device.compute_major == 9);
  CHECK(device.clock_khz == 1980000);
  CHECK(device.shared_per_block_optin == 232448);
  CHECK(device.attribute("total_memory") == 150109880320);
  CHECK(device.model.issue_per_cycle == 4);
  CHECK(device.model.pipe_threads_per_cycle[static_cast<std::size_t>(2)] == 128);
  CHECK(&load_device("h200") == &device);
}

TEST_CASE("an unknown device or attribute is named together with what there is") {
  try {
    load_device("h900");
    FAIL("h900 was found");
  } catch (const std::invalid_argument& error) {
    CHECK(std::string(error.what()) == "there is no device 'h900'; there is: h200, a100, jetson-orin, l4, rtx4090, t4");
  }
  CHECK_THROWS_AS(load_device("h200").attribute("colour"), std::out_of_range);
}

TEST_CASE("a broken description is told which key is wrong") {
  const std::string good(built_in_devices()[0].json);
  const auto message = [](const std::string& text) {
    try {
      parse_device(text);
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
  };
  CHECK(message(good) == "accepted");
  CHECK(message("{") != "accepted");
  CHECK(message(replaced("\"version\": 1", "\"version\": 2")).find("version 2") != std::string::npos);
  CHECK(message(replaced("\"multiprocessor_count\"", "\"multiprocessors\"")).find("multiprocessor_count") !=
        std::string::npos);
  CHECK(message(replaced("\"l1_latency\"", "\"l1_delay\"")).find("model.l1_latency") != std::string::npos);
  CHECK(message(replaced("\"display_name\"", "\"title\"")).find("display_name") != std::string::npos);
}

// Limits from the CUDA programming guide, tables of compute capabilities.
TEST_CASE("other devices are described from published data, and marked as not validated") {
  CHECK(load_device("h200").validated);
  struct Row {
    const char* name;
    int capability;
    unsigned multiprocessors, threads, blocks;
    std::uint32_t shared, shared_optin;
  };
  const Row rows[] = {{"a100", 80, 108, 2048, 32, 167936, 166912},
                      {"jetson-orin", 87, 16, 1536, 16, 167936, 166912},
                      {"l4", 89, 58, 1536, 24, 102400, 101376},
                      {"rtx4090", 89, 128, 1536, 24, 102400, 101376},
                      {"t4", 75, 40, 1024, 16, 65536, 65536}};
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const Device& device = load_device(row.name);
    CHECK_FALSE(device.validated);
    CHECK(device.compute_major * 10 + device.compute_minor == row.capability);
    CHECK(device.multiprocessors == row.multiprocessors);
    CHECK(device.max_threads_per_multiprocessor == row.threads);
    CHECK(device.max_blocks_per_multiprocessor == row.blocks);
    CHECK(device.shared_per_multiprocessor == row.shared);
    CHECK(device.shared_per_block_optin == row.shared_optin);
    CHECK(device.model.dram_bytes_per_us < load_device("h200").model.dram_bytes_per_us);
    CHECK(device.model.kernel_overhead_us == load_device("h200").model.kernel_overhead_us);
    CHECK(device.links.empty());
  }
}

TEST_CASE("a description that takes over another's model is told what is wrong with it") {
  const auto message = [](const std::string& from, const std::string& to) {
    std::string text(built_in_devices()[1].json);
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    try {
      parse_device(text.replace(at, from.size(), to));
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(message("a100", "a100") == "accepted");
  CHECK(message("\"model_otherwise\": \"h200\"", "\"model_otherwise\": \"abacus\"").find("\"abacus\"") !=
        std::string::npos);
  CHECK(message("\"pipe_alu\"", "\"pipe_soul\"").find("model.pipe_soul") != std::string::npos);
  CHECK(message("\"validated\": false", "\"validated\": 0").find("\"validated\"") != std::string::npos);
}

TEST_CASE("links are by the name of the other device, and complete") {
  const Device& h200 = load_device("h200");
  const Link* const link = h200.link_to(h200);
  REQUIRE(link != nullptr);
  CHECK(link->copy_bytes_per_us == 390000);
  Device other = h200;
  other.name = "other";
  CHECK(h200.link_to(other) == nullptr);
  std::string broken(built_in_devices()[0].json);
  const std::string name = "\"load_latency\"";
  broken.replace(broken.find(name), name.size(), "\"load_delay\"");
  try {
    parse_device(broken);
    FAIL("a link without a latency was read");
  } catch (const std::runtime_error& error) {
    CHECK(std::string(error.what()).find("links.h200.load_latency") != std::string::npos);
  }
}

TEST_CASE("processing clusters have all multiprocessors of the device, or there are none") {
  std::string text(built_in_devices()[0].json);
  const std::string sizes = "[18, 18, 16,";
  const auto at = text.find(sizes);
  REQUIRE(at != std::string::npos);
  try {
    parse_device(std::string(text).replace(at, sizes.size(), "[18, 17, 16,"));
    FAIL("clusters of 131 multiprocessors were read");
  } catch (const std::runtime_error& error) {
    CHECK(std::string(error.what()).find("have 131 multiprocessors; the device has 132") != std::string::npos);
  }
  const std::string name = "\"processing_clusters\"";
  text.replace(text.find(name), name.size(), "\"other_clusters\"");
  CHECK(parse_device(text).processing_clusters.empty());
}

TEST_CASE("a description may be a file") {
  try {
    load_device("/no/such/device.json");
    FAIL("it was read");
  } catch (const std::invalid_argument& error) {
    CHECK(std::string(error.what()).find("'/no/such/device.json' cannot be read") != std::string::npos);
  }
}
