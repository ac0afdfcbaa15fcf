// Virtual memory management: addresses, memory and what is mapped where, each made by itself (cuMemAddressReserve,
// cuMemCreate, cuMemMap, cuMemSetAccess).
//
// Physical memory is pages of an anonymous file, which the system maps to the place where the bytes of the device's
// addresses are. So memory that is mapped twice is the same bytes, and mappings that touch are one range for copies
// and kernels: GlobalMemory has one allocation for each run of mappings that lie side by side and can be accessed
// alike. Other processes map the file too, if they get it (share, import).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "common/simulator/machine/global_memory.h"

namespace warpbook::simulator {

class VirtualMemory {
 public:
  /// Sizes, addresses and offsets are multiples of it: CU_MEM_ALLOC_GRANULARITY_MINIMUM of an H200.
  static constexpr std::uint64_t kGranularity = std::uint64_t{2} << 20;
  static constexpr std::uint64_t kPage = 4096;

  enum class Access : std::uint8_t { none, read, read_write };
  /// What an address is that no allocation contains.
  enum class State : std::uint8_t { ordinary, reserved, no_access };

  struct Mapping {
    std::uint64_t address = 0, bytes = 0;
    std::uint64_t handle = 0;
    std::array<Access, kMostDevices> access{};  ///< Of each device.
  };
  struct Reservation {
    std::uint64_t address = 0, bytes = 0;
  };

  explicit VirtualMemory(GlobalMemory& memory) : memory_(memory) {}
  ~VirtualMemory();
  VirtualMemory(const VirtualMemory&) = delete;
  VirtualMemory& operator=(const VirtualMemory&) = delete;

  /// @param bytes, alignment multiples of kPage; alignment a power of two, or 0 @returns 0 if there are no such
  /// addresses
  std::uint64_t reserve(std::uint64_t bytes, std::uint64_t alignment);
  /// @returns false unless this is a whole reservation in which nothing is mapped
  bool release_addresses(std::uint64_t address, std::uint64_t bytes);

  /// Memory of @p device that counts as used from now on. @param ordinal of the device, as all processes of the machine
  /// count @returns its handle, or 0 if there is not so much
  std::uint64_t create(std::uint64_t bytes, unsigned device = 0, unsigned ordinal = 0);
  /// The file of the memory anew, to be handed to other processes. @returns -1 if the system refuses
  int share(std::uint64_t handle);
  /// Memory that another process has shared: it counts as used there. @param device its number in this process
  /// @returns its handle, or 0 if the system refuses
  std::uint64_t import(int file, unsigned device);
  /// The device of which @p file is memory, as all processes of the machine count; none if it is no shared memory.
  static std::optional<unsigned> ordinal_of(int file);
  /// The memory goes when its last mapping has gone, too. @returns false if there is no such handle
  bool release(std::uint64_t handle);
  /// One more release() is needed. @returns 0 if nothing is mapped at @p address
  std::uint64_t retain(std::uint64_t address);
  bool is_handle(std::uint64_t handle) const;
  /// Other processes may have written what it holds.
  bool is_shared(std::uint64_t handle) const { return is_handle(handle) && memories_.at(handle).shared; }
  /// Of its memory; 0 if there is no such handle.
  std::uint64_t bytes_of(std::uint64_t handle) const;

  /// Maps the first @p bytes of the memory. @returns false if the addresses are not reserved, or something is mapped
  bool map(std::uint64_t address, std::uint64_t bytes, std::uint64_t handle);
  /// @returns false unless these are whole mappings, side by side
  bool unmap(std::uint64_t address, std::uint64_t bytes);
  /// What @p device may do there. @returns false unless these are whole mappings, side by side
  bool set_access(std::uint64_t address, std::uint64_t bytes, Access access, unsigned device = 0);
  /// Some device may only read there, and another one write.
  bool is_mixed(std::uint64_t address, std::uint64_t bytes, Access access, unsigned device) const;

  /// The mapping that contains @p address, or nullptr.
  const Mapping* find(std::uint64_t address) const;
  const Reservation* find_reservation(std::uint64_t address) const;
  State state_of(std::uint64_t address) const;
  /// By address.
  const std::map<std::uint64_t, Mapping>& mappings() const { return mappings_; }

  /// Gives everything back.
  void clear();

 private:
  struct Memory {
    int file = -1;
    std::uint64_t bytes = 0;
    unsigned users = 0, mappings = 0;
    unsigned device = 0;
    bool imported = false;  ///< Another process has it, and counts it as used.
    bool shared = false;    ///< Other processes may have it.
  };

  /// The mappings of [address, address + bytes) if they fill it exactly.
  bool covers(std::uint64_t address, std::uint64_t bytes) const;
  unsigned device_of(const Mapping& mapping) const { return memories_.at(mapping.handle).device; }
  void remove_unused(std::uint64_t handle);
  void give_back(const Memory& memory);
  /// Makes the allocations of a reservation anew.
  void expose(const Reservation& reservation);

  GlobalMemory& memory_;
  std::map<std::uint64_t, Reservation> reservations_;
  std::map<std::uint64_t, Mapping> mappings_;
  std::map<std::uint64_t, Memory> memories_;
  std::set<std::uint64_t> exposed_;  ///< Addresses of the allocations that stand for mappings.
  std::uint64_t next_handle_ = 1;
};

}  // namespace warpbook::simulator
