// Tells the device about unsupported calls.
#include "common/simulator/remote/front/unsupported.h"

#include "common/simulator/remote/front/process.h"

namespace warpbook::simulator::remote {
namespace {

int tell(Call call, const char* name) {
  Exchange exchange(call);
  exchange.arguments().text(name);
  return exchange.ask().get<std::int32_t>();
}

}  // namespace

int unsupported_call(const char* name) { return tell(Call::unsupported, name); }
int unsupported_driver_call(const char* name) { return tell(Call::unsupported_driver, name); }

}  // namespace warpbook::simulator::remote
