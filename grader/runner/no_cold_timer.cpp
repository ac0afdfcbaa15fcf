// Cold times on the virtual GPU: there are none.
#include <stdexcept>

#include "grader/runner/cold_timer.h"

namespace warpbook::grader {

double time_cold(const std::function<void()>&) {
  throw std::logic_error("cold times can only be measured on a real GPU; the virtual GPU predicts times");
}

}  // namespace warpbook::grader
