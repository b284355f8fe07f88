// A comparison whose time depends only on the lengths.
#pragma once
#include <stddef.h>

/// Returns 0 if the two byte strings of this length are equal, and otherwise another number.
///
/// This is written in C, because Swift has no volatile accesses, and its compiler could stop at the first difference. It is not OpenSSL's
/// CRYPTO_memcmp(3), with which every program that uses a secret or a URL would be linked with libcrypto.
int cconstant_time_differ(const unsigned char *left, const unsigned char *right, size_t length);
