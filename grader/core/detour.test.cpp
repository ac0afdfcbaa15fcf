// What counts as work around the kernels.
#include "grader/core/detour.h"

#include "common/testing/catch.h"

using namespace warpbook::grader;

namespace {

/// 16 KiB go in: 1280 bytes may be copied. The function under test runs from 10 to 20 us.
Answer answer_with(std::vector<CopyRecord> copies, double shared = 0) {
  Answer answer;
  answer.given.set("in", std::vector<float>(4096));
  answer.profile.events_us = {10, 20};
  answer.profile.copies = std::move(copies);
  answer.profile.shared_allocations = shared;
  return answer;
}

bool is_detour(const Answer& answer, const Manifest& manifest = {}) {
  return !explain_detour(answer, manifest).empty();
}

}  // namespace

TEST_CASE("copies count whenever they are made: before the call, and after its end on another stream") {
  CHECK(is_detour(answer_with({{"host_to_device", 16384, 0, 1, 9}})));
  CHECK(is_detour(answer_with({{"device_to_host", 16384, 3, 25, 5}})));
}

TEST_CASE("parameters may be copied, arrays may not") {
  for (const char* kind : {"host_to_device", "device_to_host", "device_to_device"}) {
    INFO(kind);
    CHECK(!is_detour(answer_with({{kind, 640, 0, 11, 1}, {kind, 640, 0, 13, 1}})));
    CHECK(is_detour(answer_with({{kind, 640, 0, 11, 1}, {kind, 641, 0, 13, 1}})));
  }
  CHECK(!is_detour(answer_with({{"memset", 16384, 0, 11, 1}})));
  CHECK(explain_detour(answer_with({{"device_to_host", 9000, 0, 11, 1}}), {}).find("9000 bytes, where 1280") !=
        std::string::npos);
}

TEST_CASE("memory that host and device share is a way around, too") {
  CHECK(!is_detour(answer_with({}, 1280)));
  CHECK(is_detour(answer_with({}, 1281)));
}

TEST_CASE("many fills and large parameters are copies by other means") {
  const auto fills = [](int count) { return std::vector<CopyRecord>(count, {"memset", 4, 0, 11, 1}); };
  CHECK(!is_detour(answer_with(fills(64 + 80))));
  CHECK(is_detour(answer_with(fills(64 + 81))));
  Answer answer = answer_with({});
  answer.profile.kernels.resize(4);
  for (KernelRecord& kernel : answer.profile.kernels) kernel.parameter_bytes = 64 + 320;
  CHECK(!is_detour(answer));
  answer.profile.kernels[0].parameter_bytes += 1;
  CHECK(is_detour(answer));
  Answer printing = answer_with({});
  printing.profile.printed_bytes = 1281;
  CHECK(is_detour(printing));
  answer.profile.kernels[0].parent = 1;  // What a kernel passes on was on the device before.
  CHECK(!is_detour(answer));
}

TEST_CASE("where functions get host memory, copies of their arrays are free, and other data counts") {
  Manifest copies, managed, on_device;
  copies.time_with_copies = managed.time_between_events = on_device.copies_on_device = true;
  CopyRecord in{"host_to_device", 16384, 0, 11, 1, "array"};
  const CopyRecord out{"device_to_host", 16384, 0, 11, 1, "pinned"};
  for (const Manifest& manifest : {copies, managed}) {
    CHECK(!is_detour(answer_with({in, out}), manifest));
    for (const char* memory : {"pageable", "pinned", "registered", ""}) {
      in.host_memory = memory;
      CHECK(is_detour(answer_with({in, out}), manifest));
    }
    in.host_memory = "array";
    CHECK(is_detour(answer_with({in}, 1281), manifest));
  }
  CHECK(is_detour(answer_with({out}), on_device));
  CHECK(!is_detour(answer_with({{"device_to_device", 16384, 0, 11, 1}}), on_device));
}
