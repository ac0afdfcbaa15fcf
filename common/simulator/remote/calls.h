// The calls that go to a device in another process, by number.
#pragma once

#include <cstdint>

namespace warpbook::simulator::remote {

enum class Call : std::uint16_t {
// Calls of the two APIs whose arguments can be told from their types (arguments.h).
#define WB_REMOTE(result, name, parameters, arguments) name,
#include "common/simulator/remote/driver_calls.def"
#include "common/simulator/remote/runtime_calls.def"
#undef WB_REMOTE
  // Those that need more.
  connect,            ///< Another thread of the program: its socket comes with the message.
  register_binary,    ///< __cudaRegisterFatBinary
  unregister_binary,  ///< __cudaUnregisterFatBinary
  register_function,  ///< __cudaRegisterFunction
  register_variable,  ///< __cudaRegisterVar, __cudaRegisterManagedVar, __cudaRegisterHostVar
  init_module,        ///< __cudaInitModule
  parameters,         ///< Where the parameters of a kernel lie.
  launch,             ///< All launches of both APIs.
  copy,               ///< All copies of both APIs.
  register_host,      ///< cudaHostRegister
  unregister_host,    ///< cudaHostUnregister
  host_function,      ///< Takes a host function's place in its stream.
  end_host_function,  ///< It has returned.
  host_fault,         ///< The program's code cannot read or write an address.
  unsupported,        ///< A call of the runtime that there is not.
  unsupported_driver,
  texts,    ///< Calls that answer with a text.
  lists,    ///< Calls with arrays of some length.
  modules,  ///< cuModuleLoad...
  link,     ///< cuLink...
  array,    ///< Arrays that belong to who started the device (arrays.h).
  graph,    ///< All calls on graphs and captures (graph_wire.h).
  /// The other way round: instead of an answer, the device asks the program for something (ProgramKind). The program
  /// sends what it is asked for by a message of this number, and then gets its answer, or the next question.
  program,
  annotation,  ///< What it says by NVTX (annotation_wire.h).
  host_crash,  ///< The program's code used device memory: host_fault could not serve it.
  count_,
};

inline constexpr std::uint16_t kCalls = static_cast<std::uint16_t>(Call::count_);

/// Which API function a message `launch` stands for.
enum class LaunchKind : std::uint8_t {
  runtime,
  runtime_handle,
  runtime_cooperative,
  runtime_attributes,
  driver,
  driver_cooperative,
  driver_attributes
};

/// Which API function a message `copy` stands for.
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
  array,  ///< Any copy with an array on a side.
  driver_array,
  count_,
};

/// Which API function a message `texts` stands for.
enum class TextKind : std::uint8_t { function_name, pci_bus_id, driver_device_name, driver_pci_bus_id };

/// Which API function a message `lists` stands for.
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

/// What the device asks of the program in the middle of a call.
enum class ProgramKind : std::uint8_t {
  run,      ///< u64 function, u64 its argument.
  read,     ///< u64 address, u64 bytes: sends them.
  write,    ///< u64 address, the bytes.
  threads,  ///< u64 0: sends how many threads it has but the one that answers.
};

/// How a host function comes to run.
enum class HostFunctionKind : std::uint8_t {
  launch,    ///< cudaLaunchHostFunc
  callback,  ///< cudaStreamAddCallback
  driver,    ///< The driver's: takes its place in the stream; a thread of its own runs it.
  openacc,   ///< The same of OpenACC's library, of which the program learns nothing (runtime/host_function.h).
  thread,    ///< That thread begins.
};

/// What a module is made of.
enum class ImageKind : std::uint8_t { none, text, fat_binary, ptx_image };

/// What an image is loaded as.
enum class ModuleKind : std::uint8_t { module, library, runtime_library };

enum class LinkKind : std::uint8_t { create, add, complete, destroy };

/// What is asked of arrays.
enum class ArrayKind : std::uint8_t {
  device_input,   ///< Device memory that holds the array.
  device_output,  ///< Device memory, poisoned.
  device_in_out,  ///< Device memory that holds the array and is an output.
  device_filled,  ///< Device memory, an output, all bytes of which are the one that is given as address.
  host_contents,  ///< The array's bytes, for the program.
  bind_input,     ///< Pinned or managed memory of the program holds the array from now on.
  bind_output,    ///< The same, poisoned.
  bind_in_out,    ///< Holds the array and is an output.
  take,           ///< The outputs as they are now are the result.
  // What the device sees at this moment becomes part of the result, under the name that is given.
  observe_memory,  ///< 1 if the address is that of pinned memory, else 0; .flags of cudaHostGetFlags().
  observe_stream,  ///< .priority, .non_blocking, .default (it is no stream of its own), .busy of a stream's handle.
  observe_left,    ///< Microseconds that the device will still work.
  observe_limits,  ///< .pending_launches: that limit; .set: calls of cudaDeviceSetLimit so far.
  count_,
};

}  // namespace warpbook::simulator::remote
