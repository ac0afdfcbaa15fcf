// The checks "memory" and "sync": findings in faulty programs, and none in their correct twins.
#include <csignal>

#include "common/simulator/runtime/tests/checked_run.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator::runtime;
using nlohmann::json;

namespace {

CheckedRun checked(const std::string& argument, const std::string& checks = "memory") {
  return run_checked("checks", {argument}, checks);
}

/// Runs a program with one mistake. @returns its only finding, of that kind
json finding_of(const std::string& argument, const std::string& kind, const std::string& checks = "memory") {
  const CheckedRun run = checked(argument, checks);
  INFO(argument << "\n" << run.outcome.errors);
  const json finding = run.only();
  CHECK(finding.is_object());
  if (!finding.is_object()) return json::object();
  CHECK(finding["kind"] == kind);
  CHECK(finding["tier"] == "error");
  return finding;
}

void is_clean(const std::string& argument, const std::string& checks = "memory") {
  const CheckedRun run = checked(argument, checks);
  INFO(argument << "\n" << run.outcome.errors);
  REQUIRE(run.report.is_object());
  CHECK(run.report["findings"].empty());
  CHECK(run.outcome.errors == "warpbook: no findings\n");
}

/// The same for a program with an error that belongs to another check.
void is_silent(const std::string& argument, const std::string& checks) {
  const CheckedRun run = checked(argument, checks);
  INFO(argument << "\n" << run.outcome.errors);
  REQUIRE(run.report.is_object());
  CHECK(run.report["findings"].empty());
}

bool contains(const json& text, const std::string& part) {
  INFO(text);
  return text.is_string() && text.get<std::string>().find(part) != std::string::npos;
}

/// A site in host code: the place of the call, if that can be known.
void is_at(const json& site, const std::string& text) {
  CHECK(site.is_object());
  CHECK(place_of(site) == (is_apart() ? "" : place_of_text("checks.cu", text)));
}

}  // namespace

TEST_CASE("a store out of bounds is a finding with thread, line, allocation and the call that made it") {
  const CheckedRun run = checked("store");
  INFO(run.outcome.errors);
  CHECK(run.outcome.output == "synchronise 700\n");
  CHECK(run.outcome.exit_code == 3);
  const json finding = run.only();
  REQUIRE(finding.is_object());
  CHECK(finding["check"] == "memory");
  CHECK(finding["kind"] == "out_of_bounds");
  CHECK(finding["count"] == 1);
  CHECK(contains(finding["kernel"], "store(int *, long long)"));
  CHECK(finding["space"] == "global");
  CHECK(contains(finding["address"], "0x"));
  CHECK(contains(finding["allocation"], "12 bytes after the 400 bytes at 0x"));
  CHECK(contains(finding["allocation"], "of the 1st cudaMalloc"));
  CHECK(contains(finding["message"], "write of 4 bytes at 0x"));
  const json site = site_of(finding, "write");
  REQUIRE(site.is_object());
  CHECK(place_of(site) == place_of_text("checks.cu", "// stores"));
  CHECK(site["text"] == "data[index] = 1;  // stores");
  CHECK(site["instruction"] == "st.global.u32");
  CHECK(site["block"] == json({0, 0, 0}));
  CHECK(site["thread"] == json({0, 0, 0}));
  if (!is_apart()) {
    const json made = site_of(finding, "allocation");
    is_at(made, "// allocates");
    CHECK(made["instruction"] == "cudaMalloc");
    CHECK(made["text"] == "cudaMalloc(&data, kBytes);  // allocates");
    CHECK(run.says("=========     allocation by cudaMalloc\n=========       at "));
  }
  CHECK(run.says("warpbook: memory, out of bounds: write of 4 bytes at 0x"));
  CHECK(run.says("warpbook: 1 finding (1 memory)\n"));
}

TEST_CASE("an access that would hit a neighbour's memory is found with red zones, and not without") {
  const Outcome plain = run_program("checks", {"far_store"});
  CHECK(plain.output == "synchronise 0\n");
  CHECK(plain.errors.empty());
  const json finding = finding_of("far_store", "out_of_bounds");
  CHECK(contains(finding["allocation"], "400 bytes after the 400 bytes"));
}

TEST_CASE("memory faults are distinguished") {
  CHECK(contains(finding_of("misaligned", "misaligned")["advice"], "multiple"));
  CHECK(finding_of("shared", "out_of_bounds")["space"] == "shared");
  CHECK(contains(finding_of("no_shared", "out_of_bounds")["advice"], "third argument"));
  CHECK(finding_of("local", "out_of_bounds")["space"] == "local");
  CHECK(finding_of("constant", "out_of_bounds")["space"] == "constant");
  CHECK(finding_of("constant_write", "out_of_bounds")["space"] == "constant");
  const json stack = finding_of("stack", "stack_overflow");
  CHECK(stack["space"] == "local");
  CHECK(site_of(stack, "call").is_object());
}

TEST_CASE("a store to freed memory names the calls that made and freed it") {
  const json finding = finding_of("freed_store", "use_after_free");
  CHECK(contains(finding["allocation"], "which was freed before"));
  if (!is_apart()) {
    is_at(site_of(finding, "allocation"), "// allocates");
    is_at(site_of(finding, "free"), "// frees");
  }
  finding_of("freed_store_async", "use_after_free");
}

TEST_CASE("accesses next to memory from malloc in a kernel name the lines that made and freed it") {
  const auto is_in_kernel = [](const json& site, const std::string& text) {
    CHECK(place_of(site) == place_of_text("checks.cu", text));
  };
  const json past = finding_of("heap_past", "heap_out_of_bounds");
  CHECK(contains(past["message"], "2 bytes past the end of 40 bytes"));
  CHECK(contains(past["kernel"], "write_piece(int)"));
  CHECK(contains(past["allocation"], "that malloc gave to thread (0,0,0) of block (0,0,0)"));
  is_in_kernel(site_of(past, "write"), "// writes to the heap");
  is_in_kernel(site_of(past, "allocation"), "// gets memory of the heap");
  CHECK(site_of(past, "free").is_null());
  CHECK(contains(finding_of("heap_before", "heap_out_of_bounds")["message"], "3 bytes before the start of 40 bytes"));
  CHECK(contains(finding_of("heap_read", "heap_out_of_bounds")["message"], "read of 1 byte"));
  const json late = finding_of("heap_freed", "heap_use_after_free");
  is_in_kernel(site_of(late, "allocation"), "// gets memory of the heap");
  is_in_kernel(site_of(late, "free"), "// gives it back to the heap");
  const json twice = finding_of("heap_twice", "double_free");
  CHECK(twice["sites"].size() == 3);
  finding_of("heap_inside", "invalid_free");
  is_clean("heap_clean", "all");
}

TEST_CASE("copies and memsets that are too large for device memory are findings, and still fail") {
  const CheckedRun run = checked("copy_device_too_large");
  INFO(run.outcome.errors);
  CHECK(run.outcome.output == "copy 1\ncopy 1\nfill 1\n");
  REQUIRE(run.report.is_object());
  REQUIRE(run.report["findings"].size() == 3);
  const json &to = run.report["findings"][0], &from = run.report["findings"][1], &fill = run.report["findings"][2];
  for (const json& finding : {to, from, fill}) CHECK(finding["kind"] == "out_of_bounds");
  CHECK(to["message"] == "cudaMemcpy writes 800 bytes at byte 0 of an allocation of 400 bytes: 400 bytes too many");
  CHECK(from["message"] == "cudaMemcpy reads 800 bytes at byte 0 of an allocation of 400 bytes: 400 bytes too many");
  CHECK(contains(fill["message"], "cudaMemset fills 800 bytes"));
  is_at(site_of(to, "copy"), "cudaMemcpy(data, host, bytes, cudaMemcpyHostToDevice)");
  is_at(site_of(from, "copy"), "cudaMemcpy(host, data, bytes, cudaMemcpyDeviceToHost)");
  is_at(site_of(fill, "fill"), "cudaMemset(data, 0, bytes)");
  CHECK(site_of(fill, "fill")["instruction"] == "cudaMemset");
  is_clean("copy_clean", "all");
}

TEST_CASE("copies that are too large for pinned memory or a variable are findings") {
  const json pinned = finding_of("copy_pinned_too_large", "out_of_bounds");
  CHECK(contains(pinned["message"], "cudaMemcpy reads 12288 bytes at byte 0 of an allocation of 8192 bytes"));
  const json variable = finding_of("symbol_too_large", "out_of_bounds");
  CHECK(contains(variable["message"], "cudaMemcpyToSymbol writes 20 bytes at byte 0 of the 16 bytes of"));
}

TEST_CASE("a wrong direction is a finding whether or not the call fails") {
  const CheckedRun refused = checked("direction_refused");
  CHECK(refused.outcome.output == "copy 1\n");
  CHECK(refused.of("wrong_direction").size() == 2);
  const CheckedRun tolerated = checked("direction_tolerated");
  CHECK(tolerated.outcome.output == "copy 0\n");
  CHECK(contains(tolerated.only()["message"], "cudaMemcpyHostToDevice: its source is device memory"));
}

TEST_CASE("freed, null and host pointers in calls are findings") {
  finding_of("copy_freed", "use_after_free");
  finding_of("copy_null", "null_pointer");
  finding_of("fill_host", "host_pointer");
}

TEST_CASE("wrong frees are distinguished") {
  const json twice = finding_of("double_free", "double_free");
  if (!is_apart()) CHECK(twice["sites"].size() == 3);
  finding_of("free_host_variable", "invalid_free");
  CHECK(contains(finding_of("free_interior", "interior_pointer")["message"], "byte 4 of an allocation"));
  const CheckedRun run = checked("wrong_free");
  INFO(run.outcome.errors);
  CHECK(run.outcome.output == "free 1\nfree 1\nfree 1\n");
  const auto wrong = run.of("wrong_free");
  REQUIRE(wrong.size() == 3);
  CHECK(wrong[0]["message"] == "cudaFreeHost of device memory");
  CHECK(wrong[0]["advice"] == "it is freed by cudaFree");
  CHECK(wrong[1]["message"] == "cudaFree of pinned host memory");
  CHECK(wrong[2]["message"] == "cudaFree of memory that malloc in a kernel returned");
}

TEST_CASE("host code that uses device memory is reported before the signal ends it") {
  const CheckedRun run = checked("host_access");
  INFO(run.outcome.errors);
  CHECK(run.outcome.signal == SIGSEGV);
  const json finding = run.only();
  REQUIRE(finding.is_object());
  CHECK(finding["kind"] == "host_access");
  CHECK(contains(finding["allocation"], "byte 12 of the 400 bytes"));
  is_at(site_of(finding, "access"), "// the host's store");
  CHECK(run.says("warpbook: 1 finding (1 memory)\n"));
}

TEST_CASE("threads that wait forever are findings of sync, not of memory") {
  const CheckedRun run = run_checked("waits", {"barrier_in_branch"}, "sync");
  const json finding = run.only();
  REQUIRE(finding.is_object());
  CHECK(finding["check"] == "sync");
  CHECK(finding["kind"] == "divergent_barrier");
  CHECK(place_of(site_of(finding, "wait")) == "waits.cu:15");
  CHECK(run_checked("waits", {"barrier_in_branch"}, "memory").says("warpbook: no findings\n"));
  const CheckedRun flag = run_checked("waits", {"waits_for_flag"}, "sync", {{"WARPBOOK_STEP_LIMIT", "1000000"}});
  CHECK(flag.of("deadlock").size() == 1);
  CHECK(run_checked("waits", {"returns_some_threads"}, "sync").says("warpbook: no findings\n"));
}

TEST_CASE("a refused launch is a finding only if the program never queries the error") {
  if (is_apart()) return;  // The program's own library keeps its last error.
  const json finding = finding_of("refused", "unchecked_error", "sync");
  CHECK(contains(finding["message"], "the launch of (anonymous namespace)::store(int *, long long) was refused with"));
  is_at(site_of(finding, "launch"), "// too many threads");
  finding_of("refused_in_thread", "unchecked_error", "sync");
  for (const char* asked : {"refused_checked", "refused_peeked", "refused_by_call"}) is_clean(asked, "sync");
}

TEST_CASE("a kernel's error is a finding only if no call returned it") {
  const json finding = finding_of("store_unnoticed", "unchecked_error", "sync");
  CHECK(contains(finding["message"], "store(int *, long long) failed with cudaErrorIllegalAddress (700)"));
  finding_of("store_reset", "unchecked_error", "sync");
  is_silent("store", "sync");
}

TEST_CASE("a fault is still printed at once, since a program that kills itself has no report") {
  const CheckedRun run = checked("store_abort");
  CHECK(run.outcome.signal == SIGABRT);
  CHECK(run.says("cudaErrorIllegalAddress (700)"));
  CHECK(run.report.is_null() == !is_apart());  // A device in another process outlives the program.
}

TEST_CASE("matrices in shared memory race, and uninitialised rows of them are tracked through products") {
  const auto run = [](const std::string& mistake) { return run_checked("matrix_checks", {mistake}, "race,init"); };
  // What a warp reads before the other one has written it is also uninitialised; here only the race is wanted.
  const CheckedRun racing = run_checked("matrix_checks", {"missing_barrier"}, "race");
  INFO(racing.outcome.errors);
  const json finding = racing.only();
  REQUIRE(finding.is_object());
  CHECK(finding["check"] == "race");
  CHECK(racing.says("ldmatrix.sync.aligned.m8n8.x4.shared.b16"));
  CHECK(place_of(site_of(finding, "read")) == place_of_text("matrix_checks.cu", "// loaded"));
  CHECK(place_of(site_of(finding, "write")) == place_of_text("matrix_checks.cu", "// filled"));
  const CheckedRun undefined = run("undefined_row");
  INFO(undefined.outcome.errors);
  REQUIRE(undefined.report.is_object());
  CHECK(undefined.report["findings"].size() == 1);
  CHECK(undefined.says(place_of_text("matrix_checks.cu", "// decided")));
  for (const char* clean : {"other_row", "none"}) {
    const CheckedRun twin = run(clean);
    INFO(clean << "\n" << twin.outcome.errors);
    REQUIRE(twin.report.is_object());
    CHECK(twin.report["findings"].empty());
  }
}

TEST_CASE("edges of a graph order its nodes, and so do the iterations of a loop") {
  for (const char* seed : {"0", "4"}) {
    CAPTURE(seed);
    const CheckedRun ordered = run_checked("graph_checks", {}, "race", {{"WARPBOOK_SCHEDULE_SEED", seed}});
    INFO(ordered.outcome.errors);
    CHECK(ordered.says("warpbook: no findings"));
    const CheckedRun racing = run_checked("graph_checks", {"race"}, "race", {{"WARPBOOK_SCHEDULE_SEED", seed}});
    CHECK(racing.says("race, write after write"));
  }
}

TEST_CASE("a race with a child grid reports what orders parent and child") {
  const CheckedRun run = run_checked("device_launches", {"race"}, "race");
  INFO(run.outcome.errors);
  REQUIRE(run.report["findings"].size() == 1);
  CHECK(contains(run.report["findings"][0]["advice"], "cudaStreamTailLaunch"));
}

TEST_CASE("a race reports the values that both sides read and wrote, or why they are unknown") {
  const CheckedRun run = checked("race_values", "race");
  INFO(run.outcome.errors);
  const auto site = [&](const std::string& kind, unsigned at) {
    for (const json& finding : run.of(kind))
      if (finding["space"] == "shared") return finding["sites"][at];
    return json();
  };
  CHECK(site("read_after_write", 0)["value_is"] == "written");
  CHECK(site("read_after_write", 0)["value"] == "1.5 (0x3fc00000)");
  CHECK(site("read_after_write", 1)["value_is"] == "read");
  CHECK(site("read_after_write", 1)["value"] == "1.5 (0x3fc00000)");
  CHECK(site("write_after_read", 0)["value"] == "1.5 (0x3fc00000)");
  CHECK(site("write_after_read", 1)["value"] == "-2 (0xc0000000)");
  CHECK(run.says("      read 1.5 (0x3fc00000)\n"));
  CHECK(run.says("      left 7 (0x00000007)\n"));
  CHECK(run.says("      wrote -1 or 4294967295 (0xffffffff)\n"));
  const json early = finding_of("source_early", "write_after_read", "race");
  CHECK(contains(site_of(early, "read")["value_unknown"], "had not completed"));
  CHECK(site_of(early, "read")["value"].is_null());
}

TEST_CASE("a shuffle from a lane that does not take part gives an uninitialised value") {
  const json finding = finding_of("shuffle_outside", "undefined_shuffle", "init");
  CHECK(contains(finding["message"], "reads lane 16, which has ended or does not take part"));
  CHECK(place_of(site_of(finding, "store")) == place_of_text("checks.cu", "// keeps the sum"));
  CHECK(place_of(site_of(finding, "shuffle")) == place_of_text("checks.cu", "// shuffles"));
  is_clean("shuffle_unused", "init");
}

TEST_CASE("a thread that stores to the source of its own asynchronous copy must wait for the copy first") {
  const json finding = finding_of("source_early", "write_after_read", "race");
  CHECK(contains(finding["message"], "that its own asynchronous copy reads"));
  CHECK(finding["count"] == 32);
  CHECK(place_of(site_of(finding, "read")) == place_of_text("checks.cu", "// copies"));
  CHECK(place_of(site_of(finding, "write")) == place_of_text("checks.cu", "// changes the source"));
  is_clean("source_late", "race");
}
