// Keeps the observers of each host thread.
#include "common/simulator/machine/footprint_observer.h"

#include <utility>

namespace warpbook::simulator {
namespace {
thread_local FootprintObserver* latest = nullptr;
}

FootprintObserver::FootprintObserver(std::function<void(const Footprints&)> receive)
    : receive_(std::move(receive)), before_(std::exchange(latest, this)) {}

FootprintObserver::~FootprintObserver() { latest = before_; }

void FootprintObserver::notify(const Footprints& footprints) {
  for (FootprintObserver* one = latest; one != nullptr; one = one->before_) one->receive_(footprints);
}

}  // namespace warpbook::simulator
