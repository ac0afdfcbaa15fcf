// For tests: lane patterns that were measured on an H200.
#pragma once

namespace warpbook::simulator::patterns {

// Element index of lane l.
inline int unit(int l) { return l; }
inline int s2(int l) { return l * 2; }
inline int s4(int l) { return l * 4; }
inline int s8(int l) { return l * 8; }
inline int s16(int l) { return l * 16; }
inline int s32(int l) { return l * 32; }
inline int s33(int l) { return l * 33; }
inline int bcast(int) { return 0; }
inline int bcast2(int l) { return (l & 1) * 32; }              // two words in one bank
inline int pair1(int l) { return l >> 1; }                     // lanes i and i^1 access the same
inline int pair2(int l) { return (l & 1) | ((l >> 2) << 1); }  // lanes i and i^2 access the same
inline int half(int l) { return l & 15; }
inline int quart(int l) { return l & 7; }
inline int rev(int l) { return 31 - l; }
inline int exclusive_or(int l) { return l ^ 5; }
inline int off1(int l) { return l + 1; }

}  // namespace warpbook::simulator::patterns
