// The contract of exercise backoff_mutex: a lock that threads of one warp, and of many blocks, compete for.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup backoff_mutex Exercise backoff_mutex
/// A lock that threads of one warp, and of many blocks, compete for. A thread owns it once it has changed *lock from 0
/// to 1 by atomicCAS, and releases it by writing 0 with atomicExch. An atomic orders no other access: the next owner
/// sees what the last one wrote only if there is a `__threadfence()` before the lock is released, and another one after
/// it is taken. A thread that does not get it should sleep, `__nanosleep(ns)`, twice as long each time, up to 256 ns:
/// fewer atomics then go to one address. No test asks for that, because a sleep may take no time at all.
/// @{

/// One thread for each element, each of which owns the lock once. The owner adds its element to totals[0], 1 to
/// totals[1], and replaces totals[2] if its element is larger: by loads and stores, not by atomics.
/// @param in     device, `count` elements; only read
/// @param totals device, 3 elements, which already hold values
/// @param lock   device, one element: 0 before and after
/// @param count  1 to 100
void record(const int* in, int* totals, int* lock, int count);

/// Can `__nanosleep(asked)` take `slept` ns? PTX says: 0 to twice what is asked for, and never more than a millisecond.
/// @param asked 0 to 5,000,000
/// @returns 1 if it can, 0 if not
int may_sleep(int asked, int slept);
/// @}
