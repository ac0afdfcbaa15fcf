// The time model itself: the time that each resource needs, and how these times are combined.
#include "common/simulator/model/time_model.h"

#include <algorithm>
#include <cmath>

#include "common/simulator/model/powers.h"
#include "common/simulator/model/swap_loops.h"
#include "common/simulator/model/work_totals.h"

namespace warpbook::simulator {
namespace {

using ptx::Pipe;

double power_sum(double a, double b, double exponent) {
  return power_everywhere(power_everywhere(a, exponent) + power_everywhere(b, exponent), 1 / exponent);
}

class Model {
 public:
  Model(const Device& device, const WorkTotals& totals)
      : model_(device.model),
        totals_(totals),
        multiprocessors_(device.multiprocessors),
        cycles_per_us_(device.clock_mhz()) {
    const double per_multiprocessor = std::ceil(totals.blocks / multiprocessors_);
    resident_ = std::clamp<double>(totals.occupancy.blocks, 1, std::max(1.0, per_multiprocessor));
    const double by_number = totals.blocks > 0 ? per_multiprocessor / totals.blocks : 0;
    busiest_ = std::max(by_number, totals.busiest_share);
    // Blocks that do not fit at first start as others end. Over many rounds the last one is partly filled.
    rounds_ = per_multiprocessor / resident_;
    rounds_ = rounds_ <= kFewRounds ? std::ceil(rounds_) : rounds_ + 0.5;
  }

  KernelTime run() {
    KernelTime time;
    time.occupancy = totals_.occupancy;
    const double slots = static_cast<double>(multiprocessors_) * totals_.occupancy.blocks;
    time.waves = slots > 0 ? totals_.blocks / slots : 0;
    time.device_share = std::min(1.0, time.waves);
    time.grid_barriers = totals_.grid_barriers;
    time.dram_read_bytes = totals_.dram_read_bytes;
    time.dram_write_bytes = totals_.dram_write_bytes;
    time.l2_read_bytes = totals_.l2_read_sectors * 32;
    time.l2_write_bytes = (totals_.l2_write_sectors + totals_.local_write_sectors + totals_.l2_partial_sectors) * 32;

    time.components = {
        {"issue", on_multiprocessor(totals_.instructions + further_slots(), model_.issue_per_cycle)},
        {"alu", on_pipe(Pipe::alu)},
        {"fma", std::max(on_pipe(Pipe::fmaheavy), on_fma())},
        {"fp16", on_pipe(Pipe::fp16)},
        {"fp64", on_pipe(Pipe::fp64)},
        {"xu", on_pipe(Pipe::xu)},
        {"tensor", on_pipe(Pipe::tensor)},
        {"barrier", on_pipe(Pipe::barrier)},
        {"lsu", on_multiprocessor(totals_.lsu_wavefronts, model_.lsu_wavefronts_per_cycle)},
        {"constant", constant()},
        {"texture", on_multiprocessor(totals_.texture_quads, model_.texture_quads_per_cycle)},
        {"cluster", on_multiprocessor(totals_.cluster_wavefronts, totals_.cluster_blocks == 2
                                                                      ? model_.cluster_pair_wavefronts_per_cycle
                                                                      : model_.cluster_wavefronts_per_cycle)},
        {"l1", on_multiprocessor(totals_.l2_read_sectors * 32, model_.l1_fill_bytes_per_cycle)},
        {"l2", l2()},
        {"dram", dram()},
        {"atomics", atomics()},
        {"heap", heap()},
        {"blocks", blocks()},
        {"latency", latency()},
        {"launch", launch()},
        {"grid_sync", grid_sync()},
        {"waits", waits()},
    };
    combine(time);
    return time;
  }

 private:
  static constexpr double kFewRounds = 4;
  static constexpr double kWritesInBetween = 0.8;  ///< From validation/families streams copy_8 to copy_64.
  /// Shares of each KiB that is read: load_32, which is as fast as a dense load, and load_64 of validation/families
  /// strides.
  static constexpr double kDense = 0.5, kSparse = 0.25, kSparsest = 0.0625;
  static constexpr double kConstantLine = 256;  ///< Bytes of a line of the second constant cache.
  static constexpr double kUnevenPieces = 2.1;  ///< The fullest slice is this many standard deviations above the mean
                                                ///< (same source).

  /// Work that is distributed over the SMs like the blocks: the busiest SM determines the time.
  double on_multiprocessor(double work, double per_cycle) const { return work * busiest_ / per_cycle / cycles_per_us_; }

  /// Issue slots that instructions take beyond the first.
  double further_slots() const {
    return (model_.fp64_issue_slots - 1) * totals_.pipes[static_cast<std::size_t>(Pipe::fp64)];
  }

  double on_pipe(Pipe pipe) const {
    const auto index = static_cast<std::size_t>(pipe);
    return on_multiprocessor(totals_.pipes[index] * 32, model_.pipe_threads_per_cycle[index]);
  }

  /// Integer multiply-adds run on the heavy half of the FMA pipe and use their share of the whole pipe.
  double on_fma() const {
    const double work =
        totals_.pipes[static_cast<std::size_t>(Pipe::fma)] + totals_.pipes[static_cast<std::size_t>(Pipe::fmaheavy)];
    return on_multiprocessor(work * 32, model_.pipe_threads_per_cycle[static_cast<std::size_t>(Pipe::fma)]);
  }

  /// Lines that an SM has not read before come from L2, one line of the second-level constant cache after the other.
  double constant() const {
    if (totals_.constant_passes == 0) return 0;
    const double lines = totals_.constant_bytes / kConstantLine;
    return on_multiprocessor(totals_.constant_passes, model_.constant_passes_per_cycle) +
           on_multiprocessor(totals_.constant_misses, 1) + lines * model_.constant_fetch_cycles / cycles_per_us_;
  }

  /// The L1 writes through. Local memory comes line by line, again and again the same lines.
  double l2_writes() const {
    return totals_.l2_write_sectors / model_.l2_write_sectors_per_us +
           totals_.l2_partial_lines / model_.l2_partial_write_lines_per_us +
           totals_.local_write_sectors / model_.l2_local_sectors_per_us +
           totals_.local_partial_lines / model_.l2_local_partial_lines_per_us;
  }

  /// A slice looks up one line per cycle, and returns two of its sectors.
  double l2() const {
    return std::max({totals_.l2_read_sectors * 32 / model_.l2_read_bytes_per_us,
                     totals_.l2_read_lines / model_.l2_lines_per_us, l2_writes()});
  }

  /// If lanes have scattered addresses, or addresses far apart, DRAM opens a row for few bytes. Writes are interleaved
  /// with reads from there.
  double dram() const {
    const double apart = std::clamp((kDense - totals_.dram_density) / (kDense - kSparse), 0.0, 1.0);
    const double few = std::max(totals_.irregular_share, apart);
    const double sparse = std::clamp((kSparse - totals_.dram_density) / (kSparse - kSparsest), 0.0, 1.0);
    const double reached = model_.dram_random_share + sparse * (model_.dram_sparse_share - model_.dram_random_share);
    const double rate = model_.dram_bytes_per_us * (1 - few * (1 - reached));
    const double written = totals_.dram_write_bytes / model_.dram_bytes_per_us;
    const double scattered = totals_.scattered_bytes / (model_.dram_bytes_per_us * model_.dram_random_share);
    if (totals_.dram_read_bytes == 0) return written + scattered;
    const double in_between = kWritesInBetween * totals_.cold_share * l2_writes();
    const double read = totals_.dram_read_bytes / rate;
    return read + std::max(written, in_between) + scattered + totals_.irregular_share * found_again(read);
  }

  /// Scattered lanes first find little of their part of memory in L2, and DRAM limits them; the more of it has
  /// been read, the fewer miss, until L2 limits them. @param read time of DRAM alone
  /// @returns the time that DRAM does not explain
  double found_again(double read) const {
    const double reads = totals_.l2_read_sectors, first = totals_.dram_read_bytes / model_.dram_granule_bytes;
    if (first == 0 || first >= reads) return 0;
    const double of_l2 =
        std::max(reads * 32 / model_.l2_read_bytes_per_us, totals_.l2_read_lines / model_.l2_lines_per_us);
    const double there = first / totals_.dram_density;  // Pairs in that part of memory.
    const double slower = (first / read) / (reads / of_l2);
    if (slower >= 1) return 0;
    constexpr double kLn2 = 0.69314718055994530942;
    const double missing = -there * kLn2 * log2_everywhere(slower);  // Reads while DRAM limits them.
    if (missing >= reads) return 0;
    return std::max(0.0, there * (read / first) * (1 - slower) + (reads - missing) * (of_l2 / reads) - read);
  }

  /// Code that has not run before is fetched from memory; the longer it is, the more of it was prefetched in time.
  double launch() const {
    return model_.kernel_overhead_us +
           model_.code_fetch_us * (1 - exp_everywhere(-totals_.code / model_.code_fetch_instructions));
  }

  /// An L2 slice makes one pass over a sector after the other. Memory is distributed over the slices in pieces, so that
  /// few pieces keep few slices busy, and the slice with most of them determines the time.
  double atomics() const {
    if (totals_.atomic_passes == 0) return 0;
    const double spread = totals_.atomic_pairs * totals_.atomic_pairs / std::max(1.0, totals_.atomic_sectors);
    const double pieces = std::max(1.0, 2 * spread * 64 / model_.atomic_slice_bytes);
    const double mean = pieces / model_.atomic_slices;
    const double most = std::max(1.0, mean + kUnevenPieces * std::sqrt(mean));
    const double slices = std::clamp(pieces / most, 1.0, model_.atomic_slices);
    const double shared = (totals_.atomic_passes - totals_.atomic_visits) / model_.atomic_operations_per_us +
                          (totals_.atomic_visits + totals_.atomic_wide_visits) / model_.atomic_sectors_per_us;
    // Floating-point atomics on one address follow each other more slowly than a slice could process those of several.
    const double one_address =
        totals_.atomic_float_passes / totals_.atomic_sectors / model_.atomic_float_operations_per_us;
    // A compare-and-swap needs the value that the last successful one has stored.
    return std::max({with_extremes(shared / slices), one_address, totals_.swap_cycles / cycles_per_us_}) +
           on_multiprocessor(totals_.atomic_returned_bytes, model_.atomic_return_bytes_per_cycle);
  }

  /// Swaps of extreme values: in the first rounds there are more tries than the slice can serve in the latency of one;
  /// it takes half of all of its time to serve the first. In the last rounds few warps are left, and wait.
  double with_extremes(double served) const {
    if (totals_.extreme_warps == 0) return served;
    const double round = totals_.extreme_cycles / cycles_per_us_;
    const double left = std::min(1.0, round / std::max(round, served / 2));
    return served * (1 - left) +
           round * (attempts_at_extreme(left * totals_.extreme_warps).rounds + totals_.extreme_turns);
  }

  /// The lanes of a warp follow each other; calls of different warps overlap, as far as the allocator lets them.
  double heap() const {
    if (totals_.heap_calls == 0) return 0;
    const double further = totals_.heap_calls - totals_.heap_warp_calls;
    const double of_warp =
        (totals_.heap_warp_calls * model_.heap_call_us + further * model_.heap_lane_us) / std::max(1.0, totals_.warps);
    // More warps are busy at more places of the allocator at a time. Large pieces use up what it prepares at a time.
    const bool large = totals_.heap_bytes > model_.heap_small_bytes;
    const double resident = std::min(totals_.warps, resident_ * totals_.warps_per_block * multiprocessors_);
    const double by_lanes =
        large ? model_.heap_large_calls_per_us
              : model_.heap_calls_per_us * power_everywhere(resident / multiprocessors_, model_.heap_warps_exponent);
    const double by_warps = large ? model_.heap_large_warp_calls_per_us : model_.heap_warp_calls_per_us;
    return std::max({of_warp, totals_.heap_warp_calls / by_warps, totals_.heap_calls / by_lanes});
  }

  double blocks() const {
    return std::max(totals_.blocks / model_.blocks_per_us,
                    totals_.blocks * totals_.warps_per_block * busiest_ * model_.warp_start_cycles / cycles_per_us_);
  }

  /// Each block slot of an SM runs `rounds_` blocks one after the other.
  double latency() const {
    const double turn = model_.block_turn_cycles + model_.warp_turn_cycles * totals_.warps_per_block;
    // The longest warp of all may be in the last round.
    return ((rounds_ - 1) * (totals_.block_cycles + turn) + totals_.longest_cycles) / cycles_per_us_;
  }

  /// Every block increments one word in turn; the last increment has to get there and back.
  double grid_sync() const {
    return totals_.grid_barriers * std::max(model_.grid_sync_us, totals_.blocks / model_.grid_sync_blocks_per_us);
  }

  /// Blocks in a chain continue one after the other. Blocks that look back all start at once and go back, one poll at a
  /// time, until they find a block that knows the sum of all blocks before it. After k polls, the number of blocks that
  /// know it has grown by the number of steps, each poll later: k^2 / 2 in total.
  double waits() const {
    double cycles = totals_.chain_cycles;
    if (totals_.look_back > 0) {
      const double steps = std::min(totals_.blocks, resident_ * multiprocessors_) / totals_.look_back;
      cycles = std::max(cycles, std::sqrt(2 * steps) * model_.hand_over_latency);
    }
    return cycles / cycles_per_us_;
  }

  /// What is left of a component if the part of it that the latency contains is taken out.
  double beside_latency(const std::string& name, double us) const {
    double cycles = 0;
    if (name == "alu" || name == "fma" || name == "fp16" || name == "fp64" || name == "xu") {
      // Instructions that are issued meanwhile keep their pipes busy meanwhile.
      const double issue = on_multiprocessor(totals_.instructions + further_slots(), model_.issue_per_cycle);
      const double share = issue > 0 ? std::min(1.0, rounds_ * totals_.at_issue / cycles_per_us_ / issue) : 0;
      return us * std::sqrt(1 - share * share);
    }
    if (name == "issue") cycles = totals_.at_issue;
    if (name == "lsu") cycles = totals_.at_lsu;
    if (name == "barrier") cycles = totals_.at_barrier;
    if (cycles == 0) return us;
    const double contained = std::min(us, rounds_ * cycles / cycles_per_us_);
    return std::sqrt(us * us - contained * contained);
  }

  void combine(KernelTime& time) const {
    double throughput = 0, slowest = -1, issued = 0;
    for (const auto& [name, us] : time.components) {
      if (us > slowest) {
        slowest = us;
        time.limiter = name;
      }
      // Warps take turns at the schedulers and the load-store unit, which comes after "issue" in the list.
      if (name == "issue") {
        issued = beside_latency(name, us);
      } else if (name == "lsu") {
        throughput += power_everywhere(power_sum(issued, beside_latency(name, us), model_.overlap_exponent),
                                       model_.throughput_exponent);
      } else if (name != "latency" && name != "launch" && name != "grid_sync" && name != "waits" && name != "blocks")
        throughput += power_everywhere(beside_latency(name, us), model_.throughput_exponent);
    }
    throughput = power_everywhere(throughput, 1 / model_.throughput_exponent);
    // Blocks start while others run.
    const double rounds = power_sum(latency(), blocks(), model_.throughput_exponent);
    time.us = launch() + grid_sync() + waits() + power_sum(throughput, rounds, model_.overlap_exponent);
  }

  const ModelConstants& model_;
  const WorkTotals& totals_;
  const double multiprocessors_;
  const double cycles_per_us_;
  double resident_ = 1;  ///< Blocks on one SM at a time.
  double busiest_ = 0;   ///< Share of the work on the busiest SM.
  double rounds_ = 1;    ///< Blocks that follow one another in one slot.
};

}  // namespace

KernelTime predict(const Device& device, const WorkTotals& totals) { return Model(device, totals).run(); }

namespace {

/// Rate at which managed memory migrates here from another device by faults, over the slowest link.
double migration_rate_between_devices(const Device& device) {
  double rate = 0;
  for (const auto& [other, link] : device.links)
    rate = rate == 0 ? link.migration_bytes_per_us : std::min(rate, link.migration_bytes_per_us);
  return rate == 0 ? device.model.migration_bytes_per_us / 2 : rate;
}

}  // namespace

double fault_time_us(const Device& device, const PageTraffic& traffic) {
  if (traffic.gpu_page_faults == 0) return 0;
  const ModelConstants& model = device.model;
  const auto times = [](double us, std::uint64_t count) { return us * static_cast<double>(count); };
  return model.gpu_first_fault_us + times(model.gpu_fault_us, traffic.gpu_page_faults) +
         times(model.gpu_map_page_us, traffic.mapped_pages) + times(model.gpu_write_fault_us, traffic.written_pages) +
         static_cast<double>(traffic.bytes_to_device) / model.migration_bytes_per_us +
         static_cast<double>(traffic.populated_bytes) / model.populate_bytes_per_us +
         static_cast<double>(traffic.bytes_between_devices) / migration_rate_between_devices(device);
}

void add_page_traffic(const Device& device, const PageTraffic& traffic, KernelTime& time) {
  const ModelConstants& model = device.model;
  const double faults = fault_time_us(device, traffic);
  const double remote = static_cast<double>(traffic.remote_bytes) / model.remote_bytes_per_us;
  if (faults == 0 && remote == 0) return;
  // Accesses over the bus overlap with the rest of the kernel; faults stop it, because most warps soon wait for pages.
  time.us = std::max(time.us, remote) + faults;
  double slowest = 0;
  for (const auto& [name, us] : time.components) slowest = std::max(slowest, us);
  time.components.emplace_back("page_faults", faults);
  time.components.emplace_back("remote", remote);
  if (std::max(faults, remote) > slowest) time.limiter = faults > remote ? "page_faults" : "remote";
}

void add_peer_traffic(const Device& device, const PeerTraffic& traffic, std::uint64_t footprint_bytes,
                      KernelTime& time) {
  if (traffic.link == nullptr || traffic.bytes == 0) return;
  // Both directions of a link work at the same time.
  const double bandwidth = std::max(static_cast<double>(traffic.read_bytes) / traffic.link->read_bytes_per_us,
                                    static_cast<double>(traffic.written_bytes) / traffic.link->write_bytes_per_us);
  double latency = 0, slowest = 0, launch = 0;
  for (const auto& [name, us] : time.components) {
    slowest = std::max(slowest, us);
    if (name == "latency") latency = us;
    if (name == "launch") launch = us;
  }
  // This share of the loads takes that much longer.
  const double share = std::min(
      1.0, static_cast<double>(traffic.read_bytes) / static_cast<double>(std::max<std::uint64_t>(footprint_bytes, 1)));
  latency *= 1 + share * (traffic.link->load_latency / device.model.dram_latency - 1);
  const double peer = std::max(bandwidth, traffic.read_bytes == 0 ? 0 : latency);
  time.us = std::max(time.us, launch + peer);
  time.components.emplace_back("peer", peer);
  if (peer > slowest) time.limiter = "peer";
}

KernelTime predict(const Device& device, const KernelWork& work) { return predict(device, total(device, work)); }

}  // namespace warpbook::simulator
