// Arrays that belong to the owner of the device, in its own process: a grader's inputs and outputs.
//
// Their contents never pass through the program: the device fills inputs, poisons outputs, and reads outputs from its
// own memory. So a program can only choose which of its memory is an output; it cannot forge values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "common/simulator/remote/calls.h"

extern "C" {
/// Requests an array (ArrayKind). Only the libraries of remote/front export this; a program looks it up.
/// @param element the element type, in the owner's numbers @param bytes the size, which must be the one that the owner
/// knows
/// @param address for `bind_...`: where the program has it; for `host_contents`: where it wants it; otherwise receives
/// where it is @returns 0, or an error: ArrayError
__attribute__((visibility("default"))) int warpbookArray(int kind, const char* name, int element, std::uint64_t bytes,
                                                         void** address);
}

namespace warpbook::simulator::remote {

enum class ArrayError : std::int32_t {
  none,
  unknown,        ///< The owner has no array with this name.
  wrong_size,     ///< Its size is different.
  taken,          ///< It was already handed out, in another way or to another requester.
  no_memory,      ///< It does not fit in device memory.
  no_such_place,  ///< `bind_...`: the address is not the start of pinned or managed memory of this size.
};

/// The owner: the process that started the device.
class ArrayOwner {
 public:
  virtual ~ArrayOwner() = default;

  struct Answer {
    ArrayError error = ArrayError::none;
    std::uint64_t address = 0;
    std::span<const std::byte> contents;  ///< What the program's memory at the address must contain, if anything.
  };
  /// Called with the runtime's lock held. Requests come from an untrusted program.
  virtual Answer ask(ArrayKind kind, const std::string& name, int element, std::uint64_t bytes,
                     std::uint64_t address) = 0;

  /// Bytes of the program's ordinary memory that are not an array are about to be copied to the device. The owner may
  /// change them.
  virtual void arriving(std::span<std::byte> bytes) { static_cast<void>(bytes); }
};

}  // namespace warpbook::simulator::remote
