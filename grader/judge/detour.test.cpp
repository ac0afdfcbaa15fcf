// What counts as work that bypasses the kernels.
#include "grader/judge/detour.h"

#include "common/testing/catch.h"

using namespace warpbook::grader;

namespace {

/// 16 KiB go in. The function under test runs from 10 to 20 us.
Answer answer_with(std::vector<CopyRecord> copies, double shared = 0) {
  Answer answer;
  answer.given.set("in", std::vector<float>(4096));
  answer.profile.events_us = {10, 20};
  answer.profile.copies = std::move(copies);
  answer.profile.shared_allocations = shared;
  return answer;
}

bool is_detour(const Answer& answer, const Manifest& manifest = {}) {
  return find_detour(answer, manifest).has_value();
}

}  // namespace

TEST_CASE("copies count whenever they are made: before the call, and after its end on another stream") {
  CHECK(is_detour(answer_with({{"host_to_device", 16384, 0, 1, 9}})));
  CHECK(is_detour(answer_with({{"device_to_host", 16384, 3, 25, 5}})));
}

TEST_CASE("parameters may be copied, arrays may not, nor a remainder of them") {
  for (const auto& [kind, half] :
       {std::pair{"host_to_device", 128.0}, {"device_to_host", 32.0}, {"device_to_device", 128.0}}) {
    INFO(kind);
    CHECK(!is_detour(answer_with({{kind, half, 0, 11, 1}, {kind, half, 0, 13, 1}})));
    CHECK(is_detour(answer_with({{kind, half, 0, 11, 1}, {kind, half + 1, 0, 13, 1}})));
  }
  CHECK(!is_detour(answer_with({{"memset", 16384, 0, 11, 1}})));
  CHECK(find_detour(answer_with({{"device_to_host", 9000, 0, 11, 1}}), {})->headline.find("9000 bytes, where 64") !=
        std::string::npos);
}

TEST_CASE("memory that host and device share is a detour, too") {
  CHECK(!is_detour(answer_with({}, 256)));
  CHECK(is_detour(answer_with({}, 257)));
}

TEST_CASE("many fills and large parameters are copies by other means") {
  const auto fills = [](int count) { return std::vector<CopyRecord>(count, {"memset", 4, 0, 11, 1}); };
  CHECK(!is_detour(answer_with(fills(64 + 16))));
  CHECK(is_detour(answer_with(fills(64 + 17))));
  Answer answer = answer_with({});
  answer.profile.kernels.resize(4);
  for (KernelRecord& kernel : answer.profile.kernels) kernel.parameter_bytes = 64 + 64;
  CHECK(!is_detour(answer));
  answer.profile.kernels[0].parameter_bytes += 1;
  CHECK(is_detour(answer));
  Answer printing = answer_with({});
  printing.profile.printed_bytes = 65;
  CHECK(find_detour(printing, {})->topic == kPrinted);
  printing.profile.copies = {{"device_to_host", 65, 0, 11, 1}};
  CHECK(find_detour(printing, {})->topic == "to_host");
  answer.profile.kernels[0].parent = 1;  // What a kernel passes on was on the device before.
  CHECK(!is_detour(answer));
}

TEST_CASE("if functions get host memory, copies of their arrays are free, and other data counts") {
  Manifest copies, managed, on_device;
  copies.time_with_copies = managed.time_between_events = on_device.copies_on_device = true;
  CopyRecord in{"host_to_device", 16384, 0, 11, 1, "array"};
  CopyRecord out{"device_to_host", 16384, 0, 11, 1, "array"};
  for (const Manifest& manifest : {copies, managed}) {
    CHECK(!is_detour(answer_with({in, out}), manifest));
    for (const char* memory : {"pageable", "pinned", "registered", ""}) {
      in.host_memory = memory;
      CHECK(is_detour(answer_with({in, out}), manifest));
      out.host_memory = memory;
      CHECK(is_detour(answer_with({out}), manifest));
      out.host_memory = "array";
    }
    in.host_memory = "array";
    CHECK(is_detour(answer_with({in}, 257), manifest));
  }
  out.host_memory = "pinned";
  CHECK(is_detour(answer_with({out}), on_device));
  Manifest to_device;
  to_device.time_with_copies = to_device.copies_to_device = true;
  CHECK(!is_detour(answer_with({{"host_to_device", 16384, 0, 11, 1, "pinned"}}, 16384), to_device));
  CHECK(is_detour(answer_with({out}), to_device));
  CopyRecord tables{"host_to_device", 4096, 0, 11, 1, "pageable"};
  CHECK(is_detour(answer_with({tables}), copies));
  copies.openacc = true;
  CHECK(!is_detour(answer_with({tables}), copies));
  tables.bytes = 4097;
  CHECK(is_detour(answer_with({tables}), copies));
  CHECK(!is_detour(answer_with({{"device_to_device", 16384, 0, 11, 1}}), on_device));
}
