// The texts of the catalogue, written for students: why it costs, and what to try.
#include "grader/judge/advice.h"

#include "grader/judge/finding.h"

namespace warpbook::grader::advice {

const Advice kGlobalLoad = {
    "global_load",
    "A warp's load is served in sectors of 32 bytes. Lanes that read neighbouring addresses share sectors; lanes far "
    "apart fetch a sector each and use a part of it.",
    "Let neighbouring threads (threadIdx.x) read neighbouring elements. A thread that needs 2 or 4 adjacent elements "
    "loads them with one access (float2, float4). Where the algorithm needs another order, read rows into shared "
    "memory first and change the order there."};
const Advice kWideAccess = {
    "wide_access",
    "A warp's request brings at most what its lanes ask for: 4 sectors if each asks for 4 bytes, 16 if each asks for "
    "16. Narrow requests need more instructions, and keep fewer bytes in flight.",
    "Let each lane move 16 bytes at once: a float4, by reinterpret_cast<const float4*>(pointer)[i], with neighbouring "
    "i in neighbouring lanes."};
const Advice kSplitAccess = {
    "split_access",
    "Each lane's fields are adjacent, but separate instructions move them: a single access needs an address that is a "
    "multiple of its size, and the type does not guarantee that.",
    "Declare the structure __align__(16) (or 8, if it has 8 bytes): one instruction then moves 16 bytes of it. "
    "Adjacent elements of an array move as a float4, reinterpret_cast<const float4*>(pointer)[i]."};
const Advice kLoadedAgain = {
    "loaded_again",
    "Each request takes its turn in the load/store units, even if the cache has the data: these lanes load what was "
    "loaded before.",
    "Load each element once and keep it in a register. Lanes of a warp exchange elements by shuffles (__shfl_sync), "
    "threads of a block through shared memory."};
const Advice kGlobalStore = {
    "global_store",
    "A warp's store is served in sectors of 32 bytes. Lanes that write neighbouring addresses share sectors; lanes far "
    "apart write a sector each, of which a part is changed.",
    "Let neighbouring threads (threadIdx.x) write neighbouring elements. A thread that has 2 or 4 neighbours stores "
    "them with one access (float2, float4). Where the algorithm wants another order, collect a tile in shared memory "
    "and store it row by row."};
const Advice kShared = {
    "shared",
    "Shared memory has 32 banks of 4 bytes. Lanes that want different words of one bank are served one after the "
    "other, each time in a wavefront of its own.",
    "Make the lanes of a warp fall into different banks: pad each row of the tile by one of the elements that a lane "
    "reads (33 float instead of 32, 9 float4 instead of 8), or change which index runs with threadIdx.x."};
const Advice kTraffic = {
    "traffic", "Every byte between the memory and the multiprocessors takes its share of the bandwidth.",
    "Read each element once and keep it: in a register, or in shared memory where several threads need it."};
const Advice kDivergence = {
    "divergence",
    "The lanes of a warp run one instruction at a time: where they diverge at a branch, or have exited, lanes are "
    "idle.",
    "Let whole warps take the same path: branch on the warp's number rather than on the lane's, and give the work left "
    "to neighbouring threads."};
/// For cases that allow some faults, so that the lesson is to have few of them.
const Advice kGpuFaultGroups = {
    "gpu_fault_groups",
    "A kernel that touches managed memory which is not on the device stops until the driver has migrated it. The "
    "driver "
    "serves all faults that are pending as one group, and only groups are counted.",
    "Let the warps that run at the same time fault on different pieces of 64 KiB, so that one group serves them all."};
const Advice kSharedTraffic = {
    "shared_traffic",
    "There is no bank conflict, but each access takes a wavefront, whether its lanes want 4 bytes in all or 128.",
    "Load more with each access: 16 bytes per lane (float4) where a thread needs adjacent elements; and keep in "
    "registers what is needed again."};
const Advice kSharedRequests = {
    "shared_requests", "Every warp with an active lane makes a request of its own, whether for one lane or for 32.",
    "Give the work to neighbouring threads, so that they fill few warps; the other warps then make no requests."};
const Advice kSharedBytes = {
    "shared_bytes",
    "All blocks on a multiprocessor share its shared memory: the more each takes, the fewer fit at once.",
    "Keep only what other threads need there, and no padding where another order of the elements has the same effect."};
const Advice kLaunches = {"launches", "Every launch costs a few microseconds before its first thread runs.",
                          "Do more in one kernel, or loop inside it."};
const Advice kManyThreads = {
    "many_threads", "Starting a thread and computing its index cost time, whether it has work or not.",
    "Make the grid as large as the data, or as what the device runs at a time, whichever is less."};
const Advice kFewThreads = {
    "few_threads",
    "A multiprocessor hides the time that a thread waits for memory by running others: with few threads it waits, too.",
    "Launch as many blocks as the device runs at a time, on all of its multiprocessors."};
const Advice kGaps = {
    "gaps",
    "While nothing is launched, or launched work waits for the host or for another stream, the device has no work.",
    "Launch everything that can be launched before the host waits, let only work that needs a result wait for it, and "
    "do more in each launch."};
const Advice kChildren = {
    "children",
    "A launch by a kernel costs its thread about 6 microseconds on an H200, and the launches of one warp are made one "
    "after the other.",
    "Count who launches: every thread that reaches the launch makes one. Let one thread launch one grid with a block "
    "for each piece of work."};
const Advice kFewChildren = {
    "few_children",
    "Work that is found while a kernel runs should go into a launch: a thread that does it alone keeps its warp busy, "
    "and the host would have to wait for the kernel first.",
    "Look at the condition before the launch: which thread launches, and for which work? A launch can also be refused "
    "(see cudaGetLastError()), or have wrong arguments."};
const Advice kFewTails = {
    "few_tails",
    "A tail launch is the only launch by a kernel that waits for all blocks of its grid, and for all their children.",
    "Give the launch the stream cudaStreamTailLaunch, as the fourth of its <<<>>> arguments."};
const Advice kOverlap = {
    "overlap",
    "Children in one stream wait for each other, and the NULL stream is one stream for all threads of a block: a child "
    "that waits leaves the multiprocessors empty.",
    "Launch children that do not need each other with cudaStreamFireAndForget, or each into a stream of its own."};
const Advice kHeap = {
    "heap",
    "The device heap has 8 MB unless the host asks for more, and memory that no kernel frees is lost until the "
    "program ends.",
    "Ask malloc() for what is needed, not for the most that could be, and free() it, once, when its last reader is "
    "done."};
const Advice kInstructions = {
    "instructions",
    "Each instruction of a warp takes one of the 4 issue slots that a multiprocessor has in a cycle, however few of "
    "its lanes take part.",
    "Do more with each instruction: load 16 bytes a lane (float4), let a thread handle several elements before it "
    "works with others, and use shuffles instead of shared memory."};
const Advice kAtomics = {
    "atomics", "Atomic operations on one address are done one after the other, in the L2 cache.",
    "Combine first: in a register, then within the warp, then within the block. One atomic for each block is enough."};
const Advice kBarriers = {
    "barriers",
    "At a barrier the warps of a block that arrive first wait for the last one, and issue nothing meanwhile.",
    "Synchronise the smallest group that shares data: the lanes of a tile exchange values by shuffles and need no "
    "block barrier."};
const Advice kGridBarriers = {
    "grid_barriers",
    "At grid.sync() all blocks wait for the last one: about a microsecond on an H200, as much as thousands of "
    "instructions.",
    "Call grid.sync() once between writing data and reading what other blocks wrote, and nowhere else. Where "
    "one block is enough for the data, __syncthreads() takes less."};
const Advice kImages = {
    "images",
    "Only texture and surface instructions go through the texture unit, which filters, repeats or clamps coordinates "
    "and "
    "keeps what lies close by in two dimensions. A load or store by a pointer does none of that.",
    "Pass the texture or surface object to the kernel, and no pointer to the image: tex2D<float>(texture, x, y), "
    "surf2Dread<int>(surface, x, y, mode) and their kin access it."};
const Advice kBandwidth = {
    "bandwidth",
    "A load takes long: the memory is busy only while many bytes are in flight at the same time, and while a kernel is "
    "being launched none are.",
    "Load 16 bytes per lane (float4), keep several loads of each thread in flight, fill the device with warps, and do "
    "everything in one launch."};
const Advice kCopies = {
    "copies",
    "Every byte between host and device goes over the bus, at about 55 GB/s on an H200: about 80 times slower than the "
    "device's own memory.",
    "Copy each array once, in the direction in which it is needed, and keep it on the device between kernels."};
const Advice kGpuFaults = {
    "gpu_faults",
    "A kernel that touches managed memory which is not on the device stops until the driver has migrated it, 64 KiB to "
    "2 MiB at a time: about 200 us for the first group of faults and 30 us for each that follows.",
    "Say beforehand what the device will use: cudaMemPrefetchAsync of all bytes of each array, in the kernel's stream. "
    "Memory that is used sparsely can stay where it is: cudaMemAdvise."};
const Advice kCpuFaults = {
    "cpu_faults",
    "The host has a page fault where it touches managed memory that is not on the host, even new memory: six for each "
    "2 MiB in sequence, about 20 us each and more if something is copied.",
    "Fill on the device what the device uses first, and prefetch to the host (cudaMemLocationTypeHost) what the host "
    "reads next."};
const Advice kMigrated = {
    "migrated",
    "Every byte that migrates goes over the bus, which is about 80 times slower than the device's own memory.",
    "Create data where they are used first. Prefetch what the other side needs, and no more: an array "
    "that has not changed need not come back."};
const Advice kOverlapOfCopies = {
    "overlap_of_copies",
    "Copies in, kernels and copies out run at the same time only in different streams, with pinned memory on the host, "
    "and if nothing waits between them: not the host, and not the default stream.",
    "Put both copies and the kernel of a slice into one stream, neighbouring slices into different streams, and wait "
    "once, after everything has been issued."};
const Advice kFewLanes = {"few_lanes", "An instruction of a warp takes as long for one lane as for 32.",
                          "Divide the work: where one thread loops over many elements, let each thread of the warp, "
                          "and of the block, take one at a time."};
const Advice kFewBlocks = {
    "few_blocks",
    "A multiprocessor hides the time that a thread waits by running others; one without a block does nothing at all.",
    "Launch as many blocks as the device runs at a time, on all of its multiprocessors. If the task has no more "
    "threads, give each of them several independent things to do at once."};
const Advice kSideBySide = {
    "side_by_side",
    "A kernel with few blocks leaves most of the device free, but other kernels can use it only if they may start.",
    "Let independent kernels run at the same time: each in a stream of its own, none in the default stream, and no "
    "wait "
    "of the host between them."};
const Advice kPasses = {"passes",
                        "Every kernel loads again what the previous one stored, and waits until all of it is written.",
                        "Merge kernels that work on the same elements: the results of one step then stay in registers "
                        "or shared memory for the next."};
const Advice kRegisters = {
    "registers",
    "The registers of a multiprocessor are shared by all threads on it: the more each takes, the fewer fit at once.",
    "Keep fewer values at a time: compute an index where it is used, unroll less, or say how many blocks should fit, "
    "with __launch_bounds__(threads in a block, blocks on a multiprocessor)."};
const Advice kLatency = {
    "latency",
    "A warp that needs what it has just requested waits: several hundred cycles for global memory, about thirty for "
    "shared memory.",
    "Give each thread several things to wait for at once: load the next elements before the first one is used, unroll "
    "short loops (#pragma unroll), and break chains in which each step needs the one before. Fewer barriers help, "
    "too."};
const Advice kTime = {
    "time", "The predicted time comes from the counted work.",
    "Find what the kernel waits for: memory, instructions that need the one before them, or too few warps."};

}  // namespace warpbook::grader::advice

namespace warpbook::grader {

void set_try(Finding& finding, const Advice& advice) {
  finding.advice = advice.name;
  finding.what_to_try = advice.what_to_try;
}

void set_advice(Finding& finding, const Advice& advice) {
  finding.why = advice.why;
  set_try(finding, advice);
}

}  // namespace warpbook::grader
