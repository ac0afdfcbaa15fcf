// What a student reads about a checker's finding.
#include "grader/judge/check_finding.h"

#include "common/testing/catch.h"

using namespace warpbook::grader;

namespace {

bool says(const Finding& finding, const char* words) {
  const std::string text = text_of(finding);
  INFO(text);
  return text.find(words) != std::string::npos;
}

CheckRecord race(const char* kind, std::vector<CheckSite> sites) {
  CheckRecord record;
  record.check = "race";
  record.kind = kind;
  record.space = "global";
  record.kernel = "add(int *)";
  record.message = "two threads meet";
  record.missing = "no barrier lies between the two";
  record.advice = "__syncthreads() between the two";
  record.sites = std::move(sites);
  return record;
}

CheckSite site(int line, int block, int thread) {
  return {"write", "/lab/a.cu", "add(int *)", "st.global.u32", line, {block, 0, 0}, {thread, 0, 0}, "", ""};
}

Finding explained(std::vector<CheckRecord> records) {
  Profile profile;
  profile.findings = std::move(records);
  return explain_check(profile, {}, {}).value();
}

}  // namespace

TEST_CASE("a mask without its caller is a finding, other findings of the check sync are not") {
  CheckRecord mask;
  mask.check = "sync";
  mask.kind = "mask_without_the_caller";
  mask.message = "lane 0 calls shfl.sync.idx.b32 with a mask that does not name it: what it gets is undefined";
  mask.advice = "call only with the lanes that it names";
  mask.sites = {{"call", "/lab/a.cu", "scan(int *)", "shfl.sync.idx.b32", 7, {}, {}, "", ""}};
  CheckRecord refused;
  refused.check = "sync";
  refused.kind = "unchecked_error";
  Profile profile;
  profile.findings = {refused};
  CHECK_FALSE(explain_check(profile, {}, {}).has_value());
  profile.findings.push_back(mask);
  const auto finding = explain_check(profile, {}, {});
  REQUIRE(finding.has_value());
  CHECK(finding->kind == FindingKind::wrong_mask);
  CHECK(is_of_check(finding->kind));
  CHECK(says(*finding, "A wrong mask: lane 0 calls shfl.sync.idx.b32 with a mask that does not name it"));
  CHECK(says(*finding, "calls it: /lab/a.cu:7"));
  profile.findings.back().kind = "masks_that_differ";
  CHECK(explain_check(profile, {}, {}).has_value());
}

TEST_CASE("threads that change one word on one line get advice on atomics, not on a barrier") {
  const Finding sum = explained({race("write_after_read", {site(5, 0, 1), site(5, 0, 33)}),
                                 race("write_after_write", {site(5, 0, 1), site(5, 0, 33)})});
  CHECK(says(sum, "Add with atomicAdd()"));
  CHECK(says(sum, "one update is lost"));
  CHECK_FALSE(says(sum, "between the two"));
  CHECK_FALSE(says(sum, "blockIdx"));
  // One thread of each block.
  CHECK(says(explained({race("read_after_write", {site(5, 0, 0), site(5, 1, 0)}),
                        race("write_after_write", {site(5, 0, 0), site(5, 1, 0)})}),
             "blockIdx.x * blockDim.x?"));
}

TEST_CASE("threads that store to one element on one line get a question about the index") {
  const Finding blocks = explained({race("write_after_write", {site(5, 0, 1), site(5, 1, 1)})});
  CHECK(says(blocks, "Two blocks write the same element"));
  CHECK(says(blocks, "Does the index contain blockIdx.x * blockDim.x?"));
  const Finding threads = explained({race("write_after_write", {site(5, 0, 1), site(5, 0, 2)})});
  CHECK(says(threads, "Does the index contain threadIdx.x?"));
}

TEST_CASE("a barrier helps where a line reads in one turn what it wrote in another, and between two lines") {
  CHECK(says(explained({race("read_after_write", {site(5, 0, 1), site(5, 0, 33)})}), "between the two"));
  CHECK(says(explained({race("read_after_write", {site(5, 0, 1), site(7, 0, 33)}),
                        race("write_after_write", {site(9, 0, 1), site(9, 0, 33)})}),
             "between the two"));
}

TEST_CASE("where a barrier cannot help, beside atomics and in turns by an atomic, there is other advice") {
  Profile profile;
  KernelRecord kernel;
  kernel.name = "add(int *)";
  kernel.block = {64, 1, 1};
  profile.kernels = {kernel};
  profile.findings = {race("write_after_read", {site(5, 0, 1), site(7, 0, 2)})};
  const auto advises = [&](const char* words) { return says(explain_check(profile, {}, {}).value(), words); };
  CHECK_FALSE(advises("by an atomic"));
  profile.findings[0].sites[1].role = "atomic";
  CHECK(advises("read it by an atomic, too"));
  CHECK_FALSE(advises("__threadfence()"));
  profile.findings[0].sites[1].role = "asynchronous copy";
  CHECK(advises("consumer_release()"));
  profile.findings[0].sites[1].role = "write";
  AccessCounters access;
  access.op = "red";  // Nobody learns from it that it is their turn.
  LineCounters line;
  line.accesses = {access};
  profile.kernels[0].lines = {line};
  CHECK_FALSE(advises("__threadfence()"));
  profile.kernels[0].lines[0].accesses[0].op = "atom";
  CHECK(advises("__threadfence() before the one that hands over"));
}

TEST_CASE("a change by the host beside atomics of a kernel may need their scope") {
  CheckSite host = site(0, 0, 0), atomic = site(5, 0, 0);
  host.kernel.clear();
  CHECK_FALSE(says(explained({race("write_after_write", {host, atomic})}), "atomicAdd_system()"));
  atomic.role = "atomic";
  CHECK(says(explained({race("write_after_write", {host, atomic})}), "atomicAdd_system()"));
  host.role = "read";
  CHECK_FALSE(says(explained({race("read_after_write", {host, atomic})}), "atomicAdd_system()"));
}

TEST_CASE("launches in two streams that race on one line are not taken for threads of one launch") {
  Profile profile;
  profile.findings = {race("write_after_write", {site(5, 0, 1), site(5, 0, 1)})};
  profile.findings[0].advice = "put both into one stream";
  for (const int stream : {1, 2}) {
    KernelRecord kernel;
    kernel.name = "add(int *)";
    kernel.stream = stream;
    profile.kernels.push_back(kernel);
  }
  CHECK(says(explain_check(profile, {}, {}).value(), "Put both into one stream"));
  profile.kernels.pop_back();
  CHECK_FALSE(says(explain_check(profile, {}, {}).value(), "Put both into one stream"));
}

TEST_CASE("a race tells what both accesses read or wrote, as far as that is known") {
  CheckRecord found = race("read_after_write", {site(5, 0, 1), site(7, 0, 33)});
  CHECK_FALSE(says(explained({found}), "In this run"));
  found.sites[0].value_is = "written";
  found.sites[0].value = "7 (0x00000007)";
  CHECK(says(explained({found}), "In this run the first access wrote 7 (0x00000007)."));
  found.sites[1].value_is = "read";
  found.sites[1].value = "7 (0x00000007)";
  CHECK(says(explained({found}), "the first access wrote 7 (0x00000007), the second access read 7"));
}

TEST_CASE("the record of a race names what would order it") {
  Profile profile;
  KernelRecord kernel;
  kernel.name = "add(int *)";
  kernel.block = {16, 4, 1};
  profile.kernels = {kernel};
  const auto advice = [&](CheckSite one, CheckSite other, const char* space = "global") {
    profile.findings = {race("read_after_write", {std::move(one), std::move(other)})};
    profile.findings[0].space = space;
    return explain_check(profile, {}, {}).value().advice;
  };
  // Rows of 16 threads: threads (0, 1) and (0, 2) are in different warps.
  CheckSite second_row = site(7, 0, 0), third_row = site(7, 0, 0);
  second_row.thread[1] = 1;
  third_row.thread[1] = 2;
  CHECK(advice(site(5, 0, 1), second_row) == "warp_barrier");
  CHECK(advice(second_row, third_row) == "block_barrier");
  CHECK(advice(site(5, 0, 1), site(7, 1, 1)) == "grid_order");
  CHECK(advice(site(5, 0, 1), site(7, 1, 1), "shared") == "cluster_barrier");
  CheckSite other_kernel = site(7, 0, 1), host = site(0, 0, 0);
  other_kernel.kernel = "sum(int *)";
  host.kernel.clear();
  CHECK(advice(site(5, 0, 1), other_kernel) == "stream_order");
  CHECK(advice(host, site(7, 0, 1)) == "stream_order");
  // Two accesses of launches that may run at once may be of one launch or of two.
  kernel.stream = 1;
  profile.kernels.push_back(kernel);
  CHECK(advice(site(5, 0, 1), second_row).empty());
  CHECK(explained({race("read_after_write", {site(5, 0, 1), site(5, 0, 33)}),
                   race("write_after_write", {site(5, 0, 1), site(5, 0, 33)})})
            .advice == "atomic");
  CHECK(explained({race("write_after_write", {site(5, 0, 1), site(5, 1, 1)})}).advice == "one_block");
  CHECK(explained({race("write_after_write", {site(5, 0, 1), site(5, 0, 2)})}).advice == "one_thread");
}
