// Array copies that come from the driver API.
#pragma once

namespace warpbook::simulator::remote {

/// While one lives, this thread's array copies count as driver calls: they do not change cudaGetLastError.
class ArrayCopiesOfDriver {
 public:
  ArrayCopiesOfDriver();
  ~ArrayCopiesOfDriver();
  ArrayCopiesOfDriver(const ArrayCopiesOfDriver&) = delete;
  ArrayCopiesOfDriver& operator=(const ArrayCopiesOfDriver&) = delete;
};

}  // namespace warpbook::simulator::remote
