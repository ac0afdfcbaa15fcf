// The observers of each host thread.
#include "common/simulator/machine/footprint_observer.h"

#include <utility>

namespace warpbook::simulator {
namespace {
thread_local FootprintObserver* latest = nullptr;
}

FootprintObserver::FootprintObserver(std::function<void(const Footprint&)> first_block,
                                     std::function<void(const Footprints&)> grid,
                                     std::function<void(const Footprints&)> pause)
    : first_block_(std::move(first_block)),
      grid_(std::move(grid)),
      pause_(std::move(pause)),
      before_(std::exchange(latest, this)) {}

FootprintObserver::~FootprintObserver() { latest = before_; }

void FootprintObserver::notify_first_block(const Footprint& footprint) {
  if (latest != nullptr) latest->first_block_(footprint);
}

void FootprintObserver::notify_pause(const Footprint& footprint) {
  if (latest != nullptr) latest->pause_({&footprint});
}

void FootprintObserver::notify(const Footprints& footprints) {
  if (latest != nullptr) latest->grid_(footprints);
}

}  // namespace warpbook::simulator
