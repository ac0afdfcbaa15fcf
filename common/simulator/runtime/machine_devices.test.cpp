// The devices of a machine, and those visible to a program: CUDA_VISIBLE_DEVICES as an H200 reads it (2026-11-23).
#include "common/simulator/runtime/machine_devices.h"

#include <stdexcept>

#include "common/simulator/runtime/device_properties.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator::runtime;

namespace {
using Numbers = std::vector<unsigned>;
}  // namespace

TEST_CASE("a machine is a number of devices or a list of them") {
  CHECK(parse_devices("", "h200") == std::vector<std::string>{"h200"});
  CHECK(parse_devices("2", "a") == std::vector<std::string>{"a", "a"});
  CHECK(parse_devices("a, b", "h200") == std::vector<std::string>{"a", "b"});
  for (const char* wrong : {"0", "17", "a,", ",a", "a,,b", "-1,"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(parse_devices(wrong, "h200"), std::invalid_argument);
  }
  const auto machine = make_machine({"h200", "h200"}, {.multiprocessors = 7, .clock_khz = 1200000});
  CHECK(machine[1].multiprocessors == 7);
  CHECK(machine[1].attribute("multiprocessor_count") == 7);
  CHECK(machine[1].clock_mhz() == 1200);
  CHECK(machine[1].attribute("clock_rate") == 1200000);
  CHECK(pci_bus_id(machine[0]) != pci_bus_id(machine[1]));
  CHECK(uuid_text(machine[0]) != uuid_text(machine[1]));
}

TEST_CASE("CUDA_VISIBLE_DEVICES selects and orders devices, up to the first invalid entry") {
  const auto machine = make_machine({"h200", "h200", "h200"});
  const auto seen = [&](const char* value) { return visible_devices(machine, value).numbers; };
  CHECK(seen(nullptr) == Numbers{0, 1, 2});
  CHECK(seen("2,0") == Numbers{2, 0});
  CHECK(seen("1,3,0") == Numbers{1});
  CHECK(seen("0,-1,1") == Numbers{0});
  CHECK(seen(" 2 ,1abc,+0") == Numbers{2, 1, 0});
  CHECK(seen("0x1") == Numbers{0});
  CHECK(seen("0,,1") == Numbers{0});
  for (const char* none : {"", "-1", "abc", ",0", "GPU-", "gpu-77617270", "3"}) {
    CAPTURE(none);
    CHECK(seen(none).empty());
    CHECK(visible_devices(machine, none).none == cudaErrorNoDevice);
  }
  CHECK(visible_devices(machine, "1,1").numbers.empty());
  CHECK(visible_devices(machine, "1,1").none == cudaErrorInvalidDevice);
  const std::string last = uuid_text(machine[2]);
  CHECK(seen(last.c_str()) == Numbers{2});
  CHECK(seen((last + ",0").c_str()) == Numbers{2});
  CHECK(seen(("0," + last).c_str()) == Numbers{0});
  CHECK(seen("GPU-77617270").empty());  // All three UUIDs begin like this.
}
