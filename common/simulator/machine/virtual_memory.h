// Virtual memory management: addresses, physical memory and mappings, each created separately (cuMemAddressReserve,
// cuMemCreate, cuMemMap, cuMemSetAccess).
//
// Physical memory consists of pages of an anonymous file, which the system maps to where the bytes of the device
// addresses are stored. So memory that is mapped twice has the same bytes, and adjacent mappings are one range for
// copies and kernels: GlobalMemory has one allocation for each run of adjacent mappings with the same access rights.
// Other processes can map the file, too, if they receive it (share, import).
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
  /// Sizes, addresses and offsets are multiples of this: CU_MEM_ALLOC_GRANULARITY_MINIMUM of an H200.
  static constexpr std::uint64_t kGranularity = std::uint64_t{2} << 20;
  static constexpr std::uint64_t kPage = 4096;

  enum class Access : std::uint8_t { none, read, read_write };
  /// The state of an address that no allocation contains.
  enum class State : std::uint8_t { ordinary, reserved, no_access };

  struct Mapping {
    std::uint64_t address = 0, bytes = 0;
    std::uint64_t handle = 0;
    std::array<Access, kMostDevices> access{};  ///< For each device.
  };
  struct Reservation {
    std::uint64_t address = 0, bytes = 0;
  };

  explicit VirtualMemory(GlobalMemory& memory) : memory_(memory) {}
  ~VirtualMemory();
  VirtualMemory(const VirtualMemory&) = delete;
  VirtualMemory& operator=(const VirtualMemory&) = delete;

  /// @param bytes, alignment multiples of kPage; alignment is a power of two, or 0 @returns 0 if no such addresses are
  /// free
  std::uint64_t reserve(std::uint64_t bytes, std::uint64_t alignment);
  /// @returns false unless this is a complete reservation in which nothing is mapped
  bool release_addresses(std::uint64_t address, std::uint64_t bytes);

  /// Memory of @p device that counts as used from now on. @param ordinal the device's number among all processes of the
  /// machine @returns its handle, or 0 if there is not enough memory
  std::uint64_t create(std::uint64_t bytes, unsigned device = 0, unsigned ordinal = 0);
  /// A new descriptor of the memory's file, to be passed to other processes. @returns -1 if the system refuses
  int share(std::uint64_t handle);
  /// Memory that another process has shared; it counts as used there. @param device its number in this process @returns
  /// its handle, or 0 if the system refuses
  std::uint64_t import(int file, unsigned device);
  /// The device to which the memory in @p file belongs, numbered as by all processes of the machine; none if it is not
  /// shared memory.
  static std::optional<unsigned> ordinal_of(int file);
  /// The memory itself is freed when its last mapping is gone, too. @returns false if there is no such handle
  bool release(std::uint64_t handle);
  /// Requires one more release(). @returns 0 if nothing is mapped at @p address
  std::uint64_t retain(std::uint64_t address);
  bool is_handle(std::uint64_t handle) const;
  /// Other processes may have written to it.
  bool is_shared(std::uint64_t handle) const { return is_handle(handle) && memories_.at(handle).shared; }
  /// Size of the memory; 0 if there is no such handle.
  std::uint64_t bytes_of(std::uint64_t handle) const;

  /// Maps the first @p bytes of the memory. @returns false if the addresses are not reserved, or something is mapped
  bool map(std::uint64_t address, std::uint64_t bytes, std::uint64_t handle);
  /// @returns false unless these are complete, adjacent mappings
  bool unmap(std::uint64_t address, std::uint64_t bytes);
  /// Sets the access rights of @p device. @returns false unless these are complete, adjacent mappings
  bool set_access(std::uint64_t address, std::uint64_t bytes, Access access, unsigned device = 0);
  /// One device may only read there while another one may write.
  bool is_mixed(std::uint64_t address, std::uint64_t bytes, Access access, unsigned device) const;

  /// The mapping that contains @p address, or nullptr.
  const Mapping* find(std::uint64_t address) const;
  const Reservation* find_reservation(std::uint64_t address) const;
  State state_of(std::uint64_t address) const;
  /// By address.
  const std::map<std::uint64_t, Mapping>& mappings() const { return mappings_; }

  /// Releases everything.
  void clear();

 private:
  struct Memory {
    int file = -1;
    std::uint64_t bytes = 0;
    unsigned users = 0, mappings = 0;
    unsigned device = 0;
    bool imported = false;  ///< Another process owns it, and counts it as used.
    bool shared = false;    ///< Other processes may have it.
  };

  /// The mappings of [address, address + bytes) if they cover it exactly.
  bool covers(std::uint64_t address, std::uint64_t bytes) const;
  unsigned device_of(const Mapping& mapping) const { return memories_.at(mapping.handle).device; }
  void remove_unused(std::uint64_t handle);
  void give_back(const Memory& memory);
  /// Recreates the allocations of a reservation.
  void expose(const Reservation& reservation);

  GlobalMemory& memory_;
  std::map<std::uint64_t, Reservation> reservations_;
  std::map<std::uint64_t, Mapping> mappings_;
  std::map<std::uint64_t, Memory> memories_;
  std::set<std::uint64_t> exposed_;  ///< Addresses of the allocations that stand for mappings.
  std::uint64_t next_handle_ = 1;
};

}  // namespace warpbook::simulator
