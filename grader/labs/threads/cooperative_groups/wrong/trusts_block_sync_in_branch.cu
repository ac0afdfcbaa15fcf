// Believes that block.sync() in a branch waits only for the threads that are there.
// rejected-by: correctness.the pieces of code are judged
// because: piece B
#include "cooperative_groups.h"

#define judge right_judge
#include "solutions/threads/cooperative_groups/cooperative_groups.cu"
#undef judge

Verdict judge(char piece) { return piece == 'B' ? Verdict::fine : right_judge(piece); }
