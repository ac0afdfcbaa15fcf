// What a finding says of memory in the device heap: which allocation it was, and where it was made and freed.
#pragma once

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

/// Called before a grid runs whose kernels may call malloc or free, and when it has ended.
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

/// If the address of @p finding is in the device heap: names the allocation, and adds the calls that made and freed it.
void add_heap_piece(const Runtime& runtime, std::uint64_t address, CheckFinding& finding);

}  // namespace warpbook::simulator::runtime
