// Keeps contexts and each thread's stack of them.
#include "common/simulator/driver/context.h"

#include <algorithm>

#include "common/simulator/driver/driver_call.h"
#include "common/simulator/driver/modules.h"
#include "common/simulator/runtime/module_image.h"

namespace warpbook::simulator::driver {
namespace {

runtime::HandleTable<Context>& created() {
  static auto* contexts = new runtime::HandleTable<Context>;
  return *contexts;
}

unsigned long long next_id = 2;  // the primary context is 1

}  // namespace

bool& initialised() {
  static bool value = false;
  return value;
}

std::vector<Context*>& context_stack() {
  // Never destroyed: exit handlers still call the API, after the destructors of thread-local objects.
  static thread_local auto* stack = new std::vector<Context*>;
  return *stack;
}

Context& primary_context() {
  static auto* context = [] {
    auto* made = new Context;
    made->primary = true;
    made->id = 1;
    return made;
  }();
  return *context;
}

Context* current_context() {
  if (!context_stack().empty()) return context_stack().back();
  const runtime::Runtime* device = runtime::Runtime::existing();
  return device != nullptr && device->primary_context ? &primary_context() : nullptr;
}

Context* find_context(CUcontext handle) {
  if (reinterpret_cast<Context*>(handle) == &primary_context()) return &primary_context();
  return created().find(handle);
}

Context& create_context(unsigned flags) {
  Context& context = *created().add();
  context.flags = flags;
  context.id = next_id++;
  return context;
}

void destroy_context(runtime::Runtime& device, Context& context) {
  device.wait_for_all();
  const LastErrorScope scope;
  for (void* stream : context.streams) cudaStreamDestroy(static_cast<cudaStream_t>(stream));
  for (void* event : context.events) cudaEventDestroy(static_cast<cudaEvent_t>(event));
  for (const std::uint64_t texture : context.textures) cudaDestroyTextureObject(texture);
  for (const std::uint64_t surface : context.surfaces) cudaDestroySurfaceObject(surface);
  for (void* array : context.arrays) cudaFreeArray(static_cast<cudaArray_t>(array));
  for (void* array : context.mipmapped_arrays) cudaFreeMipmappedArray(static_cast<cudaMipmappedArray_t>(array));
  for (runtime::DeviceModule* module : context.modules) runtime::unload_image(device, *module);
  for (const std::uint64_t address : context.device_memory) cudaFree(reinterpret_cast<void*>(address));
  for (const std::uint64_t address : context.host_memory) cudaFreeHost(reinterpret_cast<void*>(address));
  auto& stack = context_stack();
  if (!context.primary) {
    stack.erase(std::remove(stack.begin(), stack.end(), &context), stack.end());
    created().remove(&context);
    return;
  }
  const unsigned flags = context.flags;
  context = Context();
  context.primary = true;
  context.flags = flags;
  context.id = 1;
}

}  // namespace warpbook::simulator::driver
