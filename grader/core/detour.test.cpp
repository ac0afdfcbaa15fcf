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

TEST_CASE("copies of the worker, before and after the call, are none of the answer's") {
  CHECK(!is_detour(answer_with({{"host_to_device", 16384, 0, 1, 9}, {"device_to_host", 16384, 0, 20, 5}})));
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

TEST_CASE("labs whose answers copy are left alone") {
  const Answer answer = answer_with({{"device_to_host", 16384, 0, 11, 1}}, 1e6);
  Manifest copies, managed, on_device;
  copies.time_with_copies = managed.time_between_events = on_device.copies_on_device = true;
  CHECK(!is_detour(answer, copies));
  CHECK(!is_detour(answer, managed));
  CHECK(is_detour(answer, on_device));
  CHECK(!is_detour(answer_with({{"device_to_device", 16384, 0, 11, 1}}), on_device));
}

TEST_CASE("without the events of measure() nothing can be said") {
  Answer answer = answer_with({{"device_to_host", 16384, 0, 11, 1}});
  answer.profile.events_us = {10};
  CHECK(!is_detour(answer));
}
