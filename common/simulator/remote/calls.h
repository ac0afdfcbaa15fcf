// The calls that go to a device in another process, by number.
#pragma once

#include <cstdint>

namespace warpbook::simulator::remote {

enum class Call : std::uint16_t {
// Calls of the two APIs whose arguments can be sent by type (arguments.h).
#define WB_REMOTE(result, name, parameters, arguments) name,
#include "common/simulator/remote/driver_calls.def"
#include "common/simulator/remote/runtime_calls.def"
#undef WB_REMOTE
  // Calls that need more.
  connect,            ///< Another thread of the program: its socket comes with the message.
  register_binary,    ///< __cudaRegisterFatBinary
  unregister_binary,  ///< __cudaUnregisterFatBinary
  register_function,  ///< __cudaRegisterFunction
  register_variable,  ///< __cudaRegisterVar, __cudaRegisterManagedVar, __cudaRegisterHostVar
  init_module,        ///< __cudaInitModule
  parameters,         ///< The layout of a kernel's parameters.
  launch,             ///< All launches of both APIs.
  copy,               ///< All copies of both APIs.
  register_host,      ///< cudaHostRegister
  unregister_host,    ///< cudaHostUnregister
  host_function,      ///< Reserves a host function's position in its stream.
  end_host_function,  ///< The host function has returned.
  host_fault,         ///< The program's code cannot access an address.
  unsupported,        ///< A runtime call that is not supported.
  unsupported_driver,
  texts,    ///< Calls that return a text.
  lists,    ///< Calls with arrays of variable length.
  modules,  ///< cuModuleLoad...
  link,     ///< cuLink...
  array,    ///< Arrays that belong to the owner of the device (arrays.h).
  graph,    ///< All calls on graphs and captures (graph_wire.h).
  /// In reverse: instead of an answer, the device sends the program a request (ProgramKind). The program responds with
  /// a message of this number, and then gets its answer, or the next request.
  program,
  annotation,  ///< NVTX annotations (annotation_wire.h).
  host_crash,  ///< The program's code accessed device memory: host_fault could not resolve it.
  count_,
};

inline constexpr std::uint16_t kCalls = static_cast<std::uint16_t>(Call::count_);

/// The API function behind a message `launch`.
enum class LaunchKind : std::uint8_t {
  runtime,
  runtime_handle,
  runtime_cooperative,
  runtime_attributes,
  driver,
  driver_cooperative,
  driver_attributes
};

/// The API function behind a message `copy`.
enum class CopyKind : std::uint8_t {
  plain,
  plain_async,
  rows,
  rows_async,
  box,
  box_async,
  peer,
  peer_async,
  to_symbol,
  to_symbol_async,
  from_symbol,
  from_symbol_async,
  driver,
  driver_async,
  driver_to_device,
  driver_to_device_async,
  driver_to_host,
  driver_to_host_async,
  array,  ///< Any copy from or to an array.
  driver_array,
  count_,
};

/// The API function behind a message `texts`.
enum class TextKind : std::uint8_t { function_name, pci_bus_id, driver_device_name, driver_pci_bus_id };

/// The API function behind a message `lists`.
enum class ListKind : std::uint8_t {
  set_valid_devices,
  pool_get_attribute,
  pool_set_attribute,
  pool_set_access,
  range_attribute,
  module_functions,
  library_kernels,
  runtime_library_kernels,
  pointer_attribute,
  pointer_attributes,
  set_access,
  pool_export,
  pool_import,
};

/// What the device requests from the program during a call.
enum class ProgramKind : std::uint8_t {
  run,      ///< u64 function, u64 its argument.
  read,     ///< u64 address, u64 bytes: the program sends them.
  write,    ///< u64 address, the bytes.
  threads,  ///< u64 0: the program sends how many threads it has, besides the one that responds.
};

/// How a host function gets to run.
enum class HostFunctionKind : std::uint8_t {
  launch,    ///< cudaLaunchHostFunc
  callback,  ///< cudaStreamAddCallback
  driver,    ///< The driver's: reserves its position in the stream; a thread of its own runs it.
  openacc,   ///< The same for OpenACC's library, where the program cannot tell (runtime/host_function.h).
  thread,    ///< That thread starts.
};

/// The kind of image that a module is made from.
enum class ImageKind : std::uint8_t { none, text, fat_binary, ptx_image };

/// What an image is loaded as.
enum class ModuleKind : std::uint8_t { module, library, runtime_library };

enum class LinkKind : std::uint8_t { create, add, complete, destroy };

/// Requests concerning arrays.
enum class ArrayKind : std::uint8_t {
  device_input,   ///< Device memory that contains the array.
  device_output,  ///< Device memory, poisoned.
  device_in_out,  ///< Device memory that contains the array and is an output.
  device_filled,  ///< Device memory, an output, filled with the byte given as the address.
  host_contents,  ///< The array's bytes, for the program.
  bind_input,     ///< Pinned or managed memory of the program contains the array from now on.
  bind_output,    ///< The same, poisoned.
  bind_in_out,    ///< It contains the array and is an output.
  take,           ///< The current outputs are the result.
  // What the device observes at this moment is added to the result under the given name.
  observe_memory,  ///< 1 if the address is that of pinned memory, else 0; .flags of cudaHostGetFlags().
  observe_stream,  ///< .priority, .non_blocking, .default (not a stream of its own), .busy of a stream's handle.
  observe_left,    ///< Microseconds of work that the device has left.
  observe_limits,  ///< .pending_launches: that limit; .set: number of cudaDeviceSetLimit calls so far.
  count_,
};

}  // namespace warpbook::simulator::remote
