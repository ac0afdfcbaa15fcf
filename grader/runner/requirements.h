// Requirements on how an answer did its work, for contracts that ask for a way and not for a result alone. Each ends
// the test if the profile shows another way. A real GPU counts nothing: where one ran the answer, the case runs once
// more on the virtual GPU. Those that look at times and faults of the host accept every answer there.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/judge/answer.h"
#include "grader/judge/call.h"

namespace warpbook::grader {

/// Everything that the host asked for - kernels, copies, fills - must be in the default stream: for labs whose contract
/// names it. Other work that the program has put there is in order with it.
void require_default_stream(const Answer& answer);

/// For contracts that give a kernel and its grid: each launch of it by the host must have that grid, in one dimension.
/// @param least number of launches
void require_grid(const Answer& answer, const std::string& kernel, std::size_t blocks, std::size_t threads,
                  std::size_t least = 1);

/// No kernel may have atomics whose result nobody uses, as atomicAdd() has for a sum, but atomicCAS() and atomicExch()
/// never. @param reason why not
void require_no_reductions(const Answer& answer, const std::string& reason);

/// The device's pause from the end of the answer's first kernel to the start of its second, of two, must be that long:
/// it tells what the second waited for. @param reason what else it seems to be
void require_pause(const Answer& answer, double least_us, double most_us, const std::string& reason);

/// No kernel may load global memory into registers: all must come by asynchronous copies.
void require_no_loads_into_registers(const Answer& answer);

/// Tensor cores must have made that many products at least.
void require_tensor_cores(const Answer& answer, std::size_t products);

/// The host must have used managed memory while a kernel had not ended. Not checked in other orders than the documented
/// one, which the first case of a test has: kernels may begin late.
void require_host_meanwhile(const Answer& answer);

/// A kernel that sends the host a message and gets one must have released its own before it told the host so, and
/// acquired the other when it was told: by a fence, or by the flag's store and load. Flags must be of system scope, or
/// volatile: a plain one, or an atomic of the device, is not one step for the host.
void require_order_with_host(const Answer& answer);

/// Warps must have arrived at barriers in shared memory (cuda::barrier, mbarrier), at most that often, and must have
/// gone on without a wait after at least that many of the arrivals. One __syncthreads(), and no other, makes their
/// initialisation known.
void require_arrivals(const Answer& answer, double most, double without_wait);

/// Two kinds of warps must have met in a cuda::pipeline that was filled that often: at its barriers in shared memory,
/// and not at those of the block, of which make_pipeline() needs three.
void require_pipeline(const Answer& answer, double fills);

/// Warps must have come that often at least to barriers of the block that tell something, as __syncthreads_count()
/// does.
void require_telling_barriers(const Answer& answer, double least);

/// Warps must have looked that often at least at the clock of their multiprocessor, and at no other.
void require_clock(const Answer& answer, std::size_t least);

/// Threads must have used atomicCAS() that often at least. Lanes that do so at once count as one.
void require_swaps(const Answer& answer, double least);

/// Each point must have been read from a layered texture, 32 at a time: none is turned into one of a large image.
void require_layers(const Answer& answer, std::size_t points);

/// Each direction must have been given to the texture of a cube, 32 at a time: none is turned into a face and a point.
void require_cubes(const Answer& answer, std::size_t directions);

/// Each point must have been one read of a texture, which filters: not one for each texel that the filter mixes, nor a
/// gather of these.
/// @param points of texels of four bytes
void require_filtered(const Answer& answer, std::size_t points);

/// Threads must have stored @p least bytes to their stacks (local memory).
void require_on_stack(const Answer& answer, double least);

/// For contracts that say which warp of a block uses an array, 32 elements at a time: of a shorter one, lanes of that
/// warp must be the first to fault (expected_fault.h). @param arguments with arrays far longer than the guard zones
/// behind them
void require_used_by_warp(const std::string& function, std::vector<Argument> arguments, const std::string& array,
                          int warp);

/// For contracts that say how far reads run ahead of writes: of two arrays that are too short, the one that is read
/// must be the first beyond which a thread goes (expected_fault.h).
/// @param arguments with arrays that are shorter than the others say @param read, written their names
void require_reads_ahead(const std::string& function, const std::vector<Argument>& arguments, const std::string& read,
                         const std::string& written);

/// The device must have had no work left when the last call returned.
void require_done(const Answer& answer);

}  // namespace warpbook::grader
