// Who wants to know what a grid touched: shown the footprints of its workers when it has run.
#pragma once

#include <functional>
#include <vector>

#include "common/simulator/observe/footprint.h"

namespace warpbook::simulator {

/// While it is the latest that lives on this host thread, it is called for every grid that ends, with the footprint of
/// each worker.
/// They are valid during the call only.
class FootprintObserver {
 public:
  using Footprints = std::vector<const Footprint*>;
  /// @param first_block gets the footprint of block 0 alone, before the rest of its grid has run; also that of a run
  /// that is then undone and made again. Not called if block 0 waits for other blocks.
  /// @param pause gets what a grid has touched so far, when it waits
  FootprintObserver(std::function<void(const Footprint&)> first_block, std::function<void(const Footprints&)> grid,
                    std::function<void(const Footprints&)> pause);
  ~FootprintObserver();
  FootprintObserver(const FootprintObserver&) = delete;
  FootprintObserver& operator=(const FootprintObserver&) = delete;

  static void notify_first_block(const Footprint& footprint);
  /// A grid waits for what is written outside of it. Called with what all of its blocks have touched so far.
  static void notify_pause(const Footprint& footprint);
  /// A grid has run.
  static void notify(const Footprints& footprints);

 private:
  std::function<void(const Footprint&)> first_block_;
  std::function<void(const Footprints&)> grid_, pause_;
  FootprintObserver* before_;
};

}  // namespace warpbook::simulator
