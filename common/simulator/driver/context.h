// Contexts of the driver API: the primary one, which the runtime API uses too, and those that cuCtxCreate makes.
//
// A context belongs to a device, and all contexts of a device share its memory. A context only records what was created
// in it, so that destroying the context frees it.
#pragma once

#include <set>
#include <vector>

#include "common/simulator/driver/driver_api.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::driver {

/// What CUcontext points to.
struct Context {
  bool primary = false;
  unsigned device = 0;
  unsigned flags = 0;
  unsigned long long id = 0;
  bool green = false;         ///< Made by cuGreenCtxCreate, with a part of the multiprocessors.
  Partition partition;        ///< That part.
  void* gathering = nullptr;  ///< A stream in which events that wait for all others are recorded.
  int users = 0;              ///< Of the primary context: cuDevicePrimaryCtxRetain less cuDevicePrimaryCtxRelease.
  std::set<void*> streams, events;
  std::set<runtime::DeviceModule*> modules;
  std::set<std::uint64_t> device_memory, host_memory;  ///< By address.
  std::set<void*> arrays, mipmapped_arrays;
  std::set<std::uint64_t> textures, surfaces;
};

/// True once the process has called cuInit.
bool& initialised();

/// The context that this thread's calls use: the top of its stack, or the primary context of the current device if the
/// runtime API is in use. cudaSetDevice replaces the top with it. nullptr if there is none.
Context* current_context();
/// This thread's stack of contexts, the current one last.
std::vector<Context*>& context_stack();
/// Call this when the stack has changed: the thread's current device becomes that of the top.
void follow_context();

Context& primary_context(unsigned device);
/// The live context that @p handle names, or nullptr.
Context* find_context(CUcontext handle);
/// The context in which the stream was made; nullptr for those of the runtime API and of primary contexts.
Context* owner_of(const void* stream);
Context& create_context(unsigned flags, unsigned device);
/// Frees all that was created in it. A created context ceases to exist; the primary one is as new.
void destroy_context(runtime::Runtime& runtime, Context& context);

}  // namespace warpbook::simulator::driver
