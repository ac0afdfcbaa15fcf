// The catalogue of advice: why a counted quantity costs time, and what to try. quantity.cpp says which belongs to
// which.
#pragma once

namespace warpbook::grader {

struct Advice {
  const char* name;  ///< For records: "wide_access".
  const char* why;
  const char* what_to_try;
};

namespace advice {

extern const Advice kGlobalLoad, kWideAccess, kSplitAccess, kLoadedAgain, kGlobalStore, kShared, kTraffic, kDivergence,
    kGpuFaultGroups, kSharedTraffic, kSharedRequests, kSharedBytes, kLaunches, kManyThreads, kFewThreads, kGaps,
    kChildren, kFewChildren, kFewTails, kOverlap, kHeap, kInstructions, kAtomics, kBarriers, kGridBarriers, kBandwidth,
    kCopies, kGpuFaults, kCpuFaults, kMigrated, kOverlapOfCopies, kFewLanes, kFewBlocks, kSideBySide, kPasses,
    kRegisters, kLatency, kTime;

}  // namespace advice

}  // namespace warpbook::grader
