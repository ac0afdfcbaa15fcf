// Which words of a block's shared memory have been stored without making the stores visible to the async proxy.
//
// Bulk copies and wgmma read shared memory through a path of their own, the async proxy. A barrier orders them after a
// thread's store, but they see its value only if a fence.proxy.async lies between: by the thread itself, or by a thread
// that is ordered after the store (PTX memory model, "Proxies"). The order of stores and fences is approximated by one
// clock for the block, which advances whenever threads synchronise in any way: that treats too many stores as fenced,
// never too few.
#pragma once

#include <cstdint>
#include <vector>

namespace warpbook::simulator {

class ProxyFences {
 public:
  struct Store {
    std::uint32_t time = 0;  ///< 0: there is no store to report.
    std::uint16_t thread = 0, site = 0;
  };

  /// A block starts that is tracked, with this many bytes and threads.
  void start(std::uint32_t bytes, std::uint32_t threads);
  void stop() { words_.clear(); }
  bool is_followed() const { return !words_.empty(); }

  /// A thread has stored [@p begin, @p begin + @p bytes).
  void stored(std::uint32_t begin, std::uint32_t bytes, std::uint32_t thread, std::uint32_t site);
  /// The async proxy itself has stored there.
  void stored_by_proxy(std::uint32_t begin, std::uint32_t bytes);
  /// A fence.proxy.async of a thread.
  void fence(std::uint32_t thread);
  /// Threads have synchronised, or one has acquired what another released.
  void met() { met_ = ++time_; }

  struct Unfenced {
    Store store;
    std::uint32_t address = 0;  ///< Of the word.
  };
  /// The first word there that no fence has covered. @returns whether there is one
  bool find_unfenced(std::uint32_t begin, std::uint32_t bytes, Unfenced& found) const;

 private:
  std::vector<Store> words_;
  std::vector<std::uint32_t> fenced_;  ///< By thread: everything that it stored before this time is visible.
  std::uint32_t time_ = 1, met_ = 0;
  std::uint32_t fenced_all_ = 0;  ///< Everything that any thread stored before this time is visible.
};

}  // namespace warpbook::simulator
