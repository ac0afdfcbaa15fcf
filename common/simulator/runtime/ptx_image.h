// Images that look like cubins but contain PTX: returned where a program asks for a cubin.
//
// An ELF file like NVIDIA's (machine EM_CUDA), so that programs that read its header, or compute its length from it,
// find what they expect. Its sections contain PTX texts that belong together and optionally machine code, from which
// only the resource numbers of ptxas are used. The section headers come last.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warpbook::simulator::runtime {

struct PtxImage {
  std::vector<std::string> ptx;
  std::string cubin;          ///< As NVIDIA's compiler made it, or empty.
  unsigned architecture = 0;  ///< Of the cubin: 90; 0 if unknown.
};

/// True for the first bytes of an image of write_ptx_image(). @param image at least 4 bytes; 16 if it begins like ELF
bool is_ptx_image(const void* image);

/// The bytes of an image.
std::string write_ptx_image(const PtxImage& image);

/// The size of the image at @p image, for which is_ptx_image() holds.
std::size_t ptx_image_bytes(const void* image);

/// The contents of an image. Nothing if it is damaged or not such an image.
std::optional<PtxImage> read_ptx_image(std::span<const std::byte> image);

}  // namespace warpbook::simulator::runtime
