// What a finding says of memory of the device's heap: which piece it was, and where it was made and freed.
#pragma once

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

/// Before a grid runs whose kernels may call malloc or free, and when it has ended.
class HeapCheck {
 public:
  explicit HeapCheck(Runtime& runtime);
  ~HeapCheck();
  HeapCheck(const HeapCheck&) = delete;
  HeapCheck& operator=(const HeapCheck&) = delete;

 private:
  Runtime& runtime_;
};

/// The call of malloc or free in a kernel.
CheckSite heap_site(const Runtime& runtime, const HeapCall& call, const char* role);

/// If @p finding is of an address in the device's heap: says of which piece, and adds the calls that made and freed it.
void add_heap_piece(const Runtime& runtime, std::uint64_t address, CheckFinding& finding);

}  // namespace warpbook::simulator::runtime
