// Sends copies from and to arrays to the device. The entry points are the virtual GPU's own
// (runtime/array_copy_api.cpp).
#include "common/simulator/runtime/array_copy.h"

#include "common/simulator/remote/front/array_copy.h"
#include "common/simulator/remote/front/copy.h"

namespace warpbook::simulator::remote {
namespace {

thread_local bool array_copies_of_driver = false;

CopySide side_of_array_copy(const runtime::ArrayCopySide& side) {
  return {side.base, side.pitch, side.slice_rows, side.array, side.x, side.y, side.z};
}

}  // namespace

ArrayCopiesOfDriver::ArrayCopiesOfDriver() { array_copies_of_driver = true; }
ArrayCopiesOfDriver::~ArrayCopiesOfDriver() { array_copies_of_driver = false; }

}  // namespace warpbook::simulator::remote

namespace warpbook::simulator::runtime {

cudaError_t copy_array(const ArrayCopy& copy) {
  remote::CopyMessage message;
  message.kind = remote::array_copies_of_driver ? remote::CopyKind::driver_array : remote::CopyKind::array;
  message.to = remote::side_of_array_copy(copy.to);
  message.from = remote::side_of_array_copy(copy.from);
  message.width = copy.width;
  message.height = copy.height;
  message.depth = copy.depth;
  message.direction = copy.kind;
  message.stream = copy.stream;
  message.blocking = copy.blocking;
  return static_cast<cudaError_t>(remote::copy(message));
}

}  // namespace warpbook::simulator::runtime
