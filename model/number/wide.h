/* SPDX-License-Identifier: MIT */
/* WIDE compiles a function for the widest vectors of the host, which is found out when the program starts. */
#ifndef MISPRINT_MODEL_NUMBER_WIDE_H
#define MISPRINT_MODEL_NUMBER_WIDE_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE
#endif

#endif
