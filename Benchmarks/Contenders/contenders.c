// OpenSSL 3 deprecates its own SHA-1 functions, but they have the lowest possible cost.
#define OPENSSL_API_COMPAT 0x10100000L
#include "contenders.h"
#include "copenssl.h"
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>

struct contender_kept_key {
  SHA_CTX inner, outer;
};

void contender_hmac(const uint8_t *key, size_t key_size, const uint8_t *message, size_t size, uint8_t *digest) {
  unsigned count;
  HMAC(EVP_sha1(), key, (int)key_size, message, size, digest, &count);
}

contender_kept_key *contender_keep_key(const uint8_t *key, size_t key_size) {
  uint8_t block[SHA_CBLOCK] = {0}, pad[SHA_CBLOCK];
  if (key_size > sizeof block) SHA1(key, key_size, block);
  else memcpy(block, key, key_size);
  contender_kept_key *kept = malloc(sizeof *kept);
  if (kept == NULL) abort();
  for (size_t i = 0; i < sizeof pad; i++) pad[i] = block[i] ^ 0x36;
  SHA1_Init(&kept->inner);
  SHA1_Update(&kept->inner, pad, sizeof pad);
  for (size_t i = 0; i < sizeof pad; i++) pad[i] = block[i] ^ 0x5c;
  SHA1_Init(&kept->outer);
  SHA1_Update(&kept->outer, pad, sizeof pad);
  return kept;
}

void contender_kept_hmac(const contender_kept_key *kept, const uint8_t *message, size_t size, uint8_t *digest) {
  SHA_CTX context = kept->inner;
  SHA1_Update(&context, message, size);
  SHA1_Final(digest, &context);
  context = kept->outer;
  SHA1_Update(&context, digest, SHA_DIGEST_LENGTH);
  SHA1_Final(digest, &context);
}

void contender_forget_key(contender_kept_key *kept) { free(kept); }

void contender_base64(const uint8_t *digest, uint8_t *text) { EVP_EncodeBlock(text, digest, contender_digest_size); }

uint64_t contender_sum(const uint8_t *bytes, size_t size) {
  uint64_t sum = 0;
  for (size_t i = 0; i < size; i++) sum += bytes[i];
  return sum;
}
