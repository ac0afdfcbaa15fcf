// The functions that nvcc's host code calls before main: fat binaries are sent completely, kernels and variables by
// name.
#include "common/simulator/remote/front/fat_binary_image.h"
#include "common/simulator/remote/front/process.h"
#include "common/simulator/runtime/cuda_api.h"

namespace {

using namespace warpbook::simulator::remote;

/// The handle of a fat binary points to a word that the runtime may use freely: here it holds the device's number for
/// it.
std::uint64_t number_of(void** handle) { return reinterpret_cast<std::uint64_t>(*handle); }

void register_variable(void** handle, const void* host, const char* name, std::size_t bytes, bool constant,
                       bool managed) {
  Exchange exchange(Call::register_variable);
  Writer& to = exchange.arguments();
  to.put(number_of(handle));
  to.put(reinterpret_cast<std::uint64_t>(host));
  to.text(name);
  to.put<std::uint64_t>(bytes);
  to.put<std::uint8_t>(constant);
  to.put<std::uint8_t>(managed);
  exchange.ask();
}

}  // namespace

void** __cudaRegisterFatBinary(void* wrapper) {
  Exchange exchange(Call::register_binary);
  put_fat_binary(exchange.arguments(), wrapper);
  return new void*(reinterpret_cast<void*>(exchange.ask().get<std::uint64_t>()));
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) {
  Exchange exchange(Call::unregister_binary);
  exchange.arguments().put(number_of(handle));
  exchange.ask();
}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
  Exchange exchange(Call::register_function);
  exchange.arguments().put(number_of(handle));
  exchange.arguments().put(reinterpret_cast<std::uint64_t>(host));
  exchange.arguments().text(name);
  exchange.ask();
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t bytes, int constant, int) {
  register_variable(handle, host, name, bytes, constant != 0, false);
}

void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int, size_t bytes, int constant,
                              int) {
  register_variable(handle, host, name, bytes, constant != 0, true);
}

void __cudaRegisterHostVar(void** handle, const char* name, char* host, size_t bytes) {
  register_variable(handle, host, name, bytes, false, false);
}

char __cudaInitModule(void** handle) {
  Exchange exchange(Call::init_module);
  exchange.arguments().put(number_of(handle));
  return exchange.ask().get<char>();
}
