// Splitting the multiprocessors of a device, and describing a part for a green context.
//
// The sizes are those of cuda.h: from compute capability 9.0 on, multiples of 8 or all there are. Each part has room
// for a cluster of 8 blocks within one GPC: an H100 with 132 multiprocessors (driver 580.159, 2026-11-27) makes at most
// 15 parts of 8, and 8 of 16.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "common/simulator/driver/dev_resource.h"

namespace warpbook::simulator::driver {
namespace {

/// In the padding of a resource.
struct Hidden {
  std::uint32_t magic = 0, first = 0, major = 0, was_split = 0;
  std::uint32_t clusters = 0;  ///< How many clusters of 8 blocks find room; 0: there are no clusters.
};
constexpr std::uint32_t kMagic = 0x57425253;
constexpr std::uint64_t kDescriptor = std::uint64_t{0x5742} << 48;
static_assert(sizeof(Hidden) <= sizeof(CUdevResource::_internal_padding));

Hidden hidden_of(const CUdevResource& resource) {
  Hidden hidden;
  std::memcpy(&hidden, resource._internal_padding, sizeof hidden);
  return hidden;
}

unsigned least_part(unsigned major) { return major >= 9 ? 8 : major == 8 ? 4 : 2; }
unsigned alignment_of(unsigned major) { return major >= 9 ? 8 : 2; }
/// Where clusters do not count: the multiprocessors of a pair share what they have.
constexpr unsigned kPair = 2;

CUdevResource part(const CUdevResource& of, std::uint32_t first, std::uint32_t count, unsigned alignment) {
  Hidden hidden = hidden_of(of);
  hidden.first = first;
  hidden.was_split = 1;
  CUdevResource made{};
  made.type = count == 0 ? CU_DEV_RESOURCE_TYPE_INVALID : CU_DEV_RESOURCE_TYPE_SM;
  std::memcpy(made._internal_padding, &hidden, sizeof hidden);
  if (count != 0) made.sm = {count, of.sm.minSmPartitionSize, alignment};
  return made;
}

}  // namespace

CUdevResource sm_resource(Partition whole, const Device& device) {
  const auto major = static_cast<unsigned>(device.compute_major);
  Hidden hidden{kMagic, whole.first, major, 0, 0};
  for (const unsigned multiprocessors : device.processing_clusters)
    hidden.clusters += multiprocessors / least_part(major);
  CUdevResource made{};
  made.type = CU_DEV_RESOURCE_TYPE_SM;
  std::memcpy(made._internal_padding, &hidden, sizeof hidden);
  made.sm = {whole.count, least_part(major), alignment_of(major)};
  return made;
}

std::optional<Partition> part_of(const CUdevResource& resource) {
  const Hidden hidden = hidden_of(resource);
  if (resource.type != CU_DEV_RESOURCE_TYPE_SM || hidden.magic != kMagic || resource.sm.smCount == 0)
    return std::nullopt;
  return Partition{hidden.first, resource.sm.smCount};
}

std::optional<Partition> part_of(CUdevResourceDesc descriptor) {
  const auto value = reinterpret_cast<std::uint64_t>(descriptor);
  if (value >> 48 != kDescriptor >> 48 || (value & 0xffffff) == 0) return std::nullopt;
  return Partition{static_cast<unsigned>(value >> 24 & 0xffffff), static_cast<unsigned>(value & 0xffffff)};
}

}  // namespace warpbook::simulator::driver

using namespace warpbook::simulator::driver;

CUresult cuDevSmResourceSplitByCount(CUdevResource* result, unsigned* groups, const CUdevResource* input,
                                     CUdevResource* remaining, unsigned flags, unsigned least) {
  // The driver ignores other flags.
  constexpr unsigned kBoth =
      CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING | CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE;
  if (groups == nullptr || input == nullptr || (flags & kBoth) == kBoth) return CUDA_ERROR_INVALID_VALUE;
  if (input->type != CU_DEV_RESOURCE_TYPE_SM) return CUDA_ERROR_INVALID_RESOURCE_TYPE;
  const auto whole = part_of(*input);
  if (!whole) return CUDA_ERROR_INVALID_VALUE;
  if (least > whole->count) return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
  const Hidden hidden = hidden_of(*input);
  // What came out of a split has to become a green context before it is split again.
  if (hidden.was_split != 0) return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
  const bool alone = (flags & CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING) != 0;
  const unsigned alignment = alone ? kPair : alignment_of(hidden.major);
  const unsigned smallest = alone ? kPair : least_part(hidden.major);
  const unsigned wanted = least < smallest ? smallest : least;
  const unsigned aligned = (wanted + alignment - 1) / alignment * alignment;
  const unsigned size = least > 0 ? std::min(aligned, whole->count) : aligned;
  unsigned most = whole->count / size;
  if (!alone && hidden.clusters != 0) most = std::min(most, hidden.clusters);
  if (result == nullptr) {
    *groups = most;
    return CUDA_SUCCESS;
  }
  if (most == 0) return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
  const CUdevResource from = *input;  // The output may be where the input is.
  if (*groups > most) *groups = most;
  for (unsigned i = 0; i < *groups; ++i) result[i] = part(from, whole->first + i * size, size, alignment);
  const unsigned used = *groups * size;
  if (remaining != nullptr) *remaining = part(from, whole->first + used, whole->count - used, 1);
  return CUDA_SUCCESS;
}

CUresult cuDevResourceGenerateDesc(CUdevResourceDesc* descriptor, CUdevResource* resources, unsigned count) {
  if (descriptor == nullptr || resources == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
  auto all = part_of(resources[0]);
  if (!all) return CUDA_ERROR_INVALID_RESOURCE_TYPE;
  for (unsigned i = 1; i < count; ++i) {
    const auto more = part_of(resources[i]);
    if (!more) return CUDA_ERROR_INVALID_RESOURCE_TYPE;
    if (more->first != all->first + all->count) return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    all->count += more->count;
  }
  const std::uint64_t value = kDescriptor | std::uint64_t{all->first} << 24 | all->count;
  *descriptor = reinterpret_cast<CUdevResourceDesc>(value);
  return CUDA_SUCCESS;
}
