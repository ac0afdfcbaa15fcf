// The contract of lab memory_hierarchy: what the functions in memory_hierarchy.cu must do.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup memory_hierarchy Lab memory_hierarchy
/// How long a load takes, by the level that serves it, and how to find out: pointer chases, streams, attributes.
///
/// Common to all: pointers are device pointers as cudaMalloc returns them (aligned to 256 bytes), arrays do not
/// overlap, inputs are only read, and nothing but what is named is written. Work is in the default stream.
/// @{

/// A node of a chain: 32 bytes, one sector, so that no load brings the next node along by chance.
struct alignas(32) Node {
  int next;       ///< The node that comes after it.
  int unused[7];  ///< Never read, never written.
};

/// What ask_device() is asked.
enum MemoryFact {
  kL2Bytes,                       ///< Bytes of the level-2 cache.
  kSharedBytesPerMultiprocessor,  ///< Bytes of shared memory that all blocks on a multiprocessor have together.
  kSharedBytesPerBlock,           ///< Bytes that one block may have if its kernel asks to (opt-in).
  kConstantBytes,                 ///< Bytes of constant memory.
  kPeakMegabytesPerSecond         ///< 10^6 bytes in a second between memory and chip, at two transfers in a clock.
};

/// Part 1: bytes of a cache for each of the threads that share it, if every multiprocessor holds 2048 threads.
/// @param cache_bytes     1024 to 2^30
/// @param multiprocessors that share the cache, 1 to 200: 1 for a level-1 cache
/// @returns bytes, rounded down
int predict_bytes_per_thread(int cache_bytes, int multiprocessors);

/// Part 1: one thread loads ints that lie `bytes_apart` bytes apart, beginning at a cache line. How many
/// bytes of the level-1 cache are then taken? It keeps lines of 128 bytes, whatever part of a line was loaded.
/// @param loads       1 to 2^18
/// @param bytes_apart a power of two from 4 to 4096
/// @returns bytes, a multiple of 128
int predict_cached_bytes(int loads, int bytes_apart);

/// Part 1: which level serves loads that come back to the same `bytes` again and again, in any order?
/// @returns 1: the level-1 cache, if all bytes fit into it; 2: the level-2 cache, if they fit into that; 3: the memory
int predict_level(int bytes, int l1_bytes, int l2_bytes);

/// Part 1: how many nodes must a chain have, so that `level` serves walks that go round and round? Both ends belong to
/// the ranges.
/// @param level    1: a chain that takes between an eighth and half of the level-1 cache; 2: between 4 times the
///                 level-1 cache and half of the level-2 cache; 3: between 2 and 4 times the level-2 cache
/// @param l1_bytes 2^16 to 2^18
/// @param l2_bytes at least 16 times as much, up to 2^26
int choose_nodes(int level, int l1_bytes, int l2_bytes);

/// Part 1: asks the runtime about device 0.
int ask_device(MemoryFact fact);

/// Part 2: links nodes to one chain: the node after `order[k]` is `order[k + 1]`, and after the last one comes
/// `order[0]`.
/// @param order device, `n` elements: each of 0 to n - 1 once
/// @param n     1 to 2^23
/// @param nodes device, `n` nodes
void make_chain(const int* order, int n, Node* nodes);

/// Part 3: one thread, in one launch, goes `steps` nodes on from `start`, by one load for each step, through the
/// level-1 cache, and writes the node that it has come to.
/// @param nodes device, a chain
/// @param steps 0 to 2^24
/// @param end   device, one element
void walk(const Node* nodes, int start, int steps, int* end);

/// Part 3: measures how long a step of walk() takes, without the first ones and the launch: by events, what
/// `skipped + counted` steps take less what `skipped` steps take. Before both it walks `skipped` steps that it does not
/// measure. It leaves in `end` the node after `skipped + counted` steps.
/// @param skipped 0 to 2^23: 0 measures first visits, a whole round or more measures what caches keep
/// @param counted 1024 to 2^22
/// @returns nanoseconds for each counted step
double measure_ns(const Node* nodes, int start, int skipped, int counted, int* end);

/// Part 4: the same walk of one thread in constant memory. The links are copied there first, within the device.
/// @param next device, `n` elements: the node after each
/// @param n    1 to 512
void walk_constant(const int* next, int n, int start, int steps, int* end);

/// Part 5: every block reads all of `in`, `rounds` times over, and adds all words that it reads to its element of
/// `sums`, modulo 2^32. One launch of `blocks` blocks.
/// @param in     device, 4 x `n` words
/// @param n      a quarter of the words: loads of 16 bytes in a round, 1 to 2^16
/// @param rounds 1 to 64
/// @param sums   device, `blocks` elements, all 0 at the start
/// @param blocks 1 to 132
void read_rounds(const unsigned* in, int n, int rounds, unsigned* sums, int blocks);

/// Part 6: `count` walks of `steps` steps, each by a thread of its own: the i-th begins at `start[i]` and writes where
/// it ends to `end[i]`. As fast as the level that serves it allows: choose the level.
/// @param next  device, `n` elements: the node after each
/// @param n     1 to 8192
/// @param start device, `count` elements
/// @param end   device, `count` elements
/// @param count 0 to 2^18
/// @param steps 0 to 64
void walk_many(const int* next, int n, const int* start, int* end, int count, int steps);

/// @}
