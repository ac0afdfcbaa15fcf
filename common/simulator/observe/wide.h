// For loops over 64-bit numbers in code that is built for every x86-64, whose registers are narrow.
#pragma once

/// A function in two versions, of which the host's processor takes the better one. Sanitizers do not know such
/// functions.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && defined(__GNUC__) && !defined(__clang__)
#define WB_WIDE [[gnu::target_clones("avx2", "default")]]
#else
#define WB_WIDE
#endif
