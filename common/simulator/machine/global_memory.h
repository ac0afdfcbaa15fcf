// Global memory: the address space of the device, its allocations and where their bytes are stored.
//
// Device addresses lie in one fixed range [kBase, kBase + kBytes), so that every run sees the same addresses. Memory
// from cudaMalloc is not readable at its own address: the range is reserved without access rights and the bytes are
// stored elsewhere, so a host program that dereferences a device pointer faults, as on a real machine. Managed and
// pinned memory is readable at its own address. Each allocation is followed by an unused gap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warpbook::simulator {

class VirtualMemory;

enum class MemoryKind : std::uint8_t { device, managed, pinned, registered, module };

/// A set of devices, one bit for each.
using DeviceSet = std::uint32_t;
constexpr DeviceSet kAllDevices = ~DeviceSet{0};
constexpr unsigned kMostDevices = 16;
constexpr DeviceSet only_device(unsigned device) { return DeviceSet{1} << device; }

struct Allocation {
  std::uint64_t address = 0;  ///< Device address (for pinned and managed memory also the host address).
  std::uint64_t bytes = 0;
  std::byte* host = nullptr;  ///< Where its bytes are in this process.
  MemoryKind kind = MemoryKind::device;
  std::uint64_t serial = 0;        ///< Allocations are counted from 1.
  std::string name;                ///< For a module variable; else empty.
  bool read_only = false;          ///< Mapped read-only; or a constant, if writes to it are to be found.
  bool constant = false;           ///< A variable in constant memory.
  bool mapped = false;             ///< Stands for mappings of VirtualMemory; the memory is counted there.
  bool is_piece = false;           ///< Part of a divided allocation, which is counted as a whole.
  bool is_pooled = false;          ///< Access follows the pool's rights, not those between devices.
  std::uint8_t device = 0;         ///< The owner; for host memory: the device that was current.
  DeviceSet access = kAllDevices;  ///< Devices whose kernels may access it.
  /// Added to one of its addresses to find it in the bitmaps and caches kept for the device range: 0 except for
  /// registered host memory, which lies elsewhere and gets a place of its own there.
  std::uint64_t shadow_delta = 0;
  bool is_constant() const { return constant; }
  bool contains(std::uint64_t a, std::uint64_t n) const {
    return a >= address && n <= bytes && a - address <= bytes - n;
  }
  bool allows(unsigned accessor) const { return (access >> accessor & 1) != 0; }
};

/// Not thread safe: allocate and free between launches only; find() may run on many threads during one.
class GlobalMemory {
 public:
  static constexpr std::uint64_t kBase = 0x200000000000;  ///< 32 TiB: unused in ordinary and sanitised processes.
  static constexpr std::uint64_t kBytes = std::uint64_t{1} << 38;  ///< 256 GiB of addresses.
  /// The part that the host can access: managed and pinned memory.
  static constexpr std::uint64_t kHostBegin = kBase + (std::uint64_t{160} << 30);
  static constexpr std::uint64_t kHostBytes = std::uint64_t{64} << 30;

  /// @param capacity bytes of memory of device 0 (MemoryKind::device, managed and module count against it)
  explicit GlobalMemory(std::uint64_t capacity);
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  /// From now on allocations are far apart, so that an overrun does not hit the next one: by their size, but at least
  /// 64 KiB and at most 1 MiB. Costs addresses, not memory, and does not count as used.
  void set_red_zones(bool value);

  /// Adds a device with memory of its own, at addresses that no other device has.
  void add_device(std::uint64_t capacity);

  /// @returns nullptr if the capacity or the address range is exhausted. Contents are unspecified but deterministic
  /// (filled with a poison byte for MemoryKind::device; zero for the others).
  const Allocation* allocate(std::uint64_t bytes, MemoryKind kind, std::uint64_t alignment = 256, std::string name = {},
                             unsigned device = 0);
  /// From now on these devices may access the memory of @p owner, except mapped memory and that of pools.
  void set_access(unsigned owner, DeviceSet devices);
  DeviceSet access(unsigned owner) const;
  /// @p device, too, may access the allocation that starts at @p address.
  void allow(std::uint64_t address, unsigned device);
  /// The allocation that starts at @p address belongs to a pool, and these devices may access it.
  void set_pool_access(std::uint64_t address, DeviceSet devices);
  /// Makes host memory [host, host + bytes) accessible to kernels at its own address (cudaHostRegister).
  /// @param here where its bytes are in this process: at the same address, unless the memory belongs to another process
  const Allocation* register_host(void* host, std::uint64_t bytes, std::byte* here);
  const Allocation* register_host(void* host, std::uint64_t bytes) {
    return register_host(host, bytes, static_cast<std::byte*>(host));
  }
  /// From now on the bytes of the allocation that starts at @p address are at @p host.
  void place(std::uint64_t address, std::byte* host);
  /// Frees the allocation that starts at @p address. @returns false if there is none.
  bool free(std::uint64_t address);
  /// The memory that starts at @p address is gone for now but keeps its address: find() does not see it, and it does
  /// not count as used. @returns false if there is none
  bool hide(std::uint64_t address);
  /// Undoes hide(); the contents are as after allocate(). @returns false if nothing is hidden there or the capacity is
  /// exhausted
  bool reveal(std::uint64_t address);
  /// The hidden memory that contains @p address, or nullptr.
  const Allocation* hidden(std::uint64_t address) const;
  /// The allocation at @p address is a constant. A kernel that has its address may write to it, as on an H200
  /// (2026-11-24), unless it is @p read_only.
  void set_constant(std::uint64_t address, bool read_only);

  // An allocation in pieces: find() finds each piece, and nothing between them. Used for the device heap with the check
  // `memory`.
  void divide(std::uint64_t address);
  void add_piece(std::uint64_t address, std::uint64_t bytes);
  /// find() no longer sees it. A caller that still holds the result of find() sees an empty piece, until
  /// forget_removed().
  void remove_piece(std::uint64_t address);
  void forget_removed();
  /// freed() no longer returns the piece that started at @p address: its addresses are used again.
  void forget_freed(std::uint64_t address);
  /// A divided allocation is found as a whole again.
  void unite();

  /// Addresses, memory and mappings that the program manages itself.
  VirtualMemory& virtual_memory();
  const VirtualMemory& virtual_memory() const;

  // What VirtualMemory is built on. Addresses that no allocation gets, and their bytes from @p offset of a file on (-1:
  // not mapped); memory that counts as used; allocations that stand for mappings.
  std::uint64_t reserve_addresses(std::uint64_t bytes, std::uint64_t alignment);
  void release_addresses(std::uint64_t address);
  bool back(std::uint64_t address, std::uint64_t bytes, int file, std::uint64_t offset = 0);
  bool take_capacity(std::uint64_t bytes, unsigned device);
  void give_capacity(std::uint64_t bytes, unsigned device);
  /// @param like gives the owner and the access rights
  void expose(std::uint64_t address, std::uint64_t bytes, const Allocation& like);
  void conceal(std::uint64_t address);
  /// Fills the beginning of a file like new device memory.
  static void poison(int file, std::uint64_t bytes);

  /// The live allocation that contains @p address, or nullptr. Logarithmic; callers cache the result.
  const Allocation* find(std::uint64_t address) const;
  /// The live allocation closest to @p address (for messages), or nullptr if there is none.
  const Allocation* nearest(std::uint64_t address) const;
  /// A freed allocation that contained @p address, or nullptr.
  const Allocation* freed(std::uint64_t address) const;

  std::uint64_t capacity(unsigned device = 0) const;
  std::uint64_t used(unsigned device = 0) const;
  std::vector<const Allocation*> live() const;

  /// True if @p address is in the range of device addresses.
  static bool is_device(std::uint64_t address) { return address - kBase < kBytes; }
  /// True if the host cannot read it, whatever is allocated there (for the SIGSEGV message).
  static bool is_device_only(std::uint64_t address) { return address - kBase < kHostBegin - kBase; }

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpbook::simulator
