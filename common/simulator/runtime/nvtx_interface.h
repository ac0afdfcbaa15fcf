// The interface that NVTX 3 documents for tools (nvtx3/nvtxDetail/nvtxTypes.h): the tables that a program passes to the
// library named by its environment variable NVTX_INJECTION64_PATH, and the attributes of ranges and marks. Declared
// here so that the virtual GPU can be built without NVTX's headers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpbook::simulator::runtime::nvtx {

using Function = void (*)();
/// For each function of a module, where the program stores its function pointer.
using FunctionTable = Function**;

enum class Module : int { core = 1, cuda = 2, cudart = 4, core2 = 5 };

struct Callbacks {
  std::size_t struct_size;
  int (*get_module_function_table)(Module module, FunctionTable* table, unsigned* size);
};

constexpr std::uint32_t kCallbacks = 1;  ///< NVTX_ETID_CALLBACKS
using GetExportTable = const void* (*)(std::uint32_t id);

/// Functions by their index in the module's table (NvtxCallbackIdCore, ...Core2, ...Cuda, ...CudaRt).
enum Core : unsigned {
  kMarkEx = 1,
  kMarkA,
  kMarkW,
  kRangeStartEx,
  kRangeStartA,
  kRangeStartW,
  kRangeEnd,
  kRangePushEx,
  kRangePushA,
  kRangePushW,
  kRangePop,
  kNameCategoryA,
  kNameCategoryW,
  kNameOsThreadA,
  kNameOsThreadW
};
enum Core2 : unsigned {
  kDomainMarkEx = 1,
  kDomainRangeStartEx,
  kDomainRangeEnd,
  kDomainRangePushEx,
  kDomainRangePop,
  kDomainNameCategoryA = 8,
  kDomainNameCategoryW,
  kDomainRegisterStringA,
  kDomainRegisterStringW,
  kDomainCreateA,
  kDomainCreateW
};
enum Cuda : unsigned { kNameCuStreamA = 5, kNameCuStreamW };
enum CudaRuntime : unsigned { kNameCudaStreamA = 3, kNameCudaStreamW };

enum class MessageType : std::int32_t { none = 0, narrow = 1, wide = 2, registered = 3 };
enum class PayloadType : std::int32_t { none = 0, u64 = 1, i64 = 2, f64 = 3, u32 = 4, i32 = 5, f32 = 6 };

/// nvtxEventAttributes_t
struct Attributes {
  std::uint16_t version, size;
  std::uint32_t category;
  std::int32_t color_type;  ///< 1: ARGB
  std::uint32_t color;
  PayloadType payload_type;
  std::int32_t reserved;
  union {
    std::uint64_t u64;
    std::int64_t i64;
    double f64;
    std::uint32_t u32;
    std::int32_t i32;
    float f32;
  } payload;
  MessageType message_type;
  union {
    const char* narrow;
    const wchar_t* wide;
    const void* registered;
  } message;
};
static_assert(sizeof(Attributes) == 48 && offsetof(Attributes, message) == 40);

}  // namespace warpbook::simulator::runtime::nvtx
