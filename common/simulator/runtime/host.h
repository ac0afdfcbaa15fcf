// The program that uses the device, as the runtime sees it: the process that it is in or, where the device has a
// process of its own (remote/), another one.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook::simulator::runtime {

/// What the runtime does to the program outside of the calls that the program makes. As it stands, for a program in
/// this process. Called with the runtime's lock held.
class Host {
 public:
  virtual ~Host() = default;

  /// What kernels printed.
  virtual void print(std::string_view text, bool is_error);
  /// One line for the standard error, without its end.
  virtual void complain(const std::string& line);

  /// Gives the program's code access rights (mprotect's) to managed memory. @returns false if the system refuses
  virtual bool protect(std::uint64_t address, std::uint64_t bytes, int rights);
  /// The same for pinned memory, and without a change of what the program sees there.
  virtual bool limit(std::uint64_t address, std::uint64_t bytes, int rights) { return protect(address, bytes, rights); }
  /// Managed memory is freed: the program may do with its addresses what it likes.
  virtual void forget(std::uint64_t address, std::uint64_t bytes);

  /// The program's code works on copies of managed memory in another process. Then the next two bring these up to date.
  virtual bool is_apart() const { return false; }
  /// The device is about to use memory that the program's code may have written.
  virtual void fetch(std::uint64_t, std::uint64_t) {}
  /// The device has written memory that the program's code may read.
  virtual void show(std::uint64_t, std::uint64_t) {}

  /// Pinned memory of which the program has a copy, too: it is shown what the device writes there.
  struct Range {
    std::uint64_t address = 0, bytes = 0;
  };
  virtual std::vector<Range> copied_pinned() const { return {}; }

  /// Managed or pinned memory that belongs to who started the device (remote/arrays.h).
  virtual bool is_array(std::uint64_t) const { return false; }

  /// Where the bytes of pinned memory are for this process; nullptr: at their address.
  virtual std::byte* pinned(std::uint64_t, std::uint64_t) { return nullptr; }
  /// The same of memory that the program registers; nullptr if there can be none. Asked only where the host is apart.
  virtual std::byte* registered(std::uint64_t, std::uint64_t) { return nullptr; }
  /// Pinned memory is freed, or registered memory is the program's alone again.
  virtual void unpin(std::uint64_t, std::uint64_t) {}

  /// The program's threads but the one that waits for the device, and but @p own threads of this library.
  virtual std::size_t other_threads(std::size_t own);
  /// Waits for so long, with the program's other threads free to make calls.
  virtual void pause(std::chrono::microseconds time);

  /// Runs a function of the program, with what the program gave for it.
  virtual void run(std::uint64_t function, std::uint64_t data);
  /// Reads and writes the program's ordinary memory.
  virtual void read(std::uint64_t address, std::span<std::byte> to);
  virtual void write(std::uint64_t address, std::span<const std::byte> from);

  /// Writes the address of a managed variable to the pointer through which the program reaches it.
  virtual void publish(const void* pointer, std::uint64_t address);
};

/// The program's.
Host& host();
/// Takes the place of the host; it must outlive the process. Call it before the runtime is made.
void set_host(Host& host);

}  // namespace warpbook::simulator::runtime
