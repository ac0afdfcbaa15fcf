// Green contexts: contexts with a part of the device's multiprocessors, and events that stand for all work of a
// context.
//
// A green context is a context to all else. Streams that are made in it keep its part, and so do the default streams of
// a thread to which it is current: their kernels run on those multiprocessors, as %smid says, and take as long as
// there.
#include "common/simulator/driver/dev_resource.h"
#include "common/simulator/driver/driver_call.h"
#include "common/simulator/runtime/about_device.h"

namespace {

using namespace warpbook::simulator::driver;
using warpbook::simulator::Partition;
using warpbook::simulator::runtime::current_device;
using warpbook::simulator::runtime::current_partition;
using warpbook::simulator::runtime::set_current_device;

/// While it lives, this thread's calls are about a context's device and part.
class InContext {
 public:
  explicit InContext(const Context& context) : device_(current_device()), partition_(current_partition()) {
    set_current_device(context.device);
    current_partition() = context.partition;
  }
  ~InContext() {
    set_current_device(device_);
    current_partition() = partition_;
  }
  InContext(const InContext&) = delete;
  InContext& operator=(const InContext&) = delete;

 private:
  unsigned device_;
  Partition partition_;
};

Context* find_green(CUgreenCtx handle) {
  Context* const found = find_context(reinterpret_cast<CUcontext>(handle));
  return found == nullptr || !found->green ? nullptr : found;
}

/// The error for a handle that names no live context (an H100, driver 580.159, 2026-11-27).
CUresult no_context(const void* handle) {
  return handle == nullptr ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

CUgreenCtx green_of(Context* context) {
  return context != nullptr && context->green ? reinterpret_cast<CUgreenCtx>(context) : nullptr;
}

CUresult give_resource(const Context* context, unsigned device, CUdevResource* resource, CUdevResourceType type) {
  if (resource == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (type != CU_DEV_RESOURCE_TYPE_SM) return CUDA_ERROR_INVALID_RESOURCE_TYPE;
  const auto& described = Runtime::instance().device_at(device).description;
  Partition part{0, described.multiprocessors};
  if (context != nullptr && context->green) part = context->partition;
  *resource = sm_resource(part, described);
  return CUDA_SUCCESS;
}

/// The streams in which work of @p context may be: those made in it, and for the primary context those that the runtime
/// API made, and those of green contexts.
std::vector<cudaStream_t> streams_of(const Context& context) {
  std::vector<cudaStream_t> found;
  for (void* const stream : context.streams) found.push_back(static_cast<cudaStream_t>(stream));
  if (!context.primary) return found;
  found.push_back(cudaStreamLegacy);
  for (const auto& [handle, stream] : Runtime::instance().streams.live()) {
    const Context* const owner = owner_of(handle);
    const bool elsewhere = stream->device() != context.device || context.streams.count(const_cast<void*>(handle)) != 0;
    if (!elsewhere && (owner == nullptr || owner->green))
      found.push_back(reinterpret_cast<cudaStream_t>(const_cast<void*>(handle)));
  }
  return found;
}

/// Records @p event behind all that was put into streams of @p context.
cudaError_t record_all(Context& context, CUevent event) {
  const InContext here(context);
  auto gathering = static_cast<cudaStream_t>(context.gathering);
  if (gathering == nullptr) {
    if (const cudaError_t error = cudaStreamCreateWithFlags(&gathering, cudaStreamNonBlocking)) return error;
    context.gathering = gathering;
  }
  cudaEvent_t behind = nullptr;
  if (const cudaError_t error = cudaEventCreateWithFlags(&behind, cudaEventDisableTiming)) return error;
  cudaError_t error = cudaSuccess;
  for (const cudaStream_t stream : streams_of(context)) {
    if (stream == gathering) continue;
    error = cudaEventRecord(behind, stream);
    if (error == cudaSuccess) error = cudaStreamWaitEvent(gathering, behind, 0);
    if (error != cudaSuccess) break;
  }
  cudaEventDestroy(behind);
  return error == cudaSuccess ? cudaEventRecord(event, gathering) : error;
}

cudaError_t wait_in_all(Context& context, CUevent event) {
  const InContext here(context);
  for (const cudaStream_t stream : streams_of(context))
    if (const cudaError_t error = cudaStreamWaitEvent(stream, event, 0)) return error;
  return cudaSuccess;
}

}  // namespace

CUresult cuDeviceGetDevResource(CUdevice device, CUdevResource* resource, CUdevResourceType type) {
  return forward(
      [&] {
        if (!warpbook::simulator::runtime::is_device(Runtime::instance(), device)) return CUDA_ERROR_INVALID_DEVICE;
        return give_resource(nullptr, static_cast<unsigned>(device), resource, type);
      },
      Needs::initialised);
}

CUresult cuCtxGetDevResource(CUcontext handle, CUdevResource* resource, CUdevResourceType type) {
  return forward(
      [&] {
        const Context* const context = find_context(handle);
        if (context == nullptr) return no_context(handle);
        return give_resource(context, context->device, resource, type);
      },
      Needs::initialised);
}

CUresult cuGreenCtxGetDevResource(CUgreenCtx handle, CUdevResource* resource, CUdevResourceType type) {
  return forward(
      [&] {
        const Context* const context = find_green(handle);
        if (context == nullptr) return no_context(handle);
        return give_resource(context, context->device, resource, type);
      },
      Needs::initialised);
}

CUresult cuGreenCtxCreate(CUgreenCtx* handle, CUdevResourceDesc descriptor, CUdevice device, unsigned flags) {
  return forward(
      [&] {
        if (handle == nullptr || flags != CU_GREEN_CTX_DEFAULT_STREAM) return CUDA_ERROR_INVALID_VALUE;
        if (!warpbook::simulator::runtime::is_device(Runtime::instance(), device)) return CUDA_ERROR_INVALID_DEVICE;
        const auto part = part_of(descriptor);
        const auto& described = Runtime::instance().device_at(static_cast<unsigned>(device)).description;
        if (!part || part->first + part->count > described.multiprocessors) return CUDA_ERROR_INVALID_VALUE;
        Context& made = create_context(0, static_cast<unsigned>(device));
        made.green = true;
        made.partition = *part;
        ++primary_context(static_cast<unsigned>(device)).users;
        Runtime::instance().device_at(static_cast<unsigned>(device)).primary_context = true;
        *handle = reinterpret_cast<CUgreenCtx>(&made);
        return CUDA_SUCCESS;
      },
      Needs::initialised);
}

CUresult cuGreenCtxDestroy(CUgreenCtx handle) {
  return driver_call(
      CallKind::query, "cuGreenCtxDestroy",
      [&](Runtime& runtime) {
        Context* const context = find_green(handle);
        if (context == nullptr) return no_context(handle);
        Context& primary = primary_context(context->device);
        destroy_context(runtime, *context);
        if (primary.users > 0) --primary.users;
        return CUDA_SUCCESS;
      },
      Needs::initialised);
}

CUresult cuCtxFromGreenCtx(CUcontext* context, CUgreenCtx handle) {
  return forward(
      [&] {
        if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
        if (find_green(handle) == nullptr) return no_context(handle);
        *context = reinterpret_cast<CUcontext>(handle);
        return CUDA_SUCCESS;
      },
      Needs::initialised);
}

CUresult cuGreenCtxGetId(CUgreenCtx handle, unsigned long long* id) {
  return forward(
      [&] {
        const Context* const context = find_green(handle);
        if (context == nullptr) return no_context(handle);
        if (id == nullptr) return CUDA_ERROR_INVALID_VALUE;
        *id = context->id;
        return CUDA_SUCCESS;
      },
      Needs::initialised);
}

CUresult cuGreenCtxStreamCreate(CUstream* stream, CUgreenCtx handle, unsigned flags, int priority) {
  return forward(
      [&]() -> CUresult {
        Context* const context = find_green(handle);
        if (context == nullptr) return no_context(handle);
        if (stream == nullptr || flags != CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
        const InContext here(*context);
        const cudaError_t error = cudaStreamCreateWithPriority(stream, cudaStreamNonBlocking, priority);
        if (error == cudaSuccess) context->streams.insert(*stream);
        return result_of(error);
      },
      Needs::initialised);
}

CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext* context, CUgreenCtx* green) {
  return forward([&]() -> CUresult {
    unsigned flags = 0;
    if (context == nullptr || green == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (const cudaError_t error = cudaStreamGetFlags(stream, &flags)) return result_of(error);
    Context* const owner = owner_of(stream);
    Context* const of = owner == nullptr ? current_context() : owner;
    *green = green_of(of);
    *context = reinterpret_cast<CUcontext>(*green == nullptr ? of : &primary_context(of->device));
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamGetGreenCtx(CUstream stream, CUgreenCtx* green) {
  CUcontext context = nullptr;
  return cuStreamGetCtx_v2(stream, &context, green);
}

CUresult cuCtxRecordEvent(CUcontext handle, CUevent event) {
  return forward(
      [&]() -> CUresult {
        Context* const context = find_context(handle);
        return context == nullptr ? no_context(handle) : result_of(record_all(*context, event));
      },
      Needs::initialised);
}

CUresult cuCtxWaitEvent(CUcontext handle, CUevent event) {
  return forward(
      [&]() -> CUresult {
        Context* const context = find_context(handle);
        return context == nullptr ? no_context(handle) : result_of(wait_in_all(*context, event));
      },
      Needs::initialised);
}

CUresult cuGreenCtxRecordEvent(CUgreenCtx handle, CUevent event) {
  return find_green(handle) == nullptr ? no_context(handle)
                                       : cuCtxRecordEvent(reinterpret_cast<CUcontext>(handle), event);
}

CUresult cuGreenCtxWaitEvent(CUgreenCtx handle, CUevent event) {
  return find_green(handle) == nullptr ? no_context(handle)
                                       : cuCtxWaitEvent(reinterpret_cast<CUcontext>(handle), event);
}
