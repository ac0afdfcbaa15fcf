// One connection of a program: the state of one of its threads, and how calls are handled.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "common/simulator/remote/arrays.h"
#include "common/simulator/remote/wire.h"
#include "common/simulator/runtime/call.h"

namespace warpbook::simulator::remote {

/// State of a connection.
struct Session {
  ArrayOwner* owner = nullptr;
  std::unique_ptr<runtime::HostFunctionScope> host_function;  ///< Set while a host function runs on the program's
                                                              ///< thread.
  std::uint64_t effects_told = 0;  ///< Number of answers with effects up to the latest one for this thread, whichever
                                   ///< thread received them.
};

/// Handles one call: reads its arguments and writes its results. @throws WireError
using Handler = void (*)(Session& session, Reader& from, Writer& to);

// Calls that need more than their arguments' types. Each is in the file with its name.
void answer_register_binary(Session&, Reader&, Writer&);
void answer_unregister_binary(Session&, Reader&, Writer&);
void answer_register_function(Session&, Reader&, Writer&);
void answer_register_variable(Session&, Reader&, Writer&);
void answer_init_module(Session&, Reader&, Writer&);
void answer_parameters(Session&, Reader&, Writer&);
void answer_launch(Session&, Reader&, Writer&);
void answer_copy(Session&, Reader&, Writer&);
void answer_register_host(Session&, Reader&, Writer&);
void answer_unregister_host(Session&, Reader&, Writer&);
void answer_host_function(Session&, Reader&, Writer&);
void answer_end_host_function(Session&, Reader&, Writer&);
void answer_host_fault(Session&, Reader&, Writer&);
void answer_host_crash(Session&, Reader&, Writer&);
void answer_unsupported(Session&, Reader&, Writer&);
void answer_unsupported_driver(Session&, Reader&, Writer&);
void answer_texts(Session&, Reader&, Writer&);
void answer_lists(Session&, Reader&, Writer&);
void answer_module(Session&, Reader&, Writer&);
void answer_link(Session&, Reader&, Writer&);
void answer_array(Session&, Reader&, Writer&);
void answer_annotation(Session&, Reader&, Writer&);
void answer_graph(Session&, Reader&, Writer&);

/// Whether work submitted to the stream becomes a graph node.
bool is_capturing(cudaStream_t stream);

/// Handles the call with this number. @throws WireError also for an invalid number
void answer_call(std::uint16_t call, Session& session, Reader& from, Writer& to);

}  // namespace warpbook::simulator::remote
