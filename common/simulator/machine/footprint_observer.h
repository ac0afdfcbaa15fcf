// Who wants to know what a grid touched: shown the footprints of its workers when it has run.
#pragma once

#include <functional>
#include <vector>

#include "common/simulator/observe/footprint.h"

namespace warpbook::simulator {

/// While one lives, it is called for every grid that ends on this host thread, with the footprint of each worker.
/// They are valid during the call only.
class FootprintObserver {
 public:
  using Footprints = std::vector<const Footprint*>;
  explicit FootprintObserver(std::function<void(const Footprints&)> receive);
  ~FootprintObserver();
  FootprintObserver(const FootprintObserver&) = delete;
  FootprintObserver& operator=(const FootprintObserver&) = delete;

  /// A grid has run.
  static void notify(const Footprints& footprints);

 private:
  std::function<void(const Footprints&)> receive_;
  FootprintObserver* before_;
};

}  // namespace warpbook::simulator
