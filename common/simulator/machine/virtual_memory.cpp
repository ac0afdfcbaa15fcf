// Keeps track of reservations, memory and mappings.
#include "common/simulator/machine/virtual_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>

#include "common/simulator/machine/global_memory.h"

namespace warpbook::simulator {
namespace {

/// The entry of @p ranges (keyed by first address) that contains @p address, or nullptr.
template <class Range>
const Range* range_at(const std::map<std::uint64_t, Range>& ranges, std::uint64_t address) {
  const auto next = ranges.upper_bound(address);
  if (next == ranges.begin()) return nullptr;
  const Range& range = std::prev(next)->second;
  return address - range.address < range.bytes ? &range : nullptr;
}

/// Memory files are named after their device, and keep their size.
const std::string kFileName = "warpbook-device-memory-";
constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

int make_file(std::uint64_t bytes, unsigned ordinal) {
  const int file = ::memfd_create((kFileName + std::to_string(ordinal)).c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  if (::ftruncate(file, static_cast<off_t>(bytes)) == 0 && ::fcntl(file, F_ADD_SEALS, kSeals) == 0) return file;
  ::close(file);
  return -1;
}

}  // namespace

VirtualMemory::~VirtualMemory() { clear(); }

std::uint64_t VirtualMemory::reserve(std::uint64_t bytes, std::uint64_t alignment) {
  const std::uint64_t address = memory_.reserve_addresses(bytes, std::max(alignment, kGranularity));
  if (address != 0) reservations_[address] = {address, bytes};
  return address;
}

bool VirtualMemory::release_addresses(std::uint64_t address, std::uint64_t bytes) {
  const auto found = reservations_.find(address);
  if (found == reservations_.end() || found->second.bytes != bytes) return false;
  const auto mapped = mappings_.lower_bound(address);
  if (mapped != mappings_.end() && mapped->first < address + bytes) return false;
  memory_.release_addresses(address);
  reservations_.erase(found);
  return true;
}

std::uint64_t VirtualMemory::create(std::uint64_t bytes, unsigned device, unsigned ordinal) {
  if (!memory_.take_capacity(bytes, device)) return 0;
  Memory made;
  made.device = device;
  made.file = make_file(bytes, ordinal);
  if (made.file < 0) {
    memory_.give_capacity(bytes, device);
    return 0;
  }
  made.bytes = bytes;
  made.users = 1;
  memories_[next_handle_] = made;
  GlobalMemory::poison(made.file, bytes);
  return next_handle_++;
}

int VirtualMemory::share(std::uint64_t handle) {
  Memory& memory = memories_.at(handle);
  const int file = ::fcntl(memory.file, F_DUPFD_CLOEXEC, 0);
  if (file >= 0) memory.shared = true;
  return file;
}

std::optional<unsigned> VirtualMemory::ordinal_of(int file) {
  std::array<char, 64> found{};
  const std::string link = "/proc/self/fd/" + std::to_string(file), begin = "/memfd:" + kFileName;
  const ssize_t length = ::readlink(link.c_str(), found.data(), found.size());
  const std::string_view name(found.data(), length < 0 ? 0 : static_cast<std::size_t>(length));
  if (name.substr(0, begin.size()) != begin || (::fcntl(file, F_GET_SEALS) & kSeals) != kSeals) return std::nullopt;
  unsigned ordinal = 0;
  const auto number = std::from_chars(name.data() + begin.size(), name.data() + name.size(), ordinal);
  return number.ec == std::errc() ? std::optional(ordinal) : std::nullopt;
}

std::uint64_t VirtualMemory::import(int file, unsigned device) {
  struct stat about {};
  Memory made;
  made.file = ::fcntl(file, F_DUPFD_CLOEXEC, 0);
  if (made.file < 0) return 0;
  if (::fstat(made.file, &about) != 0 || about.st_size <= 0) {
    ::close(made.file);
    return 0;
  }
  made.bytes = static_cast<std::uint64_t>(about.st_size);
  made.users = 1;
  made.device = device;
  made.imported = made.shared = true;
  memories_[next_handle_] = made;
  return next_handle_++;
}

std::uint64_t VirtualMemory::bytes_of(std::uint64_t handle) const {
  return is_handle(handle) ? memories_.at(handle).bytes : 0;
}

bool VirtualMemory::is_handle(std::uint64_t handle) const {
  const auto found = memories_.find(handle);
  return found != memories_.end() && found->second.users != 0;
}

bool VirtualMemory::release(std::uint64_t handle) {
  if (!is_handle(handle)) return false;
  --memories_[handle].users;
  remove_unused(handle);
  return true;
}

std::uint64_t VirtualMemory::retain(std::uint64_t address) {
  const Mapping* const mapping = find(address);
  if (mapping == nullptr) return 0;
  ++memories_[mapping->handle].users;
  return mapping->handle;
}

void VirtualMemory::remove_unused(std::uint64_t handle) {
  const auto found = memories_.find(handle);
  if (found->second.users != 0 || found->second.mappings != 0) return;
  give_back(found->second);
  memories_.erase(found);
}

void VirtualMemory::give_back(const Memory& memory) {
  ::close(memory.file);
  if (!memory.imported) memory_.give_capacity(memory.bytes, memory.device);
}

bool VirtualMemory::map(std::uint64_t address, std::uint64_t bytes, std::uint64_t handle) {
  const Reservation* const reservation = find_reservation(address);
  if (!is_handle(handle) || bytes > memories_[handle].bytes || reservation == nullptr) return false;
  if (bytes > reservation->bytes - (address - reservation->address)) return false;
  if (find(address) != nullptr) return false;
  const auto next = mappings_.lower_bound(address);
  if (next != mappings_.end() && next->first - address < bytes) return false;
  if (!memory_.back(address, bytes, memories_[handle].file)) return false;
  mappings_[address] = {address, bytes, handle, {}};
  ++memories_[handle].mappings;
  return true;
}

bool VirtualMemory::covers(std::uint64_t address, std::uint64_t bytes) const {
  std::uint64_t at = address;
  for (auto mapping = mappings_.find(address); mapping != mappings_.end() && mapping->first == at; ++mapping) {
    at += mapping->second.bytes;
    if (at - address >= bytes) break;
  }
  return bytes != 0 && at - address == bytes;
}

bool VirtualMemory::unmap(std::uint64_t address, std::uint64_t bytes) {
  if (!covers(address, bytes)) return false;
  const auto begin = mappings_.find(address), end = mappings_.lower_bound(address + bytes);
  std::vector<std::uint64_t> handles;
  for (auto mapping = begin; mapping != end; ++mapping) handles.push_back(mapping->second.handle);
  mappings_.erase(begin, end);
  memory_.back(address, bytes, -1);
  for (const std::uint64_t handle : handles) {
    --memories_[handle].mappings;
    remove_unused(handle);
  }
  expose(*find_reservation(address));
  return true;
}

bool VirtualMemory::is_mixed(std::uint64_t address, std::uint64_t bytes, Access access, unsigned device) const {
  if (access == Access::none) return false;
  for (auto at = mappings_.lower_bound(address); at != mappings_.end() && at->first < address + bytes; ++at) {
    for (unsigned other = 0; other < kMostDevices; ++other) {
      const Access there = at->second.access[other];
      if (other != device && there != Access::none && there != access) return true;
    }
  }
  return false;
}

bool VirtualMemory::set_access(std::uint64_t address, std::uint64_t bytes, Access access, unsigned device) {
  if (!covers(address, bytes)) return false;
  for (auto mapping = mappings_.find(address); mapping != mappings_.lower_bound(address + bytes); ++mapping)
    mapping->second.access[device] = access;
  expose(*find_reservation(address));
  return true;
}

void VirtualMemory::expose(const Reservation& reservation) {
  const std::uint64_t end = reservation.address + reservation.bytes;
  std::vector<Mapping> runs;
  for (auto at = mappings_.lower_bound(reservation.address); at != mappings_.end() && at->first < end; ++at) {
    const Mapping& mapping = at->second;
    if (mapping.access == decltype(mapping.access){}) continue;
    const bool continues = !runs.empty() && runs.back().address + runs.back().bytes == mapping.address &&
                           runs.back().access == mapping.access && device_of(runs.back()) == device_of(mapping);
    if (continues) {
      runs.back().bytes += mapping.bytes;
    } else {
      runs.push_back(mapping);
    }
  }
  for (auto at = exposed_.lower_bound(reservation.address); at != exposed_.end() && *at < end;) {
    memory_.conceal(*at);
    at = exposed_.erase(at);
  }
  for (const Mapping& run : runs) {
    Allocation like;
    like.device = static_cast<std::uint8_t>(device_of(run));
    like.access = 0;
    for (unsigned device = 0; device < kMostDevices; ++device) {
      if (run.access[device] != Access::none) like.access |= only_device(device);
      like.read_only = like.read_only || run.access[device] == Access::read;
    }
    memory_.expose(run.address, run.bytes, like);
    exposed_.insert(run.address);
  }
}

const VirtualMemory::Mapping* VirtualMemory::find(std::uint64_t address) const { return range_at(mappings_, address); }

const VirtualMemory::Reservation* VirtualMemory::find_reservation(std::uint64_t address) const {
  return range_at(reservations_, address);
}

VirtualMemory::State VirtualMemory::state_of(std::uint64_t address) const {
  if (find_reservation(address) == nullptr) return State::ordinary;
  return find(address) == nullptr ? State::reserved : State::no_access;
}

void VirtualMemory::clear() {
  while (!mappings_.empty()) {
    const Mapping mapping = mappings_.begin()->second;
    unmap(mapping.address, mapping.bytes);
  }
  for (const auto& [address, reservation] : reservations_) memory_.release_addresses(address);
  reservations_.clear();
  for (const auto& [handle, memory] : memories_) give_back(memory);
  memories_.clear();
}

}  // namespace warpbook::simulator
