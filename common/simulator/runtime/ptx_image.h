// Images that look like machine code and carry PTX: what is handed out where a program asks for a cubin.
//
// An ELF file of NVIDIA's kind (machine EM_CUDA), so that programs which look at its head, or take its length from it,
// find what they expect. Its sections hold PTX texts that belong together, and machine code if there is some, from
// which only the figures of ptxas are taken. The section headers come last.
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

/// True for the first bytes of what write_ptx_image() made. @param image at least 4 bytes; 16 if it begins as ELF does
bool is_ptx_image(const void* image);

/// The bytes of an image.
std::string write_ptx_image(const PtxImage& image);

/// How long the image is that begins at @p image, for which is_ptx_image() holds.
std::size_t ptx_image_bytes(const void* image);

/// What is in an image. Nothing if it is damaged or none.
std::optional<PtxImage> read_ptx_image(std::span<const std::byte> image);

}  // namespace warpbook::simulator::runtime
