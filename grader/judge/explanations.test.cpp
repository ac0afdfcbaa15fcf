// Quantities computed from a profile, and what a missed threshold says.
#include "grader/judge/explanations.h"

#include <fstream>
#include <limits>
#include <set>

#include "common/testing/catch.h"
#include "grader/judge/fault.h"
#include "grader/judge/slow.h"
#include "grader/runner/temporary_folder.h"

using namespace warpbook::grader;

namespace {

/// A transpose that stores down columns: two launches, so that sums differ from averages.
std::string profile_text(const std::string& file) {
  return R"({"format": "warpbook.profile", "version": 1, "device": "h200", "errors": [], "kernels": [
    {"name": "transpose_kernel", "grid": [2, 2, 1], "block": [32, 8, 1], "start_us": 10, "time_us": 5, "limiter": "l2",
     "metrics": {"launch__shared_mem_per_block": 4096},
     "lines": [
       {"file": ")" +
         file + R"(", "line": 1, "inst_executed": 10, "thread_inst_executed": 320, "branches": 4,
        "divergent_branches": 0, "accesses": [
         {"op": "ld", "space": "global", "bytes_per_lane": 4, "requests": 100, "sectors": 400, "sectors_ideal": 400, "stride": 4}]},
       {"file": ")" +
         file +
         R"(", "line": 2, "inst_executed": 10, "thread_inst_executed": 160, "thread_inst_executed_true": 80, "branches": 4,
        "divergent_branches": 3, "accesses": [
         {"op": "st", "space": "global", "bytes_per_lane": 4, "requests": 100, "sectors": 3200, "sectors_ideal": 400, "stride": 16384},
         {"op": "ld", "space": "shared", "bytes_per_lane": 4, "requests": 10, "wavefronts": 320, "wavefronts_ideal": 10,
          "conflicts": 310, "stride": 128}]}]},
    {"name": "fix_edges", "start_us": 16, "time_us": 1, "limiter": "launch",
     "metrics": {"launch__shared_mem_per_block": 128}, "lines": [
       {"file": ")" +
         file + R"(", "line": 3, "inst_executed": 1, "thread_inst_executed": 32, "accesses": [
         {"op": "atom", "space": "global", "bytes_per_lane": 4, "requests": 10, "sectors": 10, "sectors_ideal": 10, "stride": 0},
         {"op": "red", "space": "global", "bytes_per_lane": 4, "requests": 20, "sectors": 20, "sectors_ideal": 20, "stride": 0},
         {"op": "red", "space": "shared", "bytes_per_lane": 4, "requests": 5, "stride": 0},
         {"op": "st", "space": "global", "bytes_per_lane": 4, "requests": 100, "sectors": 400, "sectors_ideal": 400, "stride": null}]}]}]})";
}

class Fixture {
 public:
  Fixture() {
    std::ofstream(file()) << "__global__ void transpose_kernel() {\n  out[x * rows + y] = tile[y][x];\n}\n";
    profile = parse_profile(profile_text(file()));
  }
  std::string file() const { return folder_.path() + "/transpose.cu"; }
  Sources sources() const { return Sources(folder_.path()); }
  Profile profile;

 private:
  TemporaryFolder folder_;
};

bool has(const Finding& finding, const std::string& part) {
  const std::string text = text_of(finding);
  INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("each quantity has its row, and a key of its own") {
  std::set<std::string> keys;
  const std::vector<Quantity> all = all_quantities();
  for (std::size_t i = 0; i < all.size(); ++i) {
    INFO(key_of(all[i]));
    CHECK(static_cast<std::size_t>(all[i]) == i);
    CHECK(keys.insert(key_of(all[i])).second);
    CHECK_FALSE(name_of(all[i]).empty());
    CHECK(advice_for(all[i], true) != nullptr);
  }
  CHECK(keys.count("global_load_bytes") == 1);
}

TEST_CASE("a missed lower bound gives no advice to do less") {
  const Fixture f;
  const auto explained = [&](Quantity quantity, double limit) {
    Missed missed;
    missed.quantity = quantity;
    missed.found = value_of(f.profile, quantity);
    missed.limit = limit;
    missed.at_most = false;
    return explain_missed(f.profile, missed, f.sources());
  };
  const Finding work = explained(Quantity::global_store_bytes, 1e9);
  CHECK(work.kind == FindingKind::too_little);
  CHECK(work.what_to_try.empty());
  CHECK(work.sites.empty());
  CHECK_THAT(explained(Quantity::global_load_sectors_per_request, 16).what_to_try, Catch::Contains("float4"));
  CHECK(explained(Quantity::global_load_sectors_per_request, 16).advice == "wide_access");
  CHECK_THAT(explained(Quantity::active_threads_per_instruction, 32).why, Catch::Contains("diverge at a branch"));
}

TEST_CASE("too many bytes stored by lanes far apart are those of sectors") {
  const Fixture f;
  Missed missed;
  missed.quantity = Quantity::global_store_bytes;
  missed.found = value_of(f.profile, missed.quantity);
  missed.limit = 1;
  missed.at_most = true;
  CHECK(explain_missed(f.profile, missed, f.sources()).advice == "global_store");
  missed.quantity = Quantity::global_load_bytes;
  CHECK(explain_missed(f.profile, missed, f.sources()).advice == "traffic");
}

TEST_CASE("quantities are ratios of sums over all launches, or those asked for") {
  const Fixture f;
  const auto value = [&](Quantity quantity, const char* kernel = "") {
    const auto result = value_of(f.profile, quantity, kernel);
    return result ? *result : -1;
  };
  CHECK(value(Quantity::global_load_sectors_per_request, "transpose") == 4);
  CHECK(value(Quantity::global_store_sectors_per_request) == Approx(3630.0 / 230));
  CHECK(value(Quantity::global_store_sectors_per_request, "transpose") == 32);
  CHECK(value(Quantity::global_store_sectors_per_request, "fix") == Approx(430.0 / 130));
  CHECK(value(Quantity::global_store_sectors_ratio, "transpose") == 8);
  CHECK(value(Quantity::shared_load_wavefronts_ratio) == 32);
  CHECK(value(Quantity::shared_bank_conflicts) == 310);
  CHECK(value(Quantity::shared_wavefronts) == 320);
  CHECK(value(Quantity::shared_requests) == 15);
  CHECK(value(Quantity::shared_load_wavefronts_per_request) == 32);
  CHECK(value(Quantity::shared_store_wavefronts_per_request) == 0);
  CHECK(value(Quantity::shared_bytes_per_block) == 4096);
  CHECK(value(Quantity::shared_bytes_per_block, "fix") == 128);
  CHECK(value(Quantity::shared_bytes_per_block, "no such kernel") == -1);
  CHECK(value(Quantity::global_load_bytes) == 410 * 32);
  CHECK(value(Quantity::global_store_bytes) == 3630 * 32);
  CHECK(value(Quantity::active_threads_per_instruction) == Approx(512.0 / 21));
  CHECK(value(Quantity::active_threads_predicated_on, "transpose") == Approx(4));
  CHECK(value(Quantity::idle_lanes, "transpose") == 32 * 20 - 80);
  CHECK(value(Quantity::global_load_requests) == 110);
  CHECK(value(Quantity::global_store_requests, "fix") == 130);
  CHECK(value(Quantity::divergent_branches) == 3);
  CHECK(value(Quantity::kernel_launches) == 2);
  CHECK(value(Quantity::warp_instructions) == 21);
  CHECK(value(Quantity::global_atomic_requests) == 30);
  CHECK(value(Quantity::global_atomic_requests, "transpose") == 0);
  CHECK(value(Quantity::global_load_gb_per_s) == Approx(410 * 32 / 7e3));
  CHECK(value(Quantity::global_load_gb_per_s, "no such kernel") == -1);
  CHECK(value(Quantity::time_us) == Approx(7));
  CHECK(value(Quantity::time_us, "fix") == Approx(1));
}

TEST_CASE("the time is that of kernels and of fills, on whichever stream, before, between and after them") {
  const Fixture f;  // Kernels from 10 to 15 and from 16 to 17.
  const auto time = [&](const CopyRecord& copy, Quantity quantity = Quantity::time_us, const char* kernel = "") {
    Profile profile = f.profile;
    profile.events_us = {9, 20};  // Whoever makes the call may record them when he likes.
    profile.copies = {copy};
    return value_of(profile, quantity, kernel).value_or(-1);
  };
  CHECK(time({"memset", 4, 0, 7, 2}) == Approx(10));
  CHECK(time({"memset", 4, 1, 7, 2}) == Approx(10));
  CHECK(time({"memset", 4, 0, 18, 2}) == Approx(10));
  CHECK(time({"memset", 4, 0, 12, 2}) == Approx(7));
  CHECK(time({"memset", 4, 0, 7, 2}, Quantity::time_us, "fix") == Approx(1));
  CHECK(time({"memset", 4, 0, 7, 2}, Quantity::global_load_gb_per_s) == Approx(410 * 32 / 7e3));
  for (const char* copy : {"host_to_device", "device_to_host", "device_to_device"}) {
    CHECK(time({copy, 4, 0, 7, 2}) == Approx(7));
    CHECK(time({copy, 4, 0, 7, 2}, Quantity::time_with_copies_us) == Approx(10));
  }
  Profile nothing_but_fills;
  nothing_but_fills.copies = {{"memset", 4, 0, 7, 2}, {"memset", 4, 0, 9, 2}};
  CHECK_FALSE(value_of(nothing_but_fills, Quantity::time_us));
  CHECK(value_of(nothing_but_fills, Quantity::time_with_copies_us) == 4);
}

TEST_CASE("quantities count what moves, by whichever instruction") {
  const auto moved = [](const std::string& op, const std::string& space, Quantity quantity) {
    Profile profile;
    LineCounters line;
    line.accesses.push_back({op, space, 4, 10, 40, 40, 0, 10, 1280, 20, 10, 10, std::nullopt});
    profile.kernels.emplace_back();
    profile.kernels.back().lines.push_back(line);
    return value_of(profile, quantity).value_or(-1);
  };
  struct Row {
    const char *op, *space;
    bool in, out;
  };
  for (const Row& row : {Row{"ld", "global", true, false},
                         {"st", "global", false, true},
                         {"atom", "global", true, true},
                         {"red", "global", false, true},
                         {"ldgsts", "global", true, false},
                         {"bulk_ld", "global", true, false},
                         {"bulk_st", "global", false, true}}) {
    CAPTURE(row.op);
    CHECK(moved(row.op, row.space, Quantity::global_load_bytes) == (row.in ? 40 * 32 : 0));
    CHECK(moved(row.op, row.space, Quantity::global_store_bytes) == (row.out ? 40 * 32 : 0));
    CHECK(moved(row.op, row.space, Quantity::global_load_sectors_per_request) == (row.in ? 4 : -1));
    CHECK(moved(row.op, row.space, Quantity::global_store_sectors_ratio) == (row.out ? 1 : -1));
    CHECK(moved(row.op, row.space, Quantity::shared_wavefronts) == 0);
  }
  // Sums count these, too; limits on access patterns do not apply to requests of the texture unit.
  for (const Row& row :
       {Row{"tex", "texture", true, false}, {"ld", "surface", true, false}, {"st", "surface", false, true}}) {
    CAPTURE(row.op, row.space);
    CHECK(moved(row.op, row.space, Quantity::global_load_bytes) == (row.in ? 40 * 32 : 0));
    CHECK(moved(row.op, row.space, Quantity::global_store_bytes) == (row.out ? 40 * 32 : 0));
    CHECK(moved(row.op, row.space, Quantity::global_load_sectors_per_request) == -1);
  }
  for (const Row& row : {Row{"ld", "shared", true, false},
                         {"st", "shared", false, true},
                         {"atom", "shared", true, true},
                         {"red", "shared", false, true},
                         {"ldgsts", "shared", false, true},
                         {"bulk_st", "shared", false, true}}) {
    CAPTURE(row.op);
    CHECK(moved(row.op, row.space, Quantity::shared_load_wavefronts_ratio) == (row.in ? 2 : -1));
    CHECK(moved(row.op, row.space, Quantity::shared_store_wavefronts_per_request) == (row.out ? 2 : -1));
    CHECK(moved(row.op, row.space, Quantity::shared_wavefronts) == 20);
    CHECK(moved(row.op, row.space, Quantity::shared_bank_conflicts) == 10);
    CHECK(moved(row.op, row.space, Quantity::global_load_bytes) == 0);
  }
}

TEST_CASE("a quantity without any such access has no value, and fails any threshold with a reason") {
  const Fixture f;
  CHECK_FALSE(value_of(f.profile, Quantity::shared_store_wavefronts_ratio));
  CHECK_FALSE(value_of(f.profile, Quantity::time_us, "no such kernel"));
  CHECK_FALSE(value_of(f.profile, Quantity::warp_instructions, "no such kernel"));
  CHECK_FALSE(value_of(f.profile, Quantity::shared_requests, "no such kernel"));
  CHECK(value_of(f.profile, Quantity::shared_requests, "fix") == 5);
  const Finding text = explain_missed(
      f.profile, {Quantity::shared_store_wavefronts_ratio, std::nullopt, 1, true, "because of banks", ""}, f.sources());
  CHECK(has(text, "no launch does such an access"));
  CHECK(has(text, "because of banks"));
}

TEST_CASE("for too narrow requests the advice is wider accesses, not neighbouring ones") {
  const Fixture f;
  const Finding text = explain_missed(
      f.profile, {Quantity::global_load_sectors_per_request, 4.0, 15.5, false, "16 bytes a lane", ""}, f.sources());
  CHECK(has(text, "Too few sectors per request of global loads: 4"));
  CHECK(has(text, "Let each lane move 16 bytes at once"));
  CHECK_FALSE(has(text, "Let neighbouring threads"));
}

TEST_CASE("an uncoalesced store is explained at its line, with stride, ideal and what to try") {
  const Fixture f;
  const Finding text = explain_missed(
      f.profile, {Quantity::global_store_sectors_per_request, 18.0, 4.5, true, "32 floats are 4 sectors", ""},
      f.sources());
  CHECK(has(text, "Too many sectors per request of global stores: 18; at most 4.5 is allowed"));
  CHECK(has(text, "transpose.cu:2 in transpose_kernel"));
  CHECK(has(text, "out[x * rows + y] = tile[y][x];"));
  CHECK(has(text, "32 sectors per request; ideal: 4"));
  CHECK(has(text, "16384 bytes apart"));
  CHECK(has(text, "What to try"));
  CHECK(has(text, "32 floats are 4 sectors"));
}

TEST_CASE("bank conflicts are explained with their degree") {
  const Fixture f;
  const Finding text = explain_missed(
      f.profile, {Quantity::shared_load_wavefronts_ratio, 32.0, 1, true, "no conflicts", ""}, f.sources());
  CHECK(has(text, "32-way bank conflict"));
  CHECK(has(text, "32 wavefronts per request; ideal: 1"));
  CHECK(has(text, "pad each row"));
}

TEST_CASE("idle lanes and divergent branches are explained at their line") {
  const Fixture f;
  const Finding idle = explain_missed(
      f.profile, {Quantity::active_threads_per_instruction, 24.4, 31, false, "full warps", ""}, f.sources());
  CHECK(has(idle, "Too few active threads"));
  CHECK(has(idle, "16 of 32 lanes work"));
  const Finding parted =
      explain_missed(f.profile, {Quantity::divergent_branches, 3.0, 0, true, "one path", ""}, f.sources());
  CHECK(has(parted, "3 of 4 branches were divergent"));
  const Finding predicated = explain_missed(
      f.profile, {Quantity::active_threads_predicated_on, 4.0, 31, false, "full warps", "transpose"}, f.sources());
  CHECK(has(predicated, "transpose.cu:1"));
  CHECK(has(predicated, "0 of 32 lanes work"));
  CHECK(has(predicated, "Warps diverge most often at"));
  CHECK(has(predicated, "transpose.cu:2"));
}

TEST_CASE("too many wavefronts without a conflict are not explained by one") {
  const std::string text = R"({"format": "warpbook.profile", "version": 1, "device": "h200", "errors": [], "kernels": [
    {"name": "sum", "lines": [{"file": "sum.cu", "line": 7, "accesses": [
       {"op": "ld", "space": "shared", "bytes_per_lane": 4, "requests": 10, "wavefronts": @, "wavefronts_ideal": 10}]}]}]})";
  const auto explain = [&](const std::string& wavefronts) {
    std::string filled = text;
    filled.replace(filled.find('@'), 1, wavefronts);
    return explain_missed(parse_profile(filled), {Quantity::shared_wavefronts, 10.0, 5, true, "wide loads", ""}, {});
  };
  CHECK(has(explain("10"), "with 1 wavefront per request"));
  CHECK(has(explain("10"), "There is no bank conflict"));
  CHECK(has(explain("80"), "An 8-way bank conflict"));
  CHECK_FALSE(has(explain("80"), "There is no bank conflict"));
}

TEST_CASE("wider accesses are advised for too many requests only if that is the cause") {
  const auto told = [](const std::string& accesses) {
    return explain_missed(
        parse_profile(R"({"format": "warpbook.profile", "version": 1, "kernels": [{"name": "sum", "lines": [)"
                      R"({"file": "sum.cu", "line": 7, "accesses": [{"op": "ld", "space": "global", "requests": 10, )"
                      R"("sectors": 40, "sectors_ideal": 40, "bytes_per_lane": 4, "stride": 4}]},)"
                      R"({"file": "sum.cu", "line": 8, "accesses": [)" +
                      accesses + "]}]}]}"),
        {Quantity::global_load_requests, 20.0, 10, true, "", ""}, {});
  };
  const std::string start = R"({"op": "ld", "space": "global", "requests": 10, "bytes_per_lane": 4, )";
  const Finding narrow = told(start + R"("sectors": 40, "sectors_ideal": 40, "sectors_hit": 0, "stride": 4})");
  CHECK(has(narrow, "Let each lane move 16 bytes at once"));
  const Finding again = told(start + R"("sectors": 10, "sectors_ideal": 10, "sectors_hit": 10, "stride": 0})");
  CHECK(has(again, "these lanes load what was loaded before"));
  CHECK(has(again, "sum.cu:8"));
  CHECK_FALSE(has(again, "float4"));
  const Finding fields = told(start + R"("sectors": 160, "sectors_ideal": 40, "sectors_hit": 120, "stride": 16})");
  CHECK(has(fields, "Declare the structure __align__(16)"));
  CHECK_FALSE(has(fields, "loaded before"));
  CHECK(has(told(start + R"("sectors": 320, "sectors_ideal": 40, "sectors_hit": 0, "stride": 4096})"),
            "Let each lane move 16 bytes at once"));
}

TEST_CASE("one sector per request is in the singular") {
  const Profile profile = parse_profile(
      R"({"format": "warpbook.profile", "version": 1, "kernels": [{"name": "sum", "lines": [{"file": "sum.cu", "line": 7,
          "accesses": [{"op": "ld", "space": "global", "bytes_per_lane": 4, "requests": 10, "sectors": 10,
                        "sectors_ideal": 10, "stride": 0}]}]}]})");
  CHECK(has(explain_missed(profile, {Quantity::global_load_requests, 10.0, 5, true, "", ""}, {}),
            "with 1 sector per request"));
}

TEST_CASE("too many requests to shared memory are explained at the line with most of them") {
  const Fixture f;
  const Finding text =
      explain_missed(f.profile, {Quantity::shared_requests, 10.0, 5, true, "five would do", ""}, f.sources());
  CHECK(has(text, "Too many requests to shared memory: 10; at most 5"));
  CHECK(has(text, "transpose.cu:2 in transpose_kernel"));
  CHECK(has(text, "Every warp with an active lane"));
}

TEST_CASE("too much shared memory is explained by what it costs") {
  const Fixture f;
  const Finding bytes =
      explain_missed(f.profile, {Quantity::shared_bytes_per_block, 4224.0, 4096, true, "1024 floats", ""}, f.sources());
  CHECK(has(bytes, "Too many bytes of shared memory for each block: 4224; at most 4096"));
  CHECK(has(bytes, "fewer fit at once"));
}

TEST_CASE("children that run at the same time are counted from the timeline") {
  const Profile profile = parse_profile(
      R"({"format": "warpbook.profile", "version": 1, "kernels": [{"name": "parent", "start_us": 0, "time_us": 50},
          {"name": "child", "parent": 0, "start_us": 1, "time_us": 4}, {"name": "child", "parent": 0, "start_us": 3,
          "time_us": 4}, {"name": "child", "parent": 0, "start_us": 5, "time_us": 1},
          {"name": "other", "parent": 0, "start_us": 5.5, "time_us": 1}]})");
  CHECK(*value_of(profile, Quantity::launches_by_host) == 1);
  CHECK(*value_of(profile, Quantity::children_at_a_time) == 3);
  CHECK(*value_of(profile, Quantity::children_at_a_time, "child") == 2);
  const Finding few =
      explain_missed(profile, {Quantity::children_at_a_time, 3.0, 8, false, "they are independent", ""}, {});
  CHECK(has(few, "children that run at the same time: 3"));
  CHECK(has(few, "wait for each other"));
}

TEST_CASE("launches by kernels and the device heap are counted and explained") {
  const Profile profile = parse_profile(
      R"({"format": "warpbook.profile", "version": 1, "heap": {"allocations": 3, "bytes": 600, "refused": 1,
          "live_bytes": 200, "peak_bytes": 500}, "kernels": [{"name": "parent"},
          {"name": "child", "parent": 0, "depth": 1, "queue": "fire_and_forget"},
          {"name": "child", "parent": 1, "depth": 2, "queue": "block"},
          {"name": "after", "parent": 0, "depth": 1, "queue": "tail"}]})");
  CHECK(*value_of(profile, Quantity::kernel_launches) == 4);
  CHECK(*value_of(profile, Quantity::launches_by_kernels) == 3);
  CHECK(*value_of(profile, Quantity::launches_by_kernels, "child") == 2);
  CHECK(*value_of(profile, Quantity::tail_launches) == 1);
  CHECK(*value_of(profile, Quantity::launch_depth) == 2);
  CHECK(*value_of(profile, Quantity::launch_depth, "after") == 1);
  CHECK(*value_of(profile, Quantity::heap_peak_bytes) == 500);
  CHECK(*value_of(profile, Quantity::heap_live_bytes) == 200);
  CHECK(profile.heap->refused == 1);
  const Finding launches =
      explain_missed(profile, {Quantity::launches_by_kernels, 3.0, 1, true, "one for each square", ""}, {});
  CHECK(has(launches, "Too many launches by kernels: 3; at most 1"));
  CHECK(has(launches, "every thread that reaches the launch makes one"));
  const Finding heap = explain_missed(profile, {Quantity::heap_live_bytes, 200.0, 0, true, "all of it", ""}, {});
  CHECK(has(heap, "bytes of the device heap that were not freed: 200"));
  CHECK(has(heap, "free() it, once"));

  const Profile none = parse_profile(R"({"format": "warpbook.profile", "version": 1, "kernels": []})");
  CHECK(*value_of(none, Quantity::launches_by_kernels) == 0);
  CHECK(*value_of(none, Quantity::heap_peak_bytes) == 0);
}

TEST_CASE("instructions, atomics and bandwidth are explained at the line that matters") {
  const Fixture f;
  const Finding busy =
      explain_missed(f.profile, {Quantity::warp_instructions, 21.0, 10, true, "one for each quad", ""}, f.sources());
  CHECK(has(busy, "Too many instructions of warps: 21; at most 10"));
  CHECK(has(busy, "48 % of all instructions are on it"));
  CHECK(has(busy, "float4"));
  const Profile parting = parse_profile(R"({"format": "warpbook.profile", "version": 1, "kernels": [{"name": "mix",
      "lines": [{"file": "mix.cu", "line": 4, "inst_executed": 10, "thread_inst_executed": 160, "branches": 2,
                 "divergent_branches": 2}]}]})");
  const Finding twice =
      explain_missed(parting, {Quantity::warp_instructions, 10.0, 5, true, "one way for each warp", ""}, {});
  CHECK(has(twice, "16 of 32 lanes work"));
  CHECK(has(twice, "Let whole warps take the same path"));
  const Finding atomics = explain_missed(
      f.profile, {Quantity::global_atomic_requests, 30.0, 4, true, "one for each block", ""}, f.sources());
  CHECK(has(atomics, "transpose.cu:3 in fix_edges"));
  CHECK(has(atomics, "does atomic operations on global memory"));
  CHECK(has(atomics, "one after the other"));
  const Finding bandwidth = explain_missed(
      f.profile, {Quantity::global_load_gb_per_s, 1.8, 4000, false, "the memory's rate", ""}, f.sources());
  CHECK(has(bandwidth, "Too few gigabytes loaded in a second"));
  CHECK(has(bandwidth, "at least 4000 is needed"));
  const Finding early =
      explain_missed(f.profile, {Quantity::time_us, 12.0, 20, false, "it is to wait", ""}, f.sources());
  CHECK(has(early, "Too little predicted time in microseconds: 12"));
  const Finding late = explain_missed(f.profile, {Quantity::time_us, 42.0, 20, true, "it is to wait", ""}, f.sources());
  CHECK(has(late, "Too much predicted time in microseconds: 42"));
}

TEST_CASE("page faults are explained with the kernel that had them and what moved") {
  const Profile profile = parse_profile(R"({"format": "warpbook.profile", "version": 1, "kernels": [
    {"name": "fill_kernel", "start_us": 10, "time_us": 5, "unified_memory": {
  "gpu_page_faults" : 2}},
    {"name": "add_kernel", "start_us": 20, "time_us": 50, "limiter": "page_faults",
     "unified_memory": {"gpu_page_faults": 48, "htod_migration_bytes": 2048, "populated_bytes": 1024}}],
    "events": [{"stream": 0, "time_us": 3}, {"stream": 0, "time_us": 80.5}],
    "unified_memory": {
  "gpu_page_faults" : 50, "cpu_page_faults" : 7, "htod_migration_bytes" : 2048, "dtoh_migration_bytes" : 4096
}
})");
  CHECK(value_of(profile, Quantity::gpu_page_faults) == 50);
  CHECK(value_of(profile, Quantity::gpu_page_faults, "fill") == 2);
  CHECK(value_of(profile, Quantity::cpu_page_faults) == 7);
  CHECK(value_of(profile, Quantity::bytes_migrated_to_device) == 2048);
  CHECK(value_of(profile, Quantity::bytes_migrated_to_host) == 4096);
  CHECK(value_of(profile, Quantity::time_between_events_us) == 77.5);
  const Finding text = explain_missed(profile, {Quantity::gpu_page_faults, 50.0, 0, true, "it was prefetched", ""}, {});
  CHECK(has(text, "Too many page faults of the GPU: 50; at most 0"));
  CHECK(has(
      text,
      "The kernel that faulted most: add_kernel, 48 page faults, for which 2 KiB were copied and 1 KiB were created"));
  CHECK(has(text, "cudaMemPrefetchAsync"));
  const Finding few = explain_missed(profile, {Quantity::gpu_page_faults, 50.0, 8, true, "warps share pages", ""}, {});
  CHECK(has(few, "different pieces of 64 KiB"));
  CHECK_FALSE(has(few, "cudaMemPrefetchAsync"));
  CHECK(has(explain_slow(profile, {77.5, 10, 1.2, 2.0, true}, {}), "limited by page_faults: page faults"));
  const Finding outside = explain_slow(profile, {500, 10, 1.2, 2.0, true}, {});
  CHECK(has(outside, "us of that. The rest goes to page faults of the host and to moving pages."));
  CHECK(has(outside, "7 of the CPU; 2 KiB went to the device, 4 KiB to the host"));
}

TEST_CASE("launches by kernels that take most of the time are explained instead of accesses") {
  const auto profile_of = [](const std::string& limiter, const std::string& parent_us) {
    std::string text = R"({"format": "warpbook.profile", "version": 1, "kernels": [{"name": "parent", "time_us": )" +
                       parent_us + R"(, "limiter": ")" + limiter + "\"}";
    for (int child = 0; child < 8; ++child)
      text += R"(, {"name": "child", "parent": 0, "depth": 1, "queue": "block", "time_us": 9, "start_us": )" +
              std::to_string(20 + 10 * child) + "}";
    return parse_profile(text + "]}");
  };
  const Finding in_line = explain_slow(profile_of("latency", "19"), {100, 30, 1.2, 2.5, true}, {});
  CHECK(has(in_line, "The 8 grids that kernels launched take 9 us each; at most 1 ran at a time"));
  CHECK(has(in_line, "cudaStreamFireAndForget"));
  const Finding too_many = explain_slow(profile_of("launch", "95"), {100, 30, 1.2, 2.5, true}, {});
  CHECK(has(too_many, "Kernels launched 8 others"));
  CHECK(has(too_many, "Count who launches"));
  const Finding other = explain_slow(profile_of("latency", "95"), {100, 30, 1.2, 2.5, true}, {});
  CHECK_FALSE(has(other, "kernels launched"));
  CHECK(has(explain_slow(profile_of("grid_sync", "95"), {100, 30, 1.2, 2.5, true}, {}), "Call grid.sync() once"));
  CHECK(has(explain_slow(profile_of("heap", "95"), {100, 30, 1.2, 2.5, true}, {}), "malloc() and free() in kernels"));
  const Profile profile = profile_of("latency", "19");
  CHECK(has(explain_missed(profile, {Quantity::launches_by_kernels, 8.0, 9, false, "nine rows", ""}, {}),
            "Look at the condition before the launch"));
  CHECK(has(explain_missed(profile, {Quantity::tail_launches, 0.0, 1, false, "one", ""}, {}), "cudaStreamTailLaunch"));
}

TEST_CASE("if launching or waiting takes most of the time, that is explained, and no access") {
  const auto profile_of = [](int launches, double apart_us, double each_us, const std::string& limiter) {
    std::string text = R"({"format": "warpbook.profile", "version": 1, "kernels": [)";
    for (int i = 0; i < launches; ++i)
      text += std::string(i > 0 ? ", " : "") + R"({"name": "step", "limiter": ")" + limiter + R"(", "time_us": )" +
              std::to_string(each_us) + R"(, "start_us": )" + std::to_string(i * apart_us) +
              R"(, "lines": [{"file": "a.cu", "line": 2, "accesses": [{"op": "ld", "space": "global", "requests": 1,
                              "sectors": 32, "sectors_ideal": 4}]}]})";
    return parse_profile(text + "]}");
  };
  const Slow slow = {100, 30, 1.2, 2.5, true};
  const Finding waits = explain_slow(profile_of(10, 10, 4, "latency"), slow, {});
  CHECK(has(waits, "for 54 us nothing ran between one and the next"));
  CHECK(has(waits, "before the host waits"));
  CHECK_FALSE(has(waits, "float4"));
  CHECK(waits.topic == "launch");
  const Finding small = explain_slow(profile_of(50, 2, 2, "launch"), slow, {});
  CHECK(has(small, "there are 50 launches, of which those with too little work take 100 us"));
  CHECK(has(small, "Do more in one kernel"));
  CHECK_FALSE(has(small, "float4"));
  // One launch after the other without a gap, each with work: then its accesses count.
  CHECK(has(explain_slow(profile_of(10, 10, 10, "dram"), slow, {}), "float4"));
  // A kernel that accesses do not limit gets no advice on them.
  CHECK_FALSE(has(explain_slow(profile_of(1, 10, 90, "atomics"), slow, {}), "sectors per request"));
}

TEST_CASE("an OpenACC kernel that accesses no allocation gets advice on sections") {
  FaultRecord fault;
  fault.kind = "out_of_bounds";
  fault.kernel = "merge_acc [region 0]";
  CHECK(has(explain_fault(fault, {}), "copyin(a[:n])"));
  fault.kernel = "merge_kernel";
  CHECK_FALSE(has(explain_fault(fault, {}), "copyin"));
}

TEST_CASE("a slow answer gets its ratio, its points, its limiter and its worst line") {
  const Fixture f;
  const Finding text = explain_slow(f.profile, {15, 10, 1.2, 2.0, true}, f.sources());
  CHECK(has(text, "1.5 times the reference's 10 us"));
  CHECK(has(text, "62.5 % of the points"));
  CHECK(has(text, "limited by l2"));
  CHECK(has(text, "transpose.cu:2"));
}

TEST_CASE("if copies take longest, a slow answer gets advice on overlap and not on its kernel") {
  Fixture f;
  f.profile.copies = {{"host_to_device", 4e6, 1, 0, 304}, {"device_to_host", 4e6, 1, 320, 303}};
  const Slow slow = {632, 392, 1.1, 1.6, true, true};
  const Finding text = explain_slow(f.profile, slow, f.sources());
  CHECK(has(text, "Copies in take 304 us together, kernels 6 us, copies out 303 us"));
  CHECK(has(text, "only in different streams, with pinned memory"));
  CHECK_FALSE(has(text, "transpose.cu"));
  f.profile.kernels[0].time_us = 400;
  CHECK(has(explain_slow(f.profile, slow, f.sources()), "transpose.cu:2"));
  const Finding missed =
      explain_missed(f.profile, {Quantity::time_with_copies_us, 632.0, 380, true, "they overlap", ""}, f.sources());
  CHECK(has(missed, "Too long: predicted time in microseconds, copies included: 632; at most 380"));
  CHECK(has(missed, "wait once, after everything has been issued"));
}

TEST_CASE("credit for time is whole up to one ratio, nothing from another on, linear in between") {
  CHECK(time_credit(0.5, 1.1, 2.1) == 1);
  CHECK(time_credit(1.1, 1.1, 2.1) == 1);
  CHECK(time_credit(1.6, 1.1, 2.1) == Approx(0.5));
  CHECK(time_credit(2.1, 1.1, 2.1) == 0);
  CHECK(time_credit(100, 1.1, 2.1) == 0);
  CHECK(time_credit(std::numeric_limits<double>::quiet_NaN(), 1.1, 2.1) == 0);
  CHECK(time_credit(-1, 1.1, 2.1) == 0);
  CHECK(time_credit(std::numeric_limits<double>::infinity(), 1.1, 2.1) == 0);
}

TEST_CASE("a file that is not a profile of a known version is refused") {
  CHECK_THROWS_AS(parse_profile(""), ProfileError);
  CHECK_THROWS_AS(parse_profile("[]"), ProfileError);
  CHECK_THROWS_AS(parse_profile(R"({"format": "other", "version": 1})"), ProfileError);
  CHECK_THROWS_AS(parse_profile(R"({"format": "warpbook.profile", "version": 2})"), ProfileError);
  CHECK_THROWS_AS(parse_profile(R"({"format": "warpbook.profile", "version": 1, "kernels": [{}]})"), ProfileError);
  CHECK_THROWS_AS(parse_profile(R"({"format": "warpbook.profile", "version": 1, "kernels": 3})"), ProfileError);
}
