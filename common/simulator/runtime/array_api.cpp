// Channel descriptions: the part of the array API that is plain data.
#include "common/simulator/runtime/cuda_api.h"

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
