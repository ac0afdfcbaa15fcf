// From two epochs to a finding that a programmer can act on.
#include <algorithm>

#include "common/simulator/machine/access_values.h"
#include "common/simulator/machine/checker.h"
#include "common/simulator/machine/taint.h"

namespace warpbook::simulator {

std::array<std::uint32_t, 3> unfolded(std::uint64_t linear, const Dim3& extent) {
  return {static_cast<std::uint32_t>(linear % extent.x), static_cast<std::uint32_t>(linear / extent.x % extent.y),
          static_cast<std::uint32_t>(linear / extent.x / extent.y)};
}

CheckSite source_of(const Program& program, std::uint32_t operation) {
  const OperationDetail& detail = program.details[operation];
  CheckSite site;
  const auto file = program.files.find(detail.source.file);
  if (file != program.files.end()) {
    site.file = file->second;
    site.line = detail.source.line;
  }
  site.instruction = detail.spelling;
  return site;
}

const Checker::Grid* Checker::grid_of(std::uint32_t serial) const {
  const auto after = std::upper_bound(grids_.begin(), grids_.end(), serial,
                                      [](std::uint32_t s, const Grid& grid) { return s < grid.first; });
  return after == grids_.begin() ? nullptr : &*std::prev(after);
}

CheckSite Checker::site_of(Epoch e, const Grid* grid, bool wrote) const {
  const std::uint32_t number = epoch::site(e);
  CheckSite site = number < sites_.size() ? sites_[number] : CheckSite{};
  if (site.role.empty()) site.role = wrote ? "write" : "read";
  if (site.role == "asynchronous copy" && !wrote) site.role = "read";
  if (grid == nullptr || grid->host) return site;
  site.kernel = grid->name;
  site.block = unfolded(epoch::serial(e) - grid->first, grid->grid);
  site.thread = unfolded(epoch::thread(e), grid->block);
  return site;
}

/// Lanes in CUDA's own headers (cooperative groups) rely on the order given by shuffles.
bool Checker::is_in_toolkit(const Race& race) const {
  const auto of_toolkit = [&](Epoch e) {
    const std::uint32_t number = epoch::site(e);
    return number < toolkit_sites_.size() && toolkit_sites_[number];
  };
  const bool one_warp = epoch::serial(race.earlier) == epoch::serial(race.now) &&
                        epoch::thread(race.earlier) / 32 == epoch::thread(race.now) / 32;
  return (one_warp || race.same_value) && of_toolkit(race.earlier) && of_toolkit(race.now);
}

namespace {

bool is_floating_type(ptx::Type type) { return type == ptx::Type::f32 || type == ptx::Type::f64; }

/// @param first the unfinished access  @param wrote whether it writes
void say_how_to_wait(const CheckSite& first, bool wrote, CheckFinding& finding) {
  finding.missing = "the thread that started the asynchronous copy has not waited for it";
  if (first.instruction.starts_with("wgmma")) {
    finding.missing = "the wgmma operation, which reads this memory, has not been waited for";
    finding.advice = "wgmma.wait_group by all four warps, then a barrier, before the memory is used again";
  } else if (first.instruction.find(".bulk") == std::string::npos) {
    finding.advice = "wait for the copy (__pipeline_wait_prior, cp.async.wait_group), then meet at __syncthreads()";
  } else if (wrote) {
    finding.advice = "wait for the phase of the mbarrier that counts the copy's bytes";
  } else {
    finding.advice =
        "cp.async.bulk.wait_group.read by the thread that committed the copy, then a barrier, before the "
        "memory is used again";
  }
}

}  // namespace

ptx::Type Checker::type_of(Epoch e) const {
  return epoch::site(e) < site_types_.size() ? site_types_[epoch::site(e)] : ptx::Type::none;
}

void Checker::add_values(const Race& race, CheckSite& first, CheckSite& second) const {
  const auto* const values = static_cast<const AccessValues*>(race.context);
  const Grid* const now = grid_of(epoch::serial(race.now));
  const bool by_call = now != nullptr && now->host;
  const std::byte* memory = values != nullptr ? values->memory[race.lane] : nullptr;
  const Allocation* const allocation =
      memory == nullptr && !race.shared ? memory_.find(race.address + GlobalMemory::kBase) : nullptr;
  if (allocation != nullptr) memory = allocation->host + (race.address + GlobalMemory::kBase - allocation->address);
  ptx::Type first_type = type_of(race.earlier), second_type = type_of(race.now);
  // nvcc moves floating-point constants and copies as integers.
  const bool same_size = first_type != ptx::Type::none && second_type != ptx::Type::none &&
                         ptx::size_of(first_type) == ptx::size_of(second_type);
  if (same_size && is_floating_type(second_type)) first_type = second_type;
  if (same_size && is_floating_type(first_type)) second_type = first_type;

  std::byte stored[AccessValues::kMostBytes];
  if (race.unfinished) {
    first.value_unknown = first.instruction.starts_with("wgmma") ? "the wgmma operation had not completed"
                                                                 : "the asynchronous copy had not completed";
  } else if (race.same_instruction) {
    if (first.role != "atomic" && values != nullptr && values->stored(epoch::thread(race.earlier) % kWarpSize, stored))
      first.value = value_text(stored + race.offset, race.bytes, first_type);
  } else if (race.is_kept && memory != nullptr && race.bytes <= AccessValues::kMostBytes) {
    first.value =
        value_text(memory + race.offset, race.bytes, first_type == ptx::Type::none ? second_type : first_type);
  } else if (!race.is_kept) {
    first.value_unknown = "the memory has been changed since";
  }
  if (values == nullptr && !race.now_writes && !by_call && memory != nullptr) {
    second.value = value_text(memory + race.offset, race.bytes, first_type);
  } else if (values != nullptr && (!race.now_writes || second.role == "atomic")) {
    second.value = value_text(memory, values->bytes, second_type);
  } else if (values != nullptr && values->stored(race.lane, stored)) {
    second.value = value_text(stored, values->bytes, second_type);
  } else if (by_call && !race.now_writes && memory != nullptr) {
    second.value = value_text(memory + race.offset, race.bytes, first_type);
  } else if (by_call && moved_.bytes != nullptr) {
    const std::uint64_t at = race.address + race.offset - moved_to_;
    for (std::uint32_t i = 0; i < race.bytes; ++i)
      stored[i] = moved_.bytes[moved_.period == 0 ? at + i : (at + i) % moved_.period];
    second.value = value_text(stored, race.bytes, first_type);
  }
  const auto say = [](CheckSite& site, bool wrote, bool is_before) {
    if (site.role == "allocation" || site.role == "free") {
      site.value.clear();
      site.value_unknown.clear();
      return;
    }
    const bool atomic = site.role == "atomic";
    site.value_is = atomic && is_before ? "before" : atomic ? "after" : wrote ? "written" : "read";
    if (site.value.empty() && site.value_unknown.empty())
      site.value_unknown = "the values that this instruction stores are not recorded";
  };
  say(first, race.earlier_wrote, false);
  say(second, race.now_writes, true);
}

void Checker::report(const Race& race) {
  if (is_in_toolkit(race)) return;
  if (races_.is_full()) {
    const Grid* const grid = grid_of(epoch::serial(race.now));
    findings_.leave_gap("races in " + (grid == nullptr ? "a kernel" : grid->name) +
                        " after its threads had synchronised with each other more often than is recorded");
    return;
  }
  std::uint64_t key = std::uint64_t{epoch::site(race.earlier)} << 20 | std::uint64_t{epoch::site(race.now)} << 8 |
                      (race.earlier_wrote ? 4u : 0u) | (race.now_writes ? 2u : 0u) | (race.same_value ? 1u : 0u);
  // Without an order between the accesses, reading through another path does not matter.
  if (race.path != Race::Path::same && seen_.contains(key)) return;
  if (race.path != Race::Path::same) key |= 8u;
  const auto [place, fresh] = seen_.try_emplace(key);
  if (!fresh) {
    ++place->second.more;
    return;
  }
  const Grid* const before = grid_of(epoch::serial(race.earlier));
  const Grid* const now = grid_of(epoch::serial(race.now));
  CheckFinding& finding = place->second.finding;
  finding.check = Check::race;
  finding.kind = !race.now_writes ? "read_after_write" : race.earlier_wrote ? "write_after_write" : "write_after_read";
  finding.same_value = race.same_value;
  const Allocation* const there = race.shared ? nullptr : memory_.find(race.address + GlobalMemory::kBase);
  finding.space = race.shared ? "shared" : there != nullptr && there->is_constant() ? "constant" : "global";
  finding.address = race.shared ? race.address : race.address + GlobalMemory::kBase;
  CheckSite first = site_of(race.earlier, before, race.earlier_wrote), second = site_of(race.now, now, race.now_writes);
  if (now != nullptr) finding.kernel = now->host ? "" : now->name;
  const auto who = [](const CheckSite& site, const Grid* grid) {
    return grid != nullptr && grid->host ? grid->name
                                         : "thread " + triple(site.thread) + " of block " + triple(site.block);
  };
  const auto does = [](const CheckSite& site, bool writes) {
    return site.role == "atomic"       ? "changes atomically"
           : site.role == "allocation" ? "allocates"
           : site.role == "free"       ? "frees"
           : writes                    ? "writes"
                                       : "reads";
  };
  const std::uint32_t s = epoch::serial(race.earlier), t = epoch::serial(race.now);
  const bool one_grid = before == now;
  const bool itself = s == t && epoch::thread(race.earlier) == epoch::thread(race.now);
  std::string other = race.several_blocks && one_grid                    ? "a thread of another block"
                      : itself && race.unfinished && !race.earlier_wrote ? "its own asynchronous copy"
                      : itself && race.path != Race::Path::same          ? "it"
                      : itself                                           ? "another thread of the block"
                                                                         : who(first, before);
  if (!one_grid && before != nullptr && !before->host) other += " of " + before->name;
  finding.message = who(second, now) + " " + does(second, race.now_writes) + " " + finding.space + " memory that " +
                    other + " " + does(first, race.earlier_wrote) +
                    (race.path == Race::Path::asynchronous ? ", and no fence lies between the two"
                     : race.path == Race::Path::texture    ? " in the same kernel: it may read the old value"
                                                           : ", and nothing orders the two accesses");
  if (race.same_value) finding.message += "; both write the same value";
  if (race.path == Race::Path::texture) {
    finding.missing =
        "textures and surfaces see the stores of earlier kernels and copies, but not those of their own kernel";
    finding.advice = "read it in a kernel that is launched after this one, or with an ordinary load";
  } else if (race.path == Race::Path::asynchronous) {
    finding.missing =
        "no fence.proxy.async lies between: a barrier alone does not make stores visible to the async proxy, through "
        "which "
        "bulk copies and wgmma read";
    finding.advice =
        "fence.proxy.async (cuda::ptx::fence_proxy_async(), fence_proxy_async_shared_cta()) by each thread after its "
        "stores, then the barrier";
  } else if (race.unfinished) {
    say_how_to_wait(first, race.earlier_wrote, finding);
  } else if (!one_grid) {
    Order::Missing order = order_.missing(s);
    finding.missing = std::move(order.what);
    finding.advice = std::move(order.advice);
  } else if (race.shared && (s != t || race.several_blocks)) {
    finding.missing = "no barrier of the cluster that both blocks take part in lies between the two";
    finding.advice = "cluster.sync() between the two (barrier.cluster.arrive and .wait), by all threads of the cluster";
  } else if (s != t || race.several_blocks) {
    finding.missing = "blocks of a grid run in any order, and no fence with an atomic lies between these two";
    finding.advice = race.now_writes && race.earlier_wrote
                         ? "let one block own the word, or change it by an atomic"
                         : "read in a kernel that is launched after this one, or hand over by __threadfence() and an "
                           "atomic or a volatile flag";
  } else if (epoch::thread(race.earlier) / 32 == epoch::thread(race.now) / 32) {
    finding.missing = "lanes of a warp do not run in lockstep: only __syncwarp() or a barrier puts them in order";
    finding.advice = race.now_writes && race.earlier_wrote ? "let one lane write, or change the word by an atomic"
                                                           : "__syncwarp() or __syncthreads() between the two";
  } else {
    finding.missing = "no barrier that both threads take part in lies between the two";
    finding.advice = race.now_writes && race.earlier_wrote
                         ? "let one thread write, or change the word by an atomic; or __syncthreads() between the two"
                         : "__syncthreads() between the two";
  }
  if (race.path == Race::Path::same) add_values(race, first, second);
  finding.sites = {std::move(first), std::move(second)};
  findings_.add(finding);
}

void Checker::report_host_access(const RaceDetector::Unordered& other, bool writes, std::size_t host_place,
                                 HostView view) {
  const Grid* const before = grid_of(epoch::serial(other.epoch));
  const bool by_call = before != nullptr && before->host;
  CheckFinding finding;
  finding.check = Check::race;
  finding.kind = !writes ? "read_after_write" : other.wrote ? "write_after_write" : "write_after_read";
  finding.space = "global";
  finding.address = other.address + GlobalMemory::kBase;
  CheckSite first = site_of(other.epoch, before, other.wrote), second;
  second.role = writes ? "write" : "read";
  second.instruction = "host code";
  second.host_place = host_place;
  if (before != nullptr && !by_call) finding.kernel = before->name;
  first.value_is = first.role == "atomic" ? "after" : other.wrote ? "written" : "read";
  second.value_is = writes ? "written" : "read";
  const std::uint64_t at = other.address + GlobalMemory::kBase;
  const ptx::Type type = type_of(other.epoch);
  const unsigned size = type == ptx::Type::none ? 1 : ptx::size_of(type);
  const Allocation* const allocation = memory_.find(at);
  const bool whole = allocation != nullptr && allocation->contains(at / size * size, size);
  std::byte value[16];
  if (!other.is_kept)
    first.value_unknown = "the memory has been changed since";
  else if (whole && read_any_page(allocation->host + (at / size * size - allocation->address), size, value))
    first.value = value_text(value, size, type);
  else
    first.value_unknown = "its page cannot be read now";
  if (writes)
    second.value_unknown = "host code is intercepted before it writes";
  else if (second.value = first.value; second.value.empty())
    second.value_unknown = first.value_unknown;
  const std::string who = before == nullptr ? "the device" : before->name;
  finding.message = std::string("host code ") + (writes ? "writes" : "reads") + " memory that " + who + " " +
                    (first.role == "atomic" ? "changes atomically"
                     : other.wrote          ? "writes"
                                            : "reads") +
                    ", and nothing orders the two accesses";
  const char* const work = by_call ? "call's work" : "kernel";
  finding.missing = view != HostView::host
                        ? std::string("the stream of the host function does not wait for the ") + work
                        : std::string("the host has not waited for the ") + work;
  finding.advice =
      view != HostView::host
          ? "put the function into the stream of that work, or make its stream wait for an event recorded after it"
          : "wait before the host uses the memory: cudaDeviceSynchronize(), cudaStreamSynchronize() of "
            "that stream, or cudaEventSynchronize() of an event recorded after it";
  finding.sites = {std::move(first), std::move(second)};
  findings_.add(std::move(finding));
}

Checker::Checker(CheckSet set, const GlobalMemory& memory, CheckFindings& findings, Order& order)
    : checks(set),
      memory_(memory),
      findings_(findings),
      order_(order),
      races_([this](const Race& race) { report(race); },
             [this](std::uint32_t serial) { return order_.is_before(serial); }) {
  if (checks.has(Check::init)) taint_ = std::make_unique<TaintChecker>(memory, findings);
}

Checker::~Checker() = default;

void Checker::freed(std::uint64_t address, std::uint64_t bytes) {
  host_changes_.end();
  if (taint_) taint_->freed(address, bytes);
}

void Checker::copied(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
  host_changes_.end();
  if (taint_) taint_->copied(to, from, bytes);
}

void Checker::look_at_host_stores() {
  if (taint_) taint_->look_at_host_stores();
}

void Checker::printed(WarpState& warp, const Operation* op, unsigned lane, std::uint64_t address, std::uint64_t bytes) {
  if (taint_ && warp.taint != nullptr) taint_->printed(warp, op, lane, address, bytes);
}

void Checker::wrote(WarpState& warp, unsigned lane, std::uint64_t address, std::uint64_t bytes) {
  host_changes_.end();
  if (taint_ && warp.taint != nullptr) taint_->wrote(warp, lane, address, bytes);
}

void Checker::allocated(std::uint64_t address, std::uint64_t bytes) {
  host_changes_.end();
  if (taint_) taint_->allocated(address, bytes);
  if (const Allocation* allocation = memory_.find(address))
    races_.forget_memory(address + allocation->shadow_delta - GlobalMemory::kBase, bytes);
}

bool Checker::begin_stream_work(const HostCall& call, const char* role, StreamWork& work) {
  host_changes_.end();
  work.serial = races_.take_serials(1);
  if (work.serial == 0) return false;
  order_.took(work.serial, 1);
  races_.start_grid(order_.floor(), work.serial);
  grids_.push_back({work.serial, 1, {}, {}, call.name, true});
  const auto [place, fresh] = call_sites_.try_emplace({call.name, call.place});
  if (fresh) {
    place->second = races_.new_site();
    CheckSite site;
    site.instruction = call.name;
    site.host_place = call.place;
    if (role != nullptr) site.role = role;
    sites_.resize(std::max<std::size_t>(sites_.size(), place->second + 1));
    if (place->second != 0) sites_[place->second] = std::move(site);
  }
  work.site = place->second;
  return true;
}

void Checker::touch_in_stream(const StreamWork& work, AccessForm::Kind kind, std::uint64_t address,
                              std::uint64_t bytes) {
  const Allocation* allocation = address == 0 ? nullptr : memory_.find(address);
  if (allocation == nullptr || !allocation->contains(address, bytes)) return;
  AccessForm form;
  form.kind = kind;
  form.site = work.site;
  moved_to_ = address + allocation->shadow_delta - GlobalMemory::kBase;
  races_.access_range(form, work.serial, moved_to_, bytes);
}

void Checker::host_work(const HostCall& call, std::uint64_t to, std::uint64_t from, std::uint64_t bytes,
                        const Moved& moved) {
  copied(to, from, bytes);
  StreamWork work;
  if (!checks.has(Check::race) || bytes == 0 || !begin_stream_work(call, nullptr, work)) return;
  moved_ = moved;
  touch_in_stream(work, AccessForm::Kind::read, from, bytes);
  touch_in_stream(work, AccessForm::Kind::write, to, bytes);
}

void Checker::lives_from_or_to(const HostCall& call, const char* role, std::uint64_t address, std::uint64_t bytes) {
  StreamWork work;
  if (!checks.has(Check::race) || bytes == 0 || !begin_stream_work(call, role, work)) return;
  moved_ = {};
  touch_in_stream(work, AccessForm::Kind::write, address, bytes);
}

}  // namespace warpbook::simulator
