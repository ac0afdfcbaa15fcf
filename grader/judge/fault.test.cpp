// What a student reads about a fault of the virtual GPU.
#include "grader/judge/fault.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "common/testing/catch.h"
#include "grader/judge/refusal.h"
#include "grader/judge/results.h"
#include "grader/runner/temporary_folder.h"

using namespace warpbook::grader;

namespace {

FaultRecord out_of_bounds(std::uint64_t address) {
  FaultRecord fault;
  fault.kind = "out_of_bounds";
  fault.address = address;
  fault.bytes = 8;
  return fault;
}

FaultRecord wrong_free(std::uint64_t address) {
  FaultRecord fault = out_of_bounds(address);
  fault.bytes = 0;
  fault.cause = "unknown_free";
  return fault;
}

bool says(const FaultRecord& fault, const char* words) {
  const std::string text = text_of(explain_fault(fault, {}));
  INFO(text);
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a wrong address raises a question about the index, unless the pointer itself is the cause") {
  CHECK(says(out_of_bounds(0x700000000000), "Compare the index"));
  CHECK(says(out_of_bounds(4096), "Compare the index"));
  CHECK(says(out_of_bounds(0), "The pointer is null"));
  CHECK(says(out_of_bounds(8 * 255), "The pointer is null"));
  CHECK(says(out_of_bounds(0xcdcdcdcdcdcdcdcd), "that was never written"));
  CHECK(says(out_of_bounds(0xcdcdcdcdcdcdcdcd + 8 * 255), "that was never written"));
  CHECK(says(out_of_bounds(0xffffffffffffffff), "that was freed before"));
  CHECK_FALSE(says(out_of_bounds(0), "Compare the index"));
  FaultRecord local = out_of_bounds(40);
  local.cause = "outside_local";
  CHECK(says(local, "Compare the index"));
}

TEST_CASE("a kernel is named without namespaces and parameters, but with its template arguments") {
  CHECK(short_name("transpose_kernel(const float *, float *, int, int)") == "transpose_kernel");
  CHECK(short_name("(anonymous namespace)::see(int *)") == "see");
  CHECK(short_name("place_kernel<(Kind)0, false>(From, To, int)") == "place_kernel<(Kind)0, false>");
  CHECK(short_name("plain_kernel") == "plain_kernel");
}

TEST_CASE("a pointer that free() does not know is distinguished from one that was never set") {
  CHECK(says(wrong_free(0x700000000000), "Each malloc() has one free()"));
  CHECK(says(wrong_free(0x700000000000), "launched more than once"));
  CHECK(says(wrong_free(0xcdcdcdcdcdcdcdcd), "that was never written"));
  CHECK(says(wrong_free(0xffffffffffffffff), "that was freed before"));
}

namespace {

KernelRecord kernel(const std::string& name, int blocks, int threads, std::optional<int> parent = {}) {
  KernelRecord record;
  record.name = name;
  record.grid = {blocks, 1, 1};
  record.block = {threads, 1, 1};
  record.parent = parent;
  return record;
}

FaultRecord fault_of_tree() {
  FaultRecord fault = out_of_bounds(0x700000000000);
  fault.kernel = "tree_kernel(int *)";
  fault.block = {1, 0, 0};
  fault.thread = {3, 0, 0};
  return fault;
}

}  // namespace

TEST_CASE("a kernel that has launched itself repeatedly gets a question about its stop condition") {
  const std::string tree = "tree_kernel(int *)", other = "other_kernel()";
  const auto told = [&](const std::vector<KernelRecord>& kernels) {
    return text_of(explain_fault(fault_of_tree(), {}, kernels));
  };
  const std::vector<KernelRecord> thrice = {kernel(tree, 1, 128), kernel(tree, 4, 128, 0), kernel(tree, 4, 128, 1)};
  CHECK(explain_fault(fault_of_tree(), {}, thrice).advice == "recursion");
  const auto asks = [](const std::string& text) { return text.find("which it returns without") != std::string::npos; };
  const std::string text = told({kernel(tree, 1, 128), kernel(tree, 4, 128, 0), kernel(tree, 4, 128, 1),
                                 kernel(tree, 4, 128, 1), kernel(tree, 4, 128, 3)});
  INFO(text);
  CHECK(asks(text));
  CHECK(text.find("tree_kernel launched itself 4 times before, up to 3 times in a row") != std::string::npos);
  CHECK(text.find("Compare the index") != std::string::npos);
  CHECK_FALSE(asks(told({})));
  CHECK_FALSE(asks(told({kernel(tree, 1, 128), kernel(tree, 4, 128, 0), kernel(tree, 4, 128, 0)})));
  CHECK_FALSE(asks(told({kernel(other, 1, 128), kernel(tree, 4, 128, 0), kernel(other, 4, 128, 1)})));
  CHECK_FALSE(asks(told({kernel(other, 1, 128), kernel(other, 4, 128, 0), kernel(other, 4, 128, 1)})));
}

TEST_CASE("the size of the launch is given if no other launch has such a block and thread") {
  const std::string tree = "tree_kernel(int *)";
  const auto told = [&](const std::vector<KernelRecord>& kernels, const char* words) {
    return text_of(explain_fault(fault_of_tree(), {}, kernels)).find(words) != std::string::npos;
  };
  CHECK(told({kernel(tree, 1, 128), kernel(tree, 128, 4, 0)}, "thread (3, 0, 0) of <<<128, 4>>>"));
  CHECK(told({kernel(tree, 2, 4), kernel(tree, 2, 3)}, "of <<<2, 4>>>"));
  CHECK_FALSE(told({kernel(tree, 2, 128), kernel(tree, 128, 4)}, "<<<"));
  CHECK_FALSE(told({kernel("other_kernel()", 128, 4)}, "<<<"));
  CHECK_FALSE(told({}, "<<<"));
}

TEST_CASE("what a fault is does not depend on the words of the virtual GPU") {
  const std::pair<const char*, const char*> known[] = {
      {"out_of_bounds", "outside_shared"}, {"out_of_bounds", "other_grids_memory"},
      {"out_of_bounds", "unknown_free"},   {"deadlock", "lanes"},
      {"deadlock", "grid_barrier"},        {"deadlock", "barrier"},
      {"divergent_barrier", "barrier"},    {"divergent_barrier", "lanes"}};
  std::vector<std::string> advice;
  for (const auto& [kind, cause] : known) {
    FaultRecord fault = out_of_bounds(0x700000000000);
    fault.kind = kind;
    fault.cause = cause;
    const Finding silent = explain_fault(fault, {});
    fault.message =
        "other words: free of shared memory, of which grid.sync() waits for other lanes of the warp at offset 3";
    const Finding wordy = explain_fault(fault, {});
    CHECK(silent.kind == wordy.kind);
    CHECK(silent.topic == cause);
    CHECK(silent.headline == wordy.headline);
    CHECK(silent.what_to_try == wordy.what_to_try);
    CHECK_FALSE(silent.what_to_try.empty());
    advice.push_back(silent.what_to_try);
  }
  std::sort(advice.begin(), advice.end());
  CHECK(std::unique(advice.begin(), advice.end()) == advice.end());
}

TEST_CASE("a refused launch is explained with its configuration, its limit and its line") {
  const TemporaryFolder folder;
  write_file(folder.path() + "/a.cu",
             "__global__ void add(int n);\n__global__ void add_all(int n);\n// add<<<1, 1>>>(n) is wrong\n"
             "void f(int n) {\n  add_all<<<1, 1>>>(n);\n  add<<<1, 2048>>>(n);\n}\n");
  const auto explained = [&](const std::string& limit, const std::string& source = "a.cu") {
    const Profile profile = parse_profile(
        R"x({"format": "warpbook.profile", "version": 1, "refused_launches": [{"kernel": "(anonymous namespace)::add(int)",
            "grid": [1, 1, 1], "block": [2048, 1, 1], "shared_bytes": 0, "error": "cudaErrorInvalidValue")x" +
        limit + "}]}");
    return explain_refusal(profile, source, Sources(folder.path()));
  };
  const auto finding =
      explained(R"(, "limit": {"what": "threads in a block", "found": 2048, "allowed": 1024, "at_most": true})");
  REQUIRE(finding);
  CHECK(finding->kind == FindingKind::refused_launch);
  CHECK_THAT(finding->headline, Catch::Contains("add<<<1, 2048>>> was refused (cudaErrorInvalidValue)"));
  CHECK(finding->facts == std::vector<std::string>{"threads in a block: 2048; at most 1024 are allowed."});
  CHECK(explained(R"(, "limit": {"what": "threads in a block", "found": 2048, "allowed": 256, "at_most": true})")
            ->facts ==
        std::vector<std::string>{
            "threads in a block: 2048; at most 256 are allowed, by this kernel's registers or __launch_bounds__."});
  REQUIRE(finding->sites.size() == 1);
  CHECK(finding->sites[0].line == 6);
  CHECK(finding->sites[0].text == "add<<<1, 2048>>>(n);");
  CHECK(finding->limit->value == 1024);
  CHECK_THAT(finding->what_to_try, Catch::Contains("number of elements"));
  const auto shared = explained(
      R"(, "limit": {"what": "bytes of shared memory in a block", "found": 80000, "allowed": 49152, "at_most": true})");
  CHECK_THAT(shared->what_to_try, Catch::Contains("cudaFuncAttributeMaxDynamicSharedMemorySize"));
  const auto resident = explained(
      R"(, "limit": {"what": "blocks of a grid that must be resident together", "found": 9, "allowed": 8, "at_most": true})");
  CHECK_THAT(resident->what_to_try, Catch::Contains("cudaOccupancyMaxActiveBlocksPerMultiprocessor()"));
  CHECK(explained("")->facts.empty());
  CHECK(explained("", "other.cu")->sites.empty());
  CHECK_FALSE(explain_refusal(Profile(), "a.cu", Sources(folder.path())));
}

TEST_CASE("host code that uses device memory gets the advice to copy, with its line") {
  FaultRecord fault;
  fault.kind = "host_access";
  fault.message = "host code dereferenced the device pointer 0x700000000000";
  fault.address = 0x700000000000;
  fault.write = true;
  fault.file = "/lab/a.cu";
  fault.line = 14;
  CHECK(says(fault, "Host code wrote to device memory."));
  CHECK(says(fault, "at /lab/a.cu:14"));
  CHECK(says(fault, "copy with cudaMemcpy"));
  CHECK(explain_fault(fault, {}).kind == FindingKind::host_access);
  fault.write = false;
  CHECK(says(fault, "Host code read device memory."));
}

TEST_CASE("an endless loop is not taken for a barrier that some threads do not reach") {
  FaultRecord fault;
  fault.kind = "deadlock";
  fault.cause = "loop";
  fault.file = "/lab/a.cu";
  fault.line = 5;
  CHECK(says(fault, "Threads go round a loop that never ends."));
  CHECK(says(fault, "Line 5 loops forever: what changes its condition?"));
  CHECK_FALSE(says(fault, "__syncthreads()"));
  CHECK_FALSE(says(fault, "wait for each other"));
  fault.cause = "barrier";
  CHECK(says(fault, "Threads wait at a barrier for a phase that never ends."));
  CHECK(says(fault, "arrive_and_drop()"));
  CHECK_FALSE(says(fault, "loops forever"));
  fault.cause = "grid_barrier";
  CHECK(says(fault, "wait for each other"));
}

TEST_CASE("an address before an array is a negative index, and only the last block has threads with nothing to do") {
  FaultRecord fault = out_of_bounds(0x700000000000);
  CHECK(says(fault, "the last block usually has"));
  fault.cause = "before_allocation";
  CHECK(says(fault, "the index is negative"));
  CHECK_FALSE(says(fault, "the last block"));
  fault.cause = "freed_memory";
  CHECK(says(fault, "Free it after its last use"));
  CHECK_FALSE(says(fault, "Compare the index"));
  fault.cause = "past_allocation";
  fault.kernel = "add(int *)";
  fault.block = {3, 0, 0};
  KernelRecord kernel;
  kernel.name = fault.kernel;
  kernel.grid = {4, 1, 1};
  const auto told = [&] { return text_of(explain_fault(fault, {}, {kernel})); };
  CHECK(told().find("the last block usually has") != std::string::npos);
  fault.block = {1, 0, 0};
  CHECK(told().find("the last block") == std::string::npos);
  CHECK(told().find("Compare the index with the number of elements before the access.") != std::string::npos);
}
