// Keeps contexts and each thread's stack of them.
#include "common/simulator/driver/context.h"

#include <algorithm>
#include <array>

#include "common/simulator/driver/driver_call.h"
#include "common/simulator/driver/modules.h"
#include "common/simulator/runtime/module_image.h"

namespace warpbook::simulator::driver {
namespace {

runtime::HandleTable<Context>& created() {
  static auto* contexts = new runtime::HandleTable<Context>;
  return *contexts;
}

unsigned long long next_id = kMostDevices + 1;  // Smaller numbers belong to primary contexts.

/// Number of cudaSetDevice calls that this thread's stack has taken into account.
thread_local unsigned long followed = 0;

}  // namespace

bool& initialised() {
  static bool value = false;
  return value;
}

std::vector<Context*>& context_stack() {
  // Never destroyed: exit handlers still call the API after the destructors of thread-local objects.
  static thread_local auto* stack = new std::vector<Context*>;
  return *stack;
}

Context& primary_context(unsigned device) {
  static auto* contexts = [] {
    auto* made = new std::array<Context, kMostDevices>;
    for (unsigned i = 0; i < kMostDevices; ++i) {
      (*made)[i].primary = true;
      (*made)[i].device = i;
      (*made)[i].id = i + 1;
    }
    return made;
  }();
  return (*contexts)[device];
}

void follow_context() {
  const bool any = !context_stack().empty();
  if (any) runtime::set_current_device(context_stack().back()->device);
  runtime::current_partition() = any ? context_stack().back()->partition : Partition();
  followed = runtime::times_device_was_set();
}

Context* current_context() {
  auto& stack = context_stack();
  if (followed != runtime::times_device_was_set()) {
    followed = runtime::times_device_was_set();
    runtime::current_partition() = Partition();
    if (!stack.empty()) stack.back() = &primary_context(runtime::current_device());
  }
  if (!stack.empty()) return stack.back();
  const runtime::Runtime* device = runtime::Runtime::existing();
  const unsigned number = runtime::current_device();
  return device != nullptr && device->device_at(number).primary_context ? &primary_context(number) : nullptr;
}

Context* find_context(CUcontext handle) {
  for (unsigned device = 0; device < kMostDevices; ++device)
    if (reinterpret_cast<Context*>(handle) == &primary_context(device)) return &primary_context(device);
  return created().find(handle);
}

Context* owner_of(const void* stream) {
  for (const auto& [handle, context] : created().live())
    if (context->streams.count(const_cast<void*>(stream)) != 0) return context.get();
  return nullptr;
}

Context& create_context(unsigned flags, unsigned device) {
  Context& context = *created().add();
  context.device = device;
  context.flags = flags;
  context.id = next_id++;
  return context;
}

void destroy_context(runtime::Runtime& device, Context& context) {
  const unsigned before = runtime::current_device();
  runtime::set_current_device(context.device);
  const runtime::OnDevice there(context.device);
  device.wait_for_all();
  const LastErrorScope scope;
  if (context.gathering != nullptr) cudaStreamDestroy(static_cast<cudaStream_t>(context.gathering));
  for (void* stream : context.streams) cudaStreamDestroy(static_cast<cudaStream_t>(stream));
  for (void* event : context.events) cudaEventDestroy(static_cast<cudaEvent_t>(event));
  for (const std::uint64_t texture : context.textures) cudaDestroyTextureObject(texture);
  for (const std::uint64_t surface : context.surfaces) cudaDestroySurfaceObject(surface);
  for (void* array : context.arrays) cudaFreeArray(static_cast<cudaArray_t>(array));
  for (void* array : context.mipmapped_arrays) cudaFreeMipmappedArray(static_cast<cudaMipmappedArray_t>(array));
  for (runtime::DeviceModule* module : context.modules) runtime::unload_image(device, *module);
  for (const std::uint64_t address : context.device_memory) cudaFree(reinterpret_cast<void*>(address));
  for (const std::uint64_t address : context.host_memory) cudaFreeHost(reinterpret_cast<void*>(address));
  runtime::set_current_device(before);
  auto& stack = context_stack();
  if (!context.primary) {
    stack.erase(std::remove(stack.begin(), stack.end(), &context), stack.end());
    created().remove(&context);
    follow_context();
    return;
  }
  const unsigned flags = context.flags, number = context.device;
  context = Context();
  context.primary = true;
  context.device = number;
  context.flags = flags;
  context.id = number + 1;
}

}  // namespace warpbook::simulator::driver
