// Records stores by word and fences by thread.
#include "common/simulator/observe/proxy_fences.h"

#include <algorithm>

namespace warpbook::simulator {
namespace {

constexpr std::uint32_t kWordBytes = 4;

}  // namespace

void ProxyFences::start(std::uint32_t bytes, std::uint32_t threads) {
  words_.assign((bytes + kWordBytes - 1) / kWordBytes, {});
  fenced_.assign(threads, 0);
  time_ = 1;
  met_ = fenced_all_ = 0;
}

void ProxyFences::stored(std::uint32_t begin, std::uint32_t bytes, std::uint32_t thread, std::uint32_t site) {
  const std::size_t end = std::min<std::size_t>((begin + bytes + kWordBytes - 1) / kWordBytes, words_.size());
  for (std::size_t word = begin / kWordBytes; word < end; ++word)
    words_[word] = {time_, static_cast<std::uint16_t>(thread), static_cast<std::uint16_t>(site)};
}

void ProxyFences::stored_by_proxy(std::uint32_t begin, std::uint32_t bytes) {
  const std::size_t end = std::min<std::size_t>((begin + bytes + kWordBytes - 1) / kWordBytes, words_.size());
  for (std::size_t word = begin / kWordBytes; word < end; ++word) words_[word] = {};
}

void ProxyFences::fence(std::uint32_t thread) {
  if (!is_followed()) return;
  fenced_[thread] = ++time_;
  fenced_all_ = std::max(fenced_all_, met_);
}

bool ProxyFences::find_unfenced(std::uint32_t begin, std::uint32_t bytes, Unfenced& found) const {
  const std::size_t end = std::min<std::size_t>((begin + bytes + kWordBytes - 1) / kWordBytes, words_.size());
  for (std::size_t word = begin / kWordBytes; word < end; ++word) {
    const Store& store = words_[word];
    if (store.time == 0 || store.time < fenced_all_ || store.time < fenced_[store.thread]) continue;
    found = {store, static_cast<std::uint32_t>(word) * kWordBytes};
    return true;
  }
  return false;
}

}  // namespace warpbook::simulator
