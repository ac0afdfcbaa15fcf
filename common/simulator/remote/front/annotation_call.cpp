// Sends a program's NVTX annotations to the device. NVTX's functions are the virtual GPU's own
// (runtime/nvtx_injection.cpp).
#include "common/simulator/remote/annotation_wire.h"
#include "common/simulator/remote/front/process.h"

namespace warpbook::simulator::runtime {

std::int64_t annotate(const AnnotationCall& call) {
  remote::Exchange exchange(remote::Call::annotation);
  remote::put(exchange.arguments(), call);
  return exchange.ask().get<std::int64_t>();
}

}  // namespace warpbook::simulator::runtime
