// Profiles that programs write: counters against an H200's, all kinds of records, reproducible output.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "common/simulator/runtime/tests/program.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator::runtime;
using nlohmann::json;

namespace {

/// A file for a profile; removed at the end.
class ProfileFile {
 public:
  ProfileFile() {
    char folder[] = "/tmp/warpbook_profile_XXXXXX";
    REQUIRE(::mkdtemp(folder) != nullptr);
    folder_ = folder;
  }
  ~ProfileFile() { std::filesystem::remove_all(folder_); }
  ProfileFile(const ProfileFile&) = delete;
  ProfileFile& operator=(const ProfileFile&) = delete;

  std::string path() const { return folder_ + "/profile.json"; }
  std::string text() const {
    std::ifstream file(path(), std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  /// The profile must be the only file in its folder.
  std::size_t files() const {
    const std::filesystem::directory_iterator begin(folder_);
    return static_cast<std::size_t>(std::distance(begin, std::filesystem::directory_iterator()));
  }

 private:
  std::string folder_;
};

std::string profile_text(const std::string& program, std::map<std::string, std::string> environment = {},
                         const std::vector<std::string>& arguments = {}) {
  const ProfileFile file;
  environment["WARPBOOK_PROFILE"] = file.path();
  const Outcome outcome = run_program(program, arguments, environment);
  INFO(outcome.errors);
  CHECK(file.files() == 1);
  return file.text();
}

json profile_of(const std::string& program, const std::vector<std::string>& arguments = {}) {
  const std::string text = profile_text(program, {}, arguments);
  REQUIRE_FALSE(text.empty());
  return json::parse(text);
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

/// Atomic sectors in the level-2 cache per sector that a multiprocessor sends to it, on average: each L2 partition
/// requests half of them from the other. A kernel of one block was in the near half each time it was measured.
double sectors_for_one_in_the_near_half(const std::string& metric) {
  return metric == "lts__t_sectors_op_red.sum" || metric == "lts__t_sectors_op_atom.sum" ? 1.5 : 1;
}

/// Compares the metrics that @p file names, launch by launch. @param exact_threads in that many first launches, thread
/// and branch metrics are compared too: where lanes diverge, or an atomic becomes several instructions, the
/// instructions between the accesses are those of the machine code, which this machine does not execute
/// @returns how many values were compared
std::size_t check_counters(const std::string& program, const std::string& csv, std::size_t launches,
                           std::size_t exact_threads) {
  const json profile = profile_of(program);
  std::ifstream file(WARPBOOK_TEST_SOURCES "/" + csv);
  std::string line;
  REQUIRE(std::getline(file, line));
  const auto names = split(line);
  std::size_t row = 0, compared = 0;
  for (; std::getline(file, line); ++row) {
    const auto cells = split(line);
    REQUIRE(row < profile["kernels"].size());
    const json& kernel = profile["kernels"][row];
    for (std::size_t i = 1; i < names.size(); ++i) {
      const bool of_instructions =
          names[i].find("thread_inst") != std::string::npos || names[i].find("branch") != std::string::npos;
      if (of_instructions && row >= exact_threads) continue;
      CAPTURE(row, cells[0], kernel["name"], names[i]);
      const double expected = std::stod(cells[i]) * sectors_for_one_in_the_near_half(names[i]);
      CHECK(std::abs(kernel["metrics"].at(names[i]).get<double>() - expected) < 0.006);
      ++compared;
    }
  }
  CHECK(row == launches);
  CHECK(row == profile["kernels"].size());
  return compared;
}

}  // namespace

TEST_CASE("tensor instructions and matrices in shared memory are counted and take time") {
  const json profile = profile_of("matrices");
  unsigned found = 0;
  for (const json& kernel : profile["kernels"]) {
    const std::string name = kernel["name"];
    const json& metrics = kernel["metrics"];
    const auto is = [&](const char* part) { return name.find(part) != std::string::npos; };
    if (is("mma_gemm") && !is("wmma_gemm")) {  // 12 blocks of two warps: 4 steps along k, two products each.
      ++found;
      CHECK(metrics["sm__inst_executed_pipe_tensor_op_hmma.sum"] == 12 * 2 * 4 * 2);
      CHECK(metrics["smsp__inst_executed_op_ldsm.sum"] == 12 * 2 * 4 * 2);
      // A wavefront for each matrix; rows are padded, so there are no conflicts.
      CHECK(metrics["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"] == 0);
      CHECK(metrics["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] == 12 * 2 * 4 * 8);
    }
    if (is("mma_fp8")) {
      ++found;
      CHECK(metrics["sm__inst_executed_pipe_tensor.sum"] == 2);
    }
    if (is("wmma_gemm<double")) {
      ++found;
      CHECK(metrics["sm__inst_executed_pipe_tensor_op_dmma.sum"] == 96 / 8 * (64 / 8) * (64 / 4));
      CHECK(metrics["sm__inst_executed_pipe_tensor_op_hmma.sum"] == 0);
    }
    CHECK(kernel["time_us"] > 0);
  }
  CHECK(found == 6);
}

double executed(const json& kernel, const std::string& what) {
  return kernel["metrics"]["warpbook__inst_executed_op_" + what + ".sum"].get<double>();
}

TEST_CASE("what orders accesses for the host is counted: fences, acquires and releases of system scope, flags") {
  for (const std::string what : {"fence", "acquire", "release", "load", "store"}) {
    const auto of = [&](const char* told) {
      return executed(profile_of("host_races", {told})["kernels"][0], what + "_sys");
    };
    CHECK(of("told") == (what == "release" || what == "store" ? 1 : 0));
    CHECK(of("told by a fence") == (what == "fence" || what == "store" ? 1 : 0));
  }
}

TEST_CASE("arrivals and waits at barriers in shared memory are counted apart, once for each warp") {
  const json profile = profile_of("asynchronous_work");
  std::map<std::string, std::pair<double, double>> found;  // By kernel: arrivals and waits.
  for (const json& kernel : profile["kernels"])
    found[kernel["name"].get<std::string>()] = {executed(kernel, "mbarrier_arrive"), executed(kernel, "mbarrier_wait")};
  const auto of = [&](const std::string& name) {
    for (const auto& [kernel, both] : found)
      if (kernel.find(name) != std::string::npos) return both;
    return std::pair(-1.0, -1.0);
  };
  CHECK(of("multiply_by_barrier") == std::pair(256.0, 256.0));  // 16 blocks of two warps, two barriers in 4 rounds
  CHECK(of("ring_buffer") == std::pair(21.0, 19.0));            // 7 chunks to two warps, of which two find room at once
  CHECK(of("first_grid") == std::pair(0.0, 0.0));
}

TEST_CASE("compare-and-swap is counted") {
  const json profile = profile_of("control_flow");
  unsigned found = 0;
  for (const json& kernel : profile["kernels"])
    if (kernel["name"].get<std::string>().find("spin_lock") != std::string::npos) {
      CHECK(executed(kernel, "cas") >= kernel["block"][0].get<double>());  // Each lane has the lock once.
      ++found;
    } else {
      CHECK(executed(kernel, "cas") == 0);
    }
  CHECK(found > 0);
}

TEST_CASE("what a kernel has the hardware do is counted: clocks, layers, cubes, gathers, barriers that tell") {
  std::map<std::string, std::map<std::string, double>> found;  // By metric and kernel, without zeros.
  const std::size_t before = std::string("(anonymous namespace)::").size();
  for (const char* program : {"control_flow", "textures", "surfaces"}) {
    const json profile = profile_of(program);
    for (const json& kernel : profile["kernels"])
      for (const std::string what :
           {"clock", "globaltimer", "texture_layered", "texture_cube", "texture_gather", "barrier_red"})
        if (const double count = executed(kernel, what); count > 0)
          found[what][kernel["name"].get<std::string>().substr(before, 9)] += count;
  }
  using Kernels = std::map<std::string, double>;
  CHECK(found["barrier_red"] == Kernels{{"barrier_v", 3 * 4}});  // The fourth warp has returned.
  CHECK(found["texture_layered"] == Kernels{{"read_laye", 16 * 5}});
  CHECK(found["texture_cube"] == Kernels{{"read_cube", 16 * 6}});
  CHECK(found["texture_gather"] == Kernels{{"sobel(flo", 4 * 4 * 2}});
  CHECK(found["clock"].size() == 1);
  CHECK(found["clock"]["clocks_ad"] > 2);
  CHECK(found["globaltimer"] == Kernels{{"clocks_ad", 1}});
}

TEST_CASE("the profile says why descriptions of arrays and textures were refused") {
  const std::vector<std::string> found = profile_of("textures")["complaints"];
  for (const std::string reason :
       {"cudaMallocArray refuses a width of 0 elements; extent {0, 8, 0}, in elements",
        "cudaMallocArray refuses 1048576 elements, where the device's maximum_texture2d_width is 131072; extent "
        "{1048576, 8, 0}, in elements",
        "a copy would go beyond its array: that has 32 bytes in a row, 8 rows, 1 slices, the copy 32 bytes in a row, 1 "
        "rows, 1 slices from (4, 0, 0)",
        "cudaCreateTextureObject refuses cudaFilterModeLinear for a texture that gives integers",
        "cudaCreateTextureObject refuses a view that has not the array's width, height and depth"}) {
    CAPTURE(reason);
    CHECK(std::ranges::count(found, reason) == 1);
  }
}

TEST_CASE("reads of textures and accesses to surfaces are counted, by kernel and by line") {
  const json profile = profile_of("surfaces");
  unsigned found = 0;
  for (const json& kernel : profile["kernels"]) {
    const std::string name = kernel["name"];
    const json& metrics = kernel["metrics"];
    const auto is = [&](const char* part) { return name.find(part) != std::string::npos; };
    if (is("write_image")) {  // 32 warps store 16 by 2 elements of 4 bytes each, eight lanes at a time.
      ++found;
      CHECK(metrics["l1tex__t_requests_pipe_tex_mem_surface_op_st.sum"] == 128);
      CHECK(metrics["l1tex__t_sectors_pipe_tex_mem_surface_op_st.sum"] == 256);
      CHECK(metrics["smsp__inst_executed_op_surface_st.sum"] == 32);
      CHECK(metrics["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"] == 0);
    }
    if (is("turn")) {  // They read 2 by 16, four lanes at a time.
      ++found;
      CHECK(metrics["l1tex__t_sectors_pipe_tex_mem_texture.sum"] == 512);
      CHECK(metrics["l1tex__t_sectors_pipe_tex_mem_texture_lookup_hit.sum"] == 384);
      CHECK(metrics["smsp__inst_executed_op_texture.sum"] == 32);
      bool at_a_line = false;
      for (const json& line : kernel["lines"])
        for (const json& access : line["accesses"])
          at_a_line = at_a_line || (access["space"] == "texture" && access["op"] == "tex" && line["line"] > 0);
      CHECK(at_a_line);
    }
    if (is("step")) {  // 18 warps, nine loads and a store each.
      ++found;
      CHECK(metrics["l1tex__t_requests_pipe_tex_mem_surface_op_ld.sum"] == 18 * 9 * 4);
      CHECK(metrics["l1tex__t_requests_pipe_tex_mem_surface_op_st.sum"] == 18 * 4);
    }
    CHECK(kernel["time_us"] > 0);
  }
  CHECK(found == 2 + 12);
}

TEST_CASE("managed pages fault and move as on an H200, however they are accessed") {
  const json profile = profile_of("page_faults");
  json managed = json::array();
  for (const json& allocation : profile["allocations"])
    if (allocation["kind"] == "managed") managed.push_back(allocation["unified_memory"]);
  std::ifstream file(WARPBOOK_TEST_SOURCES "/h200_page_faults.csv");
  std::string line;
  REQUIRE(std::getline(file, line));
  std::size_t row = 0;
  for (; std::getline(file, line); ++row) {
    const auto cells = split(line);
    REQUIRE(cells.size() == 5);
    REQUIRE(row < managed.size());
    CAPTURE(cells[0]);
    // The number of groups in which an H200 services faults differs from run to run.
    CHECK((managed[row]["gpu_page_faults"] != 0) == (cells[1] == "1"));
    CHECK(managed[row]["cpu_page_faults"] == std::stoull(cells[2]));
    CHECK(managed[row]["htod_migration_bytes"] == std::stoull(cells[3]));
    CHECK(managed[row]["dtoh_migration_bytes"] == std::stoull(cells[4]));
  }
  CHECK(row == managed.size());
  CHECK(profile_text("page_faults", {{"WARPBOOK_THREADS", "1"}}) ==
        profile_text("page_faults", {{"WARPBOOK_THREADS", "3"}}));
}

TEST_CASE("every access rule is counted as an H200 counts it") {
  CHECK(check_counters("access_rules", "h200_access_rules.csv", 199, 192) > 4500);
}

// Nsight Compute counted on 2026-11-23 (driver 580.159, CUDA 13.0).
TEST_CASE("accesses to textures and surfaces are counted as Nsight Compute counts them on an H200") {
  CHECK(check_counters("texture_counters", "h200_texture_counters.csv", 407, 0) > 4000);
}

TEST_CASE("a profile is the same for any number of host threads and any instruction set") {
  for (const char* program : {"launches", "access_rules"}) {
    const std::string once = profile_text(program);
    REQUIRE(once.size() > 1000);
    CHECK(once == profile_text(program));
    CHECK(once == profile_text(program, {{"WARPBOOK_THREADS", "1"}}));
    CHECK(once == profile_text(program, {{"WARPBOOK_THREADS", "4"}}));
    CHECK(once == profile_text(program, {{"WARPBOOK_ISA", "baseline"}}));
  }
}

TEST_CASE("a profile separates an asynchronous copy's reads from its writes, and the spaces of generic accesses") {
  const json profile = profile_of("asynchronous_copies");
  REQUIRE(profile["kernels"].size() == 2);
  // One block of 64 threads: 2 requests, each of 32 sectors with 4 useful bytes, into a column of the tile.
  const json& copy = profile["kernels"][0];
  std::map<std::string, json> sides;
  for (const json& line : copy["lines"])
    for (const json& access : line["accesses"])
      if (access["op"] == "ldgsts") sides[access["space"]] = access;
  REQUIRE(sides.size() == 2);
  CHECK(sides["global"]["requests"] == 2);
  CHECK(sides["global"]["sectors"] == 64);
  CHECK(sides["global"]["sectors_ideal"] == 8);
  CHECK(sides["global"]["wavefronts"] == 0);
  CHECK(sides["shared"]["requests"] == 2);
  CHECK(sides["shared"]["sectors"] == 0);
  CHECK(sides["shared"]["wavefronts"] == 64);
  CHECK(sides["shared"]["conflicts"] == 62);
  for (const char* side : {"global", "shared"}) {
    CHECK(sides[side]["bytes_per_lane"] == 4);
    CHECK(sides[side]["bytes"] == 256);
  }
  const json& metrics = copy["metrics"];
  CHECK(metrics["sm__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts.sum"] == 2);
  CHECK(metrics["sm__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum"] == 64);
  // As in an H200's profiler (2026-11-23): these loads are global loads.
  CHECK(metrics["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] == 2);
  CHECK(metrics["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] == 64);
  CHECK(metrics["l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld.sum"] == 8);
  CHECK(metrics["sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum"] == 64);
  CHECK(metrics["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum"] == 56);
  CHECK(metrics["smsp__inst_executed_op_ldgsts.sum"] == 2);

  // Half of each warp stores to shared memory and half to global memory, by one instruction.
  double shared = 0, global = 0;
  for (const json& line : profile["kernels"][1]["lines"])
    for (const json& access : line["accesses"])
      if (access["op"] == "st") (access["space"] == "shared" ? shared : global) += access["bytes"].get<double>();
  CHECK(shared == 128);
  CHECK(global >= 128);
}

TEST_CASE("bulk copies are counted by line, and in none of the metrics of ordinary loads") {
  const json profile = profile_of("asynchronous_work");
  double requests = 0, sectors = 0, bytes = 0;
  for (const json& kernel : profile["kernels"]) {
    if (kernel["name"].get<std::string>().find("ring_buffer") == std::string::npos) continue;
    CHECK(kernel["metrics"]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] == 0);
    for (const json& line : kernel["lines"])
      for (const json& access : line["accesses"]) {
        if (access["op"] != "bulk_ld") continue;
        CHECK(access["space"] == "global");
        requests += access["requests"].get<double>();
        sectors += access["sectors"].get<double>();
        bytes += access["bytes"].get<double>();
      }
  }
  // Seven chunks of 1 KiB.
  CHECK(requests == 7);
  CHECK(bytes == 7 * 1024);
  CHECK(sectors == 7 * 32);
}

TEST_CASE("copies and memsets by kernels are recorded as those of the host") {
  int copies = 0, fills = 0;
  const json profile = profile_of("device_copies");
  for (const json& copy : profile["copies"]) {
    if (copy["time_us"] != 0) continue;  // The host's.
    copies += copy["kind"] == "device_to_device" ? 1 : 0;
    fills += copy["kind"] == "memset" ? 1 : 0;
  }
  CHECK(copies == 7);
  CHECK(fills == 4);
}

TEST_CASE("a kernel's record has what was launched and where its counts come from") {
  const json profile = profile_of("launches");
  CHECK(profile["format"] == "warpbook.profile");
  CHECK(profile["version"] == 1);
  CHECK(profile["device"] == "h200");
  REQUIRE(profile["kernels"].size() == 9);
  const json& first = profile["kernels"][0];
  CHECK(first["name"] == "fill(int *, int, int)");
  CHECK(first["mangled"] == "_Z4fillPiii");
  CHECK(first["grid"] == json::array({4, 1, 1}));
  CHECK(first["block"] == json::array({256, 1, 1}));
  CHECK(first["registers_source"] == "cubin");
  CHECK(first["stream"] == 0);
  CHECK(first["time_us"].get<double>() > 0);
  CHECK(first["metrics"]["l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"].get<double>() > 3.8);

  // The counters of the lines add up to those of the kernel.
  double executed = 0;
  std::size_t stores = 0;
  for (const json& line : first["lines"]) {
    executed += line["inst_executed"].get<double>();
    for (const json& access : line["accesses"]) {
      CHECK(access["op"] == "st");
      CHECK(access["space"] == "global");
      CHECK(access["bytes_per_lane"] == 4);
      CHECK(access["stride"] == 4);
      CHECK(line["file"].get<std::string>().find("launches.cu") != std::string::npos);
      stores += access["requests"].get<std::size_t>();
    }
  }
  CHECK(executed == first["metrics"]["smsp__inst_executed.sum"].get<double>());
  CHECK(stores == 32);

  REQUIRE(profile["copies"].size() == 7);
  CHECK(profile["copies"][0]["kind"] == "device_to_host");
  CHECK(profile["copies"][0]["bytes"] == 4000);
  CHECK(profile["copies"][1]["kind"] == "host_to_device");
  REQUIRE(profile["allocations"].size() == 2);
  CHECK(profile["allocations"][0]["kind"] == "device");
  CHECK(profile["allocations"][0]["freed"] == false);
  CHECK(profile["timeline"].size() == profile["kernels"].size() + profile["copies"].size());
  CHECK(profile["errors"].empty());
}

TEST_CASE("registers are estimated where there is no machine code for the device") {
  const json profile = profile_of("launches_compute_100");
  CHECK(profile["kernels"][0]["registers_source"] == "estimated");
  CHECK(profile["kernels"][0]["registers"].get<int>() > 0);
}

TEST_CASE("a fault is in the profile with its place") {
  const json profile = profile_of("faults", {"out_of_bounds"});
  REQUIRE(profile["errors"].size() == 1);
  const json& error = profile["errors"][0];
  CHECK(error["code"] == 700);
  CHECK(error["name"] == "cudaErrorIllegalAddress");
  CHECK(error["kind"] == "out_of_bounds");
  CHECK(error["kernel"] == "store(int *, long long)");
  CHECK(error["block"] == json::array({0, 0, 0}));
  CHECK(error["thread"] == json::array({0, 0, 0}));
  CHECK(error["bytes"] == 4);
  CHECK(error["write"] == true);
  CHECK(error["line"] == 9);
  CHECK(error["instruction"] == "st.global.u32");
  CHECK(error["file"].get<std::string>().find("faults.cu") != std::string::npos);
  CHECK(error["nearest_allocation"].get<std::string>().find("2nd cudaMalloc") != std::string::npos);
}

TEST_CASE("a profile is written when the host dereferences a device pointer") {
  const json profile = profile_of("faults", {"host_dereference"});
  CHECK(profile["allocations"].size() == 2);
}

TEST_CASE("a profile goes to a file descriptor") {
  const Outcome outcome = run_program("unsupported", {}, {{"WARPBOOK_PROFILE", "fd:1"}});
  CHECK(outcome.output.find("warpbook.profile") == std::string::npos);  // it never touched the device
  const Outcome used = run_program("faults", {}, {{"WARPBOOK_PROFILE", "fd:1"}});
  CHECK(used.output.find("\"format\":\"warpbook.profile\"") != std::string::npos);  // For a program: without spaces.
}

TEST_CASE("a profile that cannot be written is an error with the path") {
  const Outcome outcome = run_program("faults", {}, {{"WARPBOOK_PROFILE", "/nonexistent/profile.json"}});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.errors.find("/nonexistent/profile.json") != std::string::npos);
}

TEST_CASE("a grid that a kernel launched is recorded with its parent, its depth and the line that launched it") {
  const json profile = profile_of("device_launches", {"race"});
  REQUIRE(profile["kernels"].size() == 2);
  const json& parent = profile["kernels"][0];
  const json& child = profile["kernels"][1];
  CHECK(parent["name"].get<std::string>().find("write_after_launch(int *)") != std::string::npos);
  CHECK_FALSE(parent.contains("parent"));
  CHECK_FALSE(child.contains("complete_us"));
  CHECK(child["parent"] == 0);
  CHECK(child["depth"] == 1);
  CHECK(child["queue"] == "block");
  CHECK(child["launched_by"]["file"].get<std::string>().find("device_launches.cu") != std::string::npos);
  std::ifstream source(WARPBOOK_TEST_SOURCES "/device_launches.cu");
  std::string line;
  for (int i = 0; i < child["launched_by"]["line"].get<int>(); ++i) std::getline(source, line);
  CHECK(line.find("see<<<1, 1>>>(data);") != std::string::npos);
  CHECK(child["start_us"].get<double>() > parent["start_us"].get<double>());
  CHECK(parent["complete_us"].get<double>() > child["start_us"].get<double>() + child["time_us"].get<double>());
}

TEST_CASE("launches by kernels take about as long as on an H200") {
  // Microseconds between two events around the parent (driver 580.159, CUDA 13.0, 2026-11-21), the best of five, minus
  // 5.7 for a kernel that launches nothing: 256 launches of an empty kernel by one thread, one block, 256 blocks.
  const double measured[9] = {1572, 807, 106, 1449, 147, 77, 2479, 884, 730};
  const json profile = profile_of("device_launches", {"times"});
  std::vector<double> predicted;
  for (const json& kernel : profile["kernels"]) {
    if (kernel.contains("parent")) continue;
    predicted.push_back(kernel["complete_us"].get<double>() - kernel["start_us"].get<double>());
  }
  REQUIRE(predicted.size() == 9);
  for (std::size_t i = 0; i < 9; ++i) {
    CAPTURE(i);
    CHECK(predicted[i] < 1.35 * measured[i]);
    CHECK(predicted[i] > measured[i] / 1.35);
  }
}

TEST_CASE("a profile of kernels that launch kernels is the same for any number of host threads") {
  const std::string one = profile_text("device_launches", {{"WARPBOOK_THREADS", "1"}}, {"times"});
  CHECK(one == profile_text("device_launches", {{"WARPBOOK_THREADS", "3"}}, {"times"}));
}

TEST_CASE("refused launches are recorded with the limit that they exceed") {
  const json profile = profile_of("answers");
  const json& refused = profile.at("refused_launches");
  REQUIRE(refused.size() == 5);
  const auto limit = [&](std::size_t i) { return refused[i].at("limit"); };
  CHECK(refused[0].at("kernel") == "bounded(int *)");
  CHECK(refused[0].at("block") == json{129, 1, 1});
  CHECK(refused[0].at("error") == "cudaErrorInvalidValue");
  CHECK(limit(0) == json{{"what", "threads in a block"}, {"found", 129}, {"allowed", 128}, {"at_most", true}});
  CHECK(limit(1) == json{{"what", "blocks of the grid in x"}, {"found", 0}, {"allowed", 1}, {"at_most", false}});
  CHECK(limit(3).at("what") == "bytes of shared memory in a block");
  CHECK(refused[4].at("error") == "cudaErrorCooperativeLaunchTooLarge");
  CHECK(limit(4).at("allowed") == 4224);
  CHECK(profile_of("symbols").at("refused_launches").empty());
}
