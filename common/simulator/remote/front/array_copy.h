// Copies of arrays that come from the driver API.
#pragma once

namespace warpbook::simulator::remote {

/// While one lives, copies of arrays of this thread are those of the driver: they leave cudaGetLastError alone.
class ArrayCopiesOfDriver {
 public:
  ArrayCopiesOfDriver();
  ~ArrayCopiesOfDriver();
  ArrayCopiesOfDriver(const ArrayCopiesOfDriver&) = delete;
  ArrayCopiesOfDriver& operator=(const ArrayCopiesOfDriver&) = delete;
};

}  // namespace warpbook::simulator::remote
