// The catalogue of advice: why a counted quantity costs time, and what to try. quantity.cpp says which belongs to
// which.
#pragma once

namespace warpbook::grader {

struct Finding;

struct Advice {
  const char* name;  ///< For records: "wide_access".
  const char* why;
  const char* what_to_try;
};

namespace advice {

extern const Advice kGlobalLoad, kWideAccess, kSplitAccess, kLoadedAgain, kGlobalStore, kShared, kTraffic, kDivergence,
    kGpuFaultGroups, kSharedTraffic, kSharedRequests, kSharedBytes, kLaunches, kManyThreads, kFewThreads, kGaps,
    kChildren, kFewChildren, kFewTails, kOverlap, kHeap, kInstructions, kAtomics, kBarriers, kGridBarriers, kImages,
    kBandwidth, kCopies, kGpuFaults, kCpuFaults, kMigrated, kOverlapOfCopies, kFewLanes, kFewBlocks, kSideBySide,
    kPasses, kRegisters, kLatency, kTime;

}  // namespace advice

/// Puts advice into a finding.
void set_advice(Finding& finding, const Advice& advice);
/// The same without the reason, which the finding has already.
void set_try(Finding& finding, const Advice& advice);

}  // namespace warpbook::grader
