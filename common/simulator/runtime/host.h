// The program that uses the device, as the runtime sees it: in the runtime's process or, if the device has a process of
// its own (remote/), in another one.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook::simulator::runtime {

/// What the runtime does to the program outside of the calls that the program makes. The base class is for a program in
/// this process. Called with the runtime's lock held.
class Host {
 public:
  virtual ~Host() = default;

  /// Prints output of kernels.
  virtual void print(std::string_view text, bool is_error);
  /// Writes one line to standard error; @p line has no newline.
  virtual void complain(const std::string& line);

  /// Sets access rights (as for mprotect) for the program's code to managed memory. @returns false if the system
  /// refuses
  virtual bool protect(std::uint64_t address, std::uint64_t bytes, int rights);
  /// The same for pinned memory, without changing what the program sees there.
  virtual bool limit(std::uint64_t address, std::uint64_t bytes, int rights) { return protect(address, bytes, rights); }
  /// Managed memory is freed: the program may reuse its addresses.
  virtual void forget(std::uint64_t address, std::uint64_t bytes);

  /// The program's code works on copies of managed memory in another process. Then the next two functions update them.
  virtual bool is_apart() const { return false; }
  /// The device is about to use memory that the program's code may have written.
  virtual void fetch(std::uint64_t, std::uint64_t) {}
  /// The device has written memory that the program's code may read.
  virtual void show(std::uint64_t, std::uint64_t) {}

  /// Pinned memory of which the program has a copy: it gets to see what the device writes there.
  struct Range {
    std::uint64_t address = 0, bytes = 0;
  };
  virtual std::vector<Range> copied_pinned() const { return {}; }

  /// Managed or pinned memory that belongs to the process that started the device (remote/arrays.h).
  virtual bool is_array(std::uint64_t) const { return false; }

  /// Where this process can access the bytes of pinned memory; nullptr: at their address.
  virtual std::byte* pinned(std::uint64_t, std::uint64_t) { return nullptr; }
  /// The same for memory that the program registers; nullptr if it is not possible. Only called if is_apart().
  virtual std::byte* registered(std::uint64_t, std::uint64_t) { return nullptr; }
  /// Pinned memory is freed, or memory is unregistered.
  virtual void unpin(std::uint64_t, std::uint64_t) {}

  /// The number of the program's threads, except the one that waits for the device and @p own threads of this library.
  virtual std::size_t other_threads(std::size_t own);
  /// Waits that long, while the program's other threads can make calls.
  virtual void pause(std::chrono::microseconds time);

  /// Runs a function of the program with the program's argument.
  virtual void run(std::uint64_t function, std::uint64_t data);
  /// Reads and writes the program's ordinary memory.
  virtual void read(std::uint64_t address, std::span<std::byte> to);
  virtual void write(std::uint64_t address, std::span<const std::byte> from);

  /// Writes the address of a managed variable to the pointer through which the program accesses it.
  virtual void publish(const void* pointer, std::uint64_t address);
};

/// The current host.
Host& host();
/// Replaces the host; @p host must outlive the process. Call it before the runtime is created.
void set_host(Host& host);

}  // namespace warpbook::simulator::runtime
