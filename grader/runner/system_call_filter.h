// The system calls that are refused to a confined program.
#pragma once

namespace warpbook::grader {

/// Refuses, from now on and for all that this process starts: tracing and reading other processes, mounts and name
/// spaces, kernel keys and modules, memory that no limit counts, sockets other than local ones. The refused call fails
/// with EPERM. Calls of another architecture end the process. @returns 0, or errno
int refuse_system_calls();

}  // namespace warpbook::grader
