// Texture and surface objects.
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/image_state.h"

using namespace warpbook::simulator::runtime;

namespace {

/// Passes the description from which the texture @p handle was made to @p take.
template <class Take>
cudaError_t describe_texture(const char* name, cudaTextureObject_t handle, const void* to, Take take) {
  return call(CallKind::ordinary, name, [&](Runtime& runtime) {
    const auto found = runtime.images->textures.find(handle);
    if (to == nullptr || found == runtime.images->textures.end()) return cudaErrorInvalidValue;
    return take(found->second);
  });
}

}  // namespace

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture, const cudaResourceViewDesc* view) {
  return call(CallKind::ordinary, "cudaCreateTextureObject", [&](Runtime& runtime) {
    return make_texture(runtime, "cudaCreateTextureObject", object, resource, texture, view);
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return call(CallKind::ordinary, "cudaDestroyTextureObject",
              [&](Runtime& runtime) { return destroy_texture(runtime, object); });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object) {
  return describe_texture("cudaGetTextureObjectResourceDesc", object, resource, [&](const TextureDescription& found) {
    *resource = found.resource;
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object) {
  return describe_texture("cudaGetTextureObjectTextureDesc", object, texture, [&](const TextureDescription& found) {
    *texture = found.texture;
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view, cudaTextureObject_t object) {
  return describe_texture("cudaGetTextureObjectResourceViewDesc", object, view, [&](const TextureDescription& found) {
    *view = found.view.value_or(cudaResourceViewDesc{});
    return cudaSuccess;
  });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return call(CallKind::ordinary, "cudaCreateSurfaceObject",
              [&](Runtime& runtime) { return make_surface(runtime, "cudaCreateSurfaceObject", object, resource); });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return call(CallKind::ordinary, "cudaDestroySurfaceObject",
              [&](Runtime& runtime) { return destroy_surface(runtime, object); });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t object) {
  return call(CallKind::ordinary, "cudaGetSurfaceObjectResourceDesc", [&](Runtime& runtime) {
    const auto found = runtime.images->surfaces.find(object);
    if (resource == nullptr || found == runtime.images->surfaces.end()) return cudaErrorInvalidValue;
    *resource = found->second;
    return cudaSuccess;
  });
}
