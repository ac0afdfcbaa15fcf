// Which words of a block's shared memory threads have stored without telling the asynchronous proxy.
//
// Copies in bulk and warpgroup products read shared memory by a path of their own, the asynchronous proxy. A barrier
// puts them behind a thread's store, but they see what it stored only if a fence.proxy.async lies between: of the
// thread itself, or of a thread that the store is before (PTX memory model, "Proxies"). Which store is before which
// fence is kept by one clock for the block that moves on when threads meet, by whatever means: that takes too many for
// fenced, and never too few.
#pragma once

#include <cstdint>
#include <vector>

namespace warpbook::simulator {

class ProxyFences {
 public:
  struct Store {
    std::uint32_t time = 0;  ///< 0: none that matters.
    std::uint16_t thread = 0, site = 0;
  };

  /// A block starts that is followed, with so many bytes and threads.
  void start(std::uint32_t bytes, std::uint32_t threads);
  void stop() { words_.clear(); }
  bool is_followed() const { return !words_.empty(); }

  /// A thread has stored [@p begin, @p begin + @p bytes).
  void stored(std::uint32_t begin, std::uint32_t bytes, std::uint32_t thread, std::uint32_t site);
  /// The asynchronous proxy itself has.
  void stored_by_proxy(std::uint32_t begin, std::uint32_t bytes);
  /// A fence.proxy.async of a thread.
  void fence(std::uint32_t thread);
  /// Threads have met, or one has learned of another.
  void met() { met_ = ++time_; }

  struct Unfenced {
    Store store;
    std::uint32_t address = 0;  ///< Of the word.
  };
  /// The first word there that no fence has told of. @returns whether there is one
  bool find_unfenced(std::uint32_t begin, std::uint32_t bytes, Unfenced& found) const;

 private:
  std::vector<Store> words_;
  std::vector<std::uint32_t> fenced_;  ///< By thread: all that it stored before this time is known.
  std::uint32_t time_ = 1, met_ = 0;
  std::uint32_t fenced_all_ = 0;  ///< All that anybody stored before this time is known.
};

}  // namespace warpbook::simulator
