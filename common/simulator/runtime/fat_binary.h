// What nvcc embeds in a program: containers of PTX text and cubins, plain or compressed.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook::simulator::runtime {

/// What is wrong with an embedded binary, and what to do about it.
class FatBinaryError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One image in a container, still compressed.
struct FatBinaryEntry {
  enum class Kind : std::uint8_t { ptx, cubin, lto_ir, other };
  Kind kind = Kind::other;
  unsigned architecture = 0;  ///< 90 for sm_90 and compute_90
  std::uint64_t flags = 0;
  const std::byte* payload = nullptr;
  std::uint64_t payload_bytes = 0;
  std::uint64_t plain_bytes = 0;  ///< Size when decompressed; 0 if it is not compressed.

  /// The image itself: PTX text without padding, or an ELF file. @throws FatBinaryError
  std::string read() const;
};

/// One container: the images of one translation unit (or of the device link).
struct FatBinaryContainer {
  std::vector<FatBinaryEntry> entries;
  std::string_view bytes;  ///< All of it, with its header.
};

/// The containers of a registered wrapper: one, or with -rdc=true the linked image first and then one for each
/// translation unit. @throws FatBinaryError
std::vector<FatBinaryContainer> read_fat_binary(const void* wrapper);

/// Reads one container at @p data. @throws FatBinaryError
FatBinaryContainer read_container(const void* data);

/// The containers in an object file or an archive of some, as nvcc -c writes them, wherever they lie in it.
std::vector<FatBinaryContainer> containers_in(std::string_view file);

/// The PTX that is closest to the device: the highest architecture up to @p architecture, otherwise the lowest above.
/// nullptr if the container has none.
const FatBinaryEntry* choose_ptx(const FatBinaryContainer& container, unsigned architecture);

/// The same for LTO-IR.
const FatBinaryEntry* choose_lto_ir(const FatBinaryContainer& container, unsigned architecture);

/// The cubin for exactly @p architecture, or nullptr.
const FatBinaryEntry* choose_cubin(const FatBinaryContainer& container, unsigned architecture);

}  // namespace warpbook::simulator::runtime
