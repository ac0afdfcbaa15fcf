// Arrays that belong to who started the device in its own process: a grader's inputs and outputs.
//
// Their contents never pass through the program: the device fills inputs and poisons outputs, and takes outputs from
// its own memory. So the program can lie about nothing but which of its memory is an output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "common/simulator/remote/calls.h"

extern "C" {
/// Asks for an array (ArrayKind). Exported by the libraries of remote/front only: a program looks it up.
/// @param element what its elements are, in the owner's numbers @param bytes its size; it must be what the owner knows
/// @param address of `bind_...`: where the program has it; of `host_contents`: where it wants it; else receives where
/// it is @returns 0, or an error: ArrayError
__attribute__((visibility("default"))) int warpbookArray(int kind, const char* name, int element, std::uint64_t bytes,
                                                         void** address);
}

namespace warpbook::simulator::remote {

enum class ArrayError : std::int32_t {
  none,
  unknown,        ///< The owner has no array of this name.
  wrong_size,     ///< It has another size.
  taken,          ///< It was handed out before, another way or to somebody else.
  no_memory,      ///< It does not fit in device memory.
  no_such_place,  ///< `bind_...`: the address is not the beginning of pinned or managed memory of this size.
};

/// Who started the device.
class ArrayOwner {
 public:
  virtual ~ArrayOwner() = default;

  struct Answer {
    ArrayError error = ArrayError::none;
    std::uint64_t address = 0;
    std::span<const std::byte> contents;  ///< What the program's memory at the address is to hold, if anything.
  };
  /// Called with the runtime's lock held. Whatever is asked comes from a program that nobody trusts.
  virtual Answer ask(ArrayKind kind, const std::string& name, int element, std::uint64_t bytes,
                     std::uint64_t address) = 0;

  /// Bytes of the program's ordinary memory that is no array are about to be copied to the device. What the owner makes
  /// of them arrives.
  virtual void arriving(std::span<std::byte> bytes) { static_cast<void>(bytes); }
};

}  // namespace warpbook::simulator::remote
