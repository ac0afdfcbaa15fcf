// The program as seen by the device's process: at the other end of a socket, with shared memory.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "common/simulator/remote/wire.h"
#include "common/simulator/runtime/host.h"

namespace warpbook::simulator::remote {

/// Collects what the program must be told, until the next answer is sent.
///
/// The bytes of managed memory are here; the program works on copies in the shared file, of the pages that it may
/// access at the time. Pinned and registered memory is only in the shared file, except for bound memory: its bytes are
/// here, too, and whatever the program writes there is ignored.
class RemoteHost : public runtime::Host {
 public:
  RemoteHost();

  int memory_file() const { return file_; }
  /// The program is gone: from now on messages go to this process's own output.
  void end() { ended_ = true; }

  void print(std::string_view text, bool is_error) override;
  void complain(const std::string& line) override;
  bool protect(std::uint64_t address, std::uint64_t bytes, int rights) override;
  bool limit(std::uint64_t address, std::uint64_t bytes, int rights) override;
  void forget(std::uint64_t address, std::uint64_t bytes) override;
  bool is_apart() const override { return true; }
  void fetch(std::uint64_t address, std::uint64_t bytes) override;
  void show(std::uint64_t address, std::uint64_t bytes) override;
  std::vector<Range> copied_pinned() const override { return bound_pinned_; }
  std::byte* pinned(std::uint64_t address, std::uint64_t bytes) override;
  std::byte* registered(std::uint64_t address, std::uint64_t bytes) override;
  void unpin(std::uint64_t address, std::uint64_t bytes) override;
  void publish(const void* pointer, std::uint64_t address) override;
  std::size_t other_threads(std::size_t own) override;
  void pause(std::chrono::microseconds time) override;
  void run(std::uint64_t function, std::uint64_t data) override;
  void read(std::uint64_t address, std::span<std::byte> to) override;
  void write(std::uint64_t address, std::span<const std::byte> from) override;

  /// The thread of the program that waits for an answer now: its connection, and the owner of arrays. Calls that it
  /// makes while it responds to a request are handled by @p session.
  void set_caller(int channel, struct Session* session) {
    channel_ = channel;
    session_ = session;
  }

  /// Held while a call of the program is handled: its effects are sent with its own answer.
  std::mutex& call_lock() { return call_lock_; }

  /// The memory at @p address belongs to the device alone from now on: whatever the program writes there is ignored.
  /// The program sees the device's contents at @p own. @param is_pinned pinned or registered, not managed
  void bind(std::uint64_t address, std::uint64_t bytes, std::byte* own, bool is_pinned);
  void unbind(std::uint64_t address);
  bool is_bound(std::uint64_t address) const { return own_of(address) != nullptr; }
  bool is_array(std::uint64_t address) const override;
  /// The same for the program's ordinary memory, which only copies access: they read from @p bytes and write to it,
  /// whatever the program has at that address.
  void bind_pageable(std::uint64_t address, std::span<std::byte> bytes) { pageable_[address] = bytes; }
  /// The bytes of [@p address, @p address + @p size), if all of it is bound in this way.
  std::span<std::byte> pageable(std::uint64_t address, std::uint64_t size) const;
  /// Memory of this process that holds such bytes at the moment.
  void set_on_their_way(const void* memory) { on_their_way_ = reinterpret_cast<std::uint64_t>(memory); }
  /// The program always has a copy of this bound memory: it is pinned or registered.
  bool is_pinned_copy(std::uint64_t address) const;
  /// The program's copy of pinned, registered or managed memory.
  const std::byte* copy_of(std::uint64_t address) const { return shared(address); }

  /// Puts the collected effects in front of an answer to @p session.
  void put_effects(Writer& to, struct Session& session);

 private:
  void effect(Effect what);
  struct Bound {
    std::uint64_t bytes = 0;
    std::byte* own = nullptr;
  };
  std::byte* shared(std::uint64_t address) const;
  void give_back(std::uint64_t address, std::uint64_t bytes);
  /// The device's byte for @p address, if that is bound.
  const std::byte* own_of(std::uint64_t address) const;
  static const std::uint64_t kFirst;
  int file_ = -1;
  std::byte* shared_ = nullptr;  ///< Managed and pinned memory as the program sees it.
  bool ended_ = false;
  std::map<std::uint64_t, Range> registered_;  ///< Program address to the mapping here.
  std::map<std::uint64_t, Bound> bound_;
  std::vector<Range> bound_pinned_;
  std::map<std::uint64_t, std::span<std::byte>> pageable_;
  std::uint64_t on_their_way_ = 0;
  std::vector<std::byte> ask(const Writer& question);
  std::mutex call_lock_;
  int channel_ = -1;
  struct Session* session_ = nullptr;
  Writer effects_;
  std::uint32_t count_ = 0;
  std::uint64_t answers_ = 0;  ///< Number of answers with effects.
};

/// The program's host. Created on first use, and set as the runtime's host.
RemoteHost& remote_host();

}  // namespace warpbook::simulator::remote
