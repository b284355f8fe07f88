// The operations with which homeline's operations are compared. They have the lowest cost that this machine's libraries allow.
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { contender_digest_size = 20 };

/// HMAC-SHA1 of a message in one call to OpenSSL, which is the simplest way in C.
void contender_hmac(const uint8_t *key, size_t key_size, const uint8_t *message, size_t size, uint8_t *digest);

/// HMAC-SHA1 whose part that depends only on the key is computed in advance, so that only SHA-1 of the message remains.
typedef struct contender_kept_key contender_kept_key;
contender_kept_key *contender_keep_key(const uint8_t *key, size_t key_size);
void contender_kept_hmac(const contender_kept_key *kept, const uint8_t *message, size_t size, uint8_t *digest);
void contender_forget_key(contender_kept_key *kept);

/// A digest in base64, as in a signature, with 28 bytes and a terminating zero.
void contender_base64(const uint8_t *digest, uint8_t *text);

/// The sum of all bytes, which reads each byte once.
uint64_t contender_sum(const uint8_t *bytes, size_t size);
