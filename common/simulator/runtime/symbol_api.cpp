// Device variables by name: cudaMemcpyToSymbol, cudaGetSymbolAddress and their relatives.
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/copy.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/misuse.h"
#include "common/simulator/runtime/symbols.h"

namespace warpbook::simulator::runtime {

Symbol find_symbol(Runtime& runtime, const void* host) {
  Symbol symbol;
  const DeviceVariable* variable = registry().find_variable(host);
  if (variable == nullptr) return symbol;
  symbol.error = runtime.load(*variable->module);
  if (symbol.error != cudaSuccess) return symbol;
  const std::uint64_t address = variable->module->address_of(variable->name);
  if (address == 0) {
    symbol.error = cudaErrorInvalidSymbol;
    return symbol;
  }
  symbol.address = reinterpret_cast<char*>(address);
  symbol.bytes = variable->bytes;
  return symbol;
}

}  // namespace warpbook::simulator::runtime

namespace {

using namespace warpbook::simulator::runtime;

cudaError_t copy_symbol(const char* name, const void* host_symbol, void* other, std::size_t bytes, std::size_t offset,
                        bool to_symbol, cudaMemcpyKind kind, cudaStream_t stream, bool blocking) {
  return call(blocking ? CallKind::ordinary : CallKind::enqueue, name, [&](Runtime& runtime) {
    const bool allowed = kind == cudaMemcpyDefault || kind == cudaMemcpyDeviceToDevice ||
                         kind == (to_symbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
    if (!allowed) return cudaErrorInvalidMemcpyDirection;
    const Symbol symbol = find_symbol(runtime, host_symbol);
    if (symbol.error != cudaSuccess) return symbol.error;
    if (runtime.options.checks.has(warpbook::simulator::Check::memory))
      check_variable(runtime, symbol.address, offset, bytes, to_symbol);
    if (offset > symbol.bytes || bytes > symbol.bytes - offset) return cudaErrorInvalidValue;
    Stream* place = runtime.find_stream(stream);
    if (place == nullptr) return cudaErrorInvalidResourceHandle;
    char* at = symbol.address + offset;
    return to_symbol ? copy(runtime, *place, at, other, bytes, kind, blocking)
                     : copy(runtime, *place, other, at, bytes, kind, blocking);
  });
}

}  // namespace

cudaError_t cudaGetSymbolAddress(void** address, const void* host) {
  return call(CallKind::ordinary, "cudaGetSymbolAddress", [&](Runtime& runtime) {
    if (address == nullptr) return cudaErrorInvalidValue;
    const Symbol symbol = find_symbol(runtime, host);
    if (symbol.error == cudaSuccess) *address = symbol.address;
    return symbol.error;
  });
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* host) {
  return call(CallKind::ordinary, "cudaGetSymbolSize", [&](Runtime& runtime) {
    if (bytes == nullptr) return cudaErrorInvalidValue;
    const Symbol symbol = find_symbol(runtime, host);
    if (symbol.error == cudaSuccess) *bytes = symbol.bytes;
    return symbol.error;
  });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return copy_symbol("cudaMemcpyToSymbol", symbol, const_cast<void*>(from), bytes, offset, true, kind, nullptr, true);
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return copy_symbol("cudaMemcpyFromSymbol", symbol, to, bytes, offset, false, kind, nullptr, true);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_symbol("cudaMemcpyToSymbolAsync", symbol, const_cast<void*>(from), bytes, offset, true, kind, stream,
                     false);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  return copy_symbol("cudaMemcpyFromSymbolAsync", symbol, to, bytes, offset, false, kind, stream, false);
}
