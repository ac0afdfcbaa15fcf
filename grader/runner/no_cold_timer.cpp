// Cold times on the virtual GPU: there are none.
#include <stdexcept>

#include "grader/runner/cold_timer.h"

namespace warpbook::grader {

double time_cold(const std::function<void()>&) {
  throw std::logic_error("a cold time is asked for, but the virtual GPU predicts times; only a real one is measured");
}

}  // namespace warpbook::grader
