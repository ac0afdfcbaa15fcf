// Walks the program's stack.
#include "common/simulator/runtime/host_places.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>

#include <algorithm>
#include <filesystem>

namespace warpbook::simulator::runtime {
namespace {

constexpr int kDeepest = 32;        // Frames that are examined: those of this library come first.
constexpr std::size_t kFrames = 6;  // Frames that are kept: wrappers of the toolkit's headers, and their callers.

/// The virtual GPU: this library, and the driver library built on it.
bool is_own(const Dl_info& info) {
  static const void* const own = [] {
    Dl_info here{};
    dladdr(reinterpret_cast<const void*>(&is_own), &here);
    return static_cast<const void*>(here.dli_fbase);
  }();
  if (info.dli_fbase == own) return true;
  const std::string_view name(info.dli_fname == nullptr ? "" : info.dli_fname);
  return name.substr(name.rfind('/') + 1) == "libcuda.so.1";
}

}  // namespace

HostPlaces::HostPlaces(bool wanted) : wanted_(wanted), places_(1) {
  // The first walk loads a library, which must not happen in a signal handler.
  void* frames[1];
  if (wanted_) backtrace(frames, 1);
}

std::size_t HostPlaces::number_of_file(const char* name) {
  // The main program has an empty name here.
  std::error_code error;
  const std::string path =
      name == nullptr || *name == '\0' ? std::filesystem::read_symlink("/proc/self/exe", error).string() : name;
  const auto found = std::find(files_.begin(), files_.end(), path);
  if (found != files_.end()) return static_cast<std::size_t>(found - files_.begin());
  files_.push_back(path);
  return files_.size() - 1;
}

bool HostPlaces::frame_at(std::uint64_t address, HostFrame& frame) {
  Dl_info info{};
  link_map* map = nullptr;
  if (dladdr1(reinterpret_cast<const void*>(address), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 ||
      map == nullptr || is_own(info))
    return false;
  frame = {number_of_file(map->l_name), address - map->l_addr};
  return true;
}

std::size_t HostPlaces::number_of(std::vector<HostFrame> frames) {
  if (frames.empty()) return 0;
  const auto [place, fresh] = numbers_.try_emplace(frames, places_.size());
  if (fresh) places_.push_back(std::move(frames));
  return place->second;
}

std::size_t HostPlaces::here() {
  if (!wanted_) return 0;
  void* addresses[kDeepest];
  const int depth = backtrace(addresses, kDeepest);
  std::vector<HostFrame> frames;
  for (int i = 0; i < depth && frames.size() < kFrames; ++i) {
    HostFrame frame;
    // A return address is after its call, maybe on the next line.
    const auto call = reinterpret_cast<std::uint64_t>(addresses[i]) - 1;
    if (frame_at(call, frame)) {
      frames.push_back(frame);
    } else if (!frames.empty()) {
      break;  // This library called the program: a host function in a stream.
    }
  }
  return number_of(std::move(frames));
}

std::size_t HostPlaces::interrupted(std::uint64_t address) {
  if (!wanted_) return 0;
  void* addresses[kDeepest];
  void** const end = addresses + backtrace(addresses, kDeepest);
  std::vector<HostFrame> frames;
  HostFrame frame;
  if (frame_at(address, frame)) frames.push_back(frame);
  void** at = std::find(addresses, end, reinterpret_cast<void*>(address));
  for (at += at == end ? 0 : 1; at < end && frames.size() < kFrames; ++at)
    if (frame_at(reinterpret_cast<std::uint64_t>(*at) - 1, frame)) frames.push_back(frame);
  return number_of(std::move(frames));
}

const std::vector<HostFrame>& HostPlaces::frames(std::size_t number) const {
  return places_[number < places_.size() ? number : 0];
}

}  // namespace warpbook::simulator::runtime
