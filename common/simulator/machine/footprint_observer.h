// An observer that is given the footprints of a grid's workers after it has run.
#pragma once

#include <functional>
#include <vector>

#include "common/simulator/observe/footprint.h"

namespace warpbook::simulator {

/// As long as it is the latest one on this host thread, it is called for every grid that ends, with the footprint of
/// each worker. The footprints are valid only during the call.
class FootprintObserver {
 public:
  using Footprints = std::vector<const Footprint*>;
  /// @param first_block receives the footprint of block 0 alone, before the rest of its grid has run; also for a run
  /// that is later undone and repeated. Not called if block 0 waits for other blocks.
  /// @param pause receives what a grid has touched so far when it waits
  FootprintObserver(std::function<void(const Footprint&)> first_block, std::function<void(const Footprints&)> grid,
                    std::function<void(const Footprints&)> pause);
  ~FootprintObserver();
  FootprintObserver(const FootprintObserver&) = delete;
  FootprintObserver& operator=(const FootprintObserver&) = delete;

  static void notify_first_block(const Footprint& footprint);
  /// A grid waits for something written outside it. Called with what all of its blocks have touched so far.
  static void notify_pause(const Footprint& footprint);
  /// A grid has run.
  static void notify(const Footprints& footprints);

 private:
  std::function<void(const Footprint&)> first_block_;
  std::function<void(const Footprints&)> grid_, pause_;
  FootprintObserver* before_;
};

}  // namespace warpbook::simulator
