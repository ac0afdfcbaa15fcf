// Requirements on how an answer did its work: what its profile must show, however right the result is.
#include "grader/runner/requirements.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "grader/judge/counted.h"
#include "grader/judge/expected_fault.h"
#include "grader/runner/lab_context.h"
#include "grader/runner/lab_test.h"

namespace warpbook::grader {

namespace {

bool on_gpu(const Answer& answer) { return answer.profile.text.empty(); }

/// What an answer did, by the virtual GPU's counters.
class Deeds {
 public:
  explicit Deeds(const Answer& answer) : counted_(lab_of_tests(), answer) {}

  const Answer& counted() const { return *counted_; }
  double metric(const std::string& name) const { return Counted(counted_->profile, "").metric(name); }
  /// How often warps executed what the simulator's own metrics count.
  double executed(const std::string& what) const { return metric("warpbook__inst_executed_op_" + what + ".sum"); }
  double bytes(const std::string& space, const std::string& op) const {
    double sum = 0;
    for_each_access([&](int, const AccessCounters& access) {
      if (access.space == space && access.op == op) sum += access.bytes;
    });
    return sum;
  }
  /// Visits what each line of the program accessed.
  template <class Visit>
  void for_each_access(Visit visit) const {
    for (const KernelRecord& kernel : counted_->profile.kernels)
      for (const LineCounters& line : kernel.lines)
        for (const AccessCounters& access : line.accesses) visit(line.line, access);
  }

 private:
  CountedAnswer counted_;
};

}  // namespace

void require_default_stream(const Answer& answer) {
  const auto require = [](const std::string& what, int stream) {
    if (stream == 0) return;
    Finding finding =
        finding_of(FindingKind::wrong_stream,
                   what + " ran in stream " + std::to_string(stream) + " of the program (0 is the default stream).",
                   "The contract names the default stream: whoever calls the function puts work before and after it "
                   "there, and relies on the order.");
    finding.evidence = {{"stream", static_cast<double>(stream), ""}};
    fail(lab_of_tests(), finding);
  };
  for (const KernelRecord& kernel : answer.profile.kernels)
    if (!kernel.parent) require("The kernel " + short_name(kernel.name), kernel.stream);
  for (const CopyRecord& copy : answer.profile.copies) require("A copy or fill (" + copy.kind + ")", copy.stream);
}

void require_grid(const Answer& answer, const std::string& kernel, std::size_t blocks, std::size_t threads,
                  std::size_t least) {
  if (on_gpu(answer)) return;  // The case has run on the virtual GPU.
  std::size_t launches = 0;
  for (const KernelRecord& found : answer.profile.kernels) {
    const std::string name = short_name(found.name);
    if (found.parent || (name != kernel && !name.ends_with("::" + kernel))) continue;
    ++launches;
    const auto size = [](const std::array<int, 3>& of) { return std::size_t(of[0]) * of[1] * of[2]; };
    if (size(found.grid) != blocks || size(found.block) != threads)
      WB_FAIL("grid", "The kernel " << kernel << " was launched with " << size(found.grid) << " blocks of "
                                    << size(found.block) << " threads. Its grid is given: " << blocks << " of "
                                    << threads << ".");
  }
  if (launches < least)
    WB_FAIL("grid", "The kernel " << kernel << " was launched " << launches << " times, not " << least
                                  << ": the work is to be done by it.");
}

void require_no_reductions(const Answer& answer, const std::string& reason) {
  Deeds(answer).for_each_access([&](int line, const AccessCounters& access) {
    if (access.op == "red")
      WB_FAIL("reduction", "Line " << line << " changes a word by an atomic of CUDA's own. " << reason);
  });
}

void require_no_loads_into_registers(const Answer& answer) {
  Deeds(answer).for_each_access([](int line, const AccessCounters& access) {
    if (access.op == "ld" && access.space == "global")
      WB_FAIL("loads_into_registers",
              "Line " << line << " loads elements from global memory into registers. They go to shared memory by "
                      << "asynchronous copies, and are read there.");
  });
}

void require_tensor_cores(const Answer& answer, std::size_t products) {
  const double found = Deeds(answer).metric("sm__inst_executed_pipe_tensor.sum");
  if (found < static_cast<double>(products))
    WB_FAIL("tensor_cores",
            "Tensor cores made " << found << " of " << products << " products: they must make all of them.");
}

void require_host_meanwhile(const Answer& answer) {
  bool meanwhile = on_gpu(answer) || answer.given.has(kScheduleSeed);
  for (const MigrationRecord& page : answer.profile.migrations)
    for (const KernelRecord& kernel : answer.profile.kernels)
      meanwhile |= page.cause == "cpu_page_faults" && page.start_us < kernel.start_us + kernel.time_us;
  if (!meanwhile) WB_FAIL("host_waits", "The host did its part before a kernel began, or after it had ended.");
}

void require_order_with_host(const Answer& answer) {
  const Deeds deeds(answer);
  const double fences = deeds.executed("fence_sys"), acquires = deeds.executed("acquire_sys"),
               releases = deeds.executed("release_sys");
  const bool stores = deeds.executed("store_sys") > 0;
  if (!stores || deeds.executed("load_sys") == 0)
    WB_FAIL("plain_flag", (stores ? "The kernel reads the host's flag" : "The kernel sets its flag for the host")
                              << " as if it were for the device alone. For the host, only an access of system scope is "
                              << "one step: by cuda::atomic_ref<int, cuda::thread_scope_system>, by an atomic whose "
                              << "name ends in _system, or by a volatile pointer.");
  if (fences + std::min(acquires, 1.0) + std::min(releases, 1.0) >= 2) return;
  WB_FAIL("order_with_host",
          (fences + releases == 0
               ? "The kernel sets its flag, but does not release what it wrote before: the host may see the flag "
                 "first, and an old message."
               : "The kernel sees the host's flag, but does not acquire: it may read an old message.")
              << "\n  Executed at the scope of the system: " << fences << " fences, " << acquires << " acquires, "
              << releases << " releases. A flag is stored by memory_order_release and loaded by memory_order_acquire; "
              << "or __threadfence_system() comes before the one and after the other. volatile and relaxed order "
              << "nothing.");
}

void require_arrivals(const Answer& answer, double most, double without_wait) {
  const Deeds deeds(answer);
  require_at_most(deeds.counted(), Quantity::barriers_per_warp, 1,
                  "__syncthreads() is for init() alone: arrive and wait.");
  const double arrivals = deeds.executed("mbarrier_arrive"), waits = deeds.executed("mbarrier_wait");
  if (arrivals == 0) WB_FAIL("no_arrivals", "No thread arrives at a cuda::barrier: threads meet in another way.");
  if (arrivals > most)
    WB_FAIL("too_many_arrivals", "Warps arrive " << arrivals << " times at barriers in shared memory; " << most
                                                 << " are enough: who takes no part any more does not arrive.");
  if (arrivals - waits < without_wait)
    WB_FAIL("waits_at_once", "Warps arrive " << arrivals << " times at barriers in shared memory, and wait there "
                                             << waits << " times. At least " << without_wait
                                             << " arrivals are to be followed by no wait: arrive() tells the others "
                                             << "that they may go on, and the thread itself goes on at once.");
}

void require_pipeline(const Answer& answer, double fills) {
  const Deeds deeds(answer);
  require_at_most(
      deeds.counted(), Quantity::barriers_per_warp, 4,
      "Three are make_pipeline()'s; one more does no harm. Warps that copy and warps that work meet in the pipeline "
      "alone.");
  if (const double found = deeds.executed("mbarrier_arrive"); found < fills)
    WB_FAIL("no_pipeline", "Tiles handed over by the pipeline: "
                               << found << " of " << fills
                               << ". One warp copies and ends each tile by producer_commit(), the other works and ends "
                                  "it by consumer_release(); the pipeline is all that they wait in.");
}

void require_telling_barriers(const Answer& answer, double least) {
  const Deeds deeds(answer);
  deeds.for_each_access([](int line, const AccessCounters& access) {
    if (access.op == "atom" || access.op == "red")
      WB_FAIL("atomic", "Line " << line << " executes an atomic. __syncthreads_count(p), __syncthreads_and(p) and "
                                << "__syncthreads_or(p) tell all threads without one.");
  });
  const double found = deeds.executed("barrier_red");
  if (found < least)
    WB_FAIL("barriers_tell_nothing", "All warps together come "
                                         << found << " times to a barrier that tells what others found; " << least
                                         << " is the least. __syncthreads_count(p), __syncthreads_and(p) and "
                                         << "__syncthreads_or(p) tell it to all threads, without flags and votes.");
}

void require_clock(const Answer& answer, std::size_t least) {
  const Deeds deeds(answer);
  if (const double found = deeds.executed("globaltimer"); found > 0)
    WB_FAIL("global_timer", "Warps look " << found << " times at %globaltimer, which counts nanoseconds for the whole "
                                          << "device. Cycles are those of the multiprocessor's own clock: clock64().");
  if (const double found = deeds.executed("clock"); found < static_cast<double>(least))
    WB_FAIL("no_clock", "Warps look " << found << " times at clock64(); it should be at least " << least
                                      << ". Cycles are those of the multiprocessor's own clock.");
}

void require_swaps(const Answer& answer, double least) {
  if (const double found = Deeds(answer).executed("cas"); found < least)
    WB_FAIL("no_swaps", "Warps execute " << found << " atomicCAS(); at least " << least << " are to make the changes.");
}

namespace {

/// @param what of the simulator's own metrics @param topic of the finding
void require_texture(const Answer& answer, std::size_t points, const std::string& what, const std::string& topic,
                     const std::string& why) {
  const double least = std::ceil(static_cast<double>(points) / 32), found = Deeds(answer).executed("texture_" + what);
  if (found < least)
    WB_FAIL(topic,
            "Warps read " << found << " times from a " << what << " texture; " << least << " is the least. " << why);
}

}  // namespace

void require_layers(const Answer& answer, std::size_t points) {
  require_texture(answer, points, "layered", "no_layers",
                  "tex2DLayered() reads one of several images by its number; their array is made with "
                  "cudaArrayLayered.");
}

void require_cubes(const Answer& answer, std::size_t directions) {
  require_texture(answer, directions, "cube", "no_cube",
                  "texCubemap() reads by a direction, and finds the face and the point on it; its array is made with "
                  "cudaArrayCubemap.");
}

void require_filtered(const Answer& answer, std::size_t points) {
  const Deeds deeds(answer);
  // Threads without a point may read, too. Each read counts with the bytes of one texel.
  const double reads = deeds.bytes("texture", "tex") / sizeof(float), most = 2.0 * static_cast<double>(points) + 1024;
  if (reads > most)
    WB_FAIL("not_filtered", "Threads read " << reads << " times from textures for " << points
                                            << " points. One read of a texture that filters gives what lies between "
                                            << "its texels.");
  if (const double gathers = deeds.executed("texture_gather"); gathers > 0)
    WB_FAIL("gathers", "Warps gather four texels " << gathers << " times, to mix them. One read of a texture that "
                                                   << "filters gives what lies between its texels.");
}

void require_on_stack(const Answer& answer, double least) {
  const double found = Deeds(answer).bytes("local", "st");
  if (found < least)
    WB_FAIL("not_on_stack",
            "Threads store " << found << " bytes to their stacks; it should be at least " << least << ".");
}

namespace {

/// Where a thread first leaves an array; nothing if none does.
std::optional<FaultRecord> first_fault(const Answer& answer) {
  const std::vector<FaultRecord>& faults = answer.profile.errors;
  return faults.empty() || faults[0].thread.empty() ? std::nullopt : std::optional(faults[0]);
}

}  // namespace

void require_used_by_warp(const std::string& function, std::vector<Argument> arguments, const std::string& array,
                          int warp) {
  const auto cut = std::find_if(arguments.begin(), arguments.end(), [&](const Argument& a) { return a.name == array; });
  for (const std::size_t left : {63, 31}) {
    cut->value.bytes.resize(cut->value.bytes.size() / cut->count * left);
    cut->count = left;
    const Answer answer = grade(call(function, arguments).set(kExpectedFault, "out_of_bounds"));
    if (on_gpu(answer)) return;
    const std::optional<FaultRecord> fault = first_fault(answer);
    if (!fault) WB_FAIL("no_warp", "Nobody uses all of '" << array << "'; that is for warp " << warp << " to do.");
    if (const int thread = fault->thread[0]; thread / 32 != warp)
      WB_FAIL("other_warp", "Line " << fault->line << ": thread " << thread << ", of warp " << thread / 32
                                    << (fault->write ? ", writes to '" : ", reads '") << array << "'; that is for warp "
                                    << warp << " alone to do.");
  }
}

void require_reads_ahead(const std::string& function, const std::vector<Argument>& arguments, const std::string& read,
                         const std::string& written) {
  const Answer answer = grade(call(function, arguments).set(kExpectedFault, "out_of_bounds"));
  if (on_gpu(answer)) return;
  const std::optional<FaultRecord> fault = first_fault(answer);
  if (!fault) WB_FAIL("not_all", "Nobody uses all of '" << read << "' and '" << written << "'.");
  const auto left = [&](const std::string& array) {
    return std::ranges::find(arguments, array, &Argument::name)->count;
  };
  if (fault->write)
    WB_FAIL("not_ahead", "Line " << fault->line << " writes element " << left(written) << " of '" << written
                                 << "' before element " << left(read) << " of '" << read
                                 << "' is read: that is to be on its way by then.");
}

void require_done(const Answer& answer) {
  if (on_gpu(answer) || answer.observed_us(kLeft) <= 0) return;
  WB_FAIL("returned_early", "The function returned while the device still had work for "
                                << number_text(answer.observed_us(kLeft)) << " us: it must wait for all of it.");
}

void require_pause(const Answer& answer, double least_us, double most_us, const std::string& reason) {
  const auto& kernels = answer.profile.kernels;
  if (on_gpu(answer) || kernels.size() != 2) return;
  const double pause = kernels[1].start_us - (kernels[0].start_us + kernels[0].time_us);
  if (pause < least_us || pause > most_us)
    WB_FAIL("pause", "The second kernel started " << number_text(pause) << " us after the first had ended. " << reason);
}

}  // namespace warpbook::grader
