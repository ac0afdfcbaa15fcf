// Any bytes as a fat binary: it is read, or rejected with a message.
//
// A container states its own length, and as in CUDA's interface the caller guarantees that many bytes. So the length is
// cut to what is there; the fuzzer chooses everything else.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "common/simulator/runtime/fat_binary.h"
#include "common/simulator/runtime/fat_binary_layout.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpbook::simulator::runtime;
  ContainerHeader header;
  if (size < sizeof header) return 0;
  std::vector<std::uint8_t> bytes(data, data + size);  // Of exactly this size, so that the sanitizer sees a read one
                                                       // byte past the end.
  std::memcpy(&header, bytes.data(), sizeof header);
  header.header_bytes = static_cast<std::uint16_t>(std::min<std::size_t>(header.header_bytes, size));
  header.bytes = std::min<std::uint64_t>(header.bytes, size - header.header_bytes);
  std::memcpy(bytes.data(), &header, sizeof header);
  try {
    const FatBinaryContainer container = read_container(bytes.data());
    (void)choose_ptx(container, 90);
    (void)choose_cubin(container, 90);
    for (const FatBinaryEntry& entry : container.entries) {
      try {
        (void)entry.read();
      } catch (const FatBinaryError&) {
      }
    }
  } catch (const FatBinaryError&) {
  }
  return 0;
}
