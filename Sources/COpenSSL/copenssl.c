#include "late_binding.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
// Ours alone: libcurl, which is loaded later and wants the same functions, gets the real ones.
#pragma GCC visibility push(hidden)
#include "copenssl.h"

#define TEXT(number) #number
#define NAME(version) "libcrypto.so." TEXT(version)

static struct late_library crypto = {NAME(OPENSSL_SHLIB_VERSION), "libssl3", NULL};

unsigned char *HMAC(
    const EVP_MD *digest, const void *key, int keyLength, const unsigned char *bytes, size_t length,
    unsigned char *code, unsigned int *codeLength) {
  return LATE(crypto, HMAC)(digest, key, keyLength, bytes, length, code, codeLength);
}
EVP_MAC *EVP_MAC_fetch(OSSL_LIB_CTX *context, const char *name, const char *query) {
  return LATE(crypto, EVP_MAC_fetch)(context, name, query);
}
void EVP_MAC_free(EVP_MAC *algorithm) { LATE(crypto, EVP_MAC_free)(algorithm); }
EVP_MAC_CTX *EVP_MAC_CTX_new(EVP_MAC *algorithm) { return LATE(crypto, EVP_MAC_CTX_new)(algorithm); }
void EVP_MAC_CTX_free(EVP_MAC_CTX *state) { LATE(crypto, EVP_MAC_CTX_free)(state); }
int EVP_MAC_init(EVP_MAC_CTX *state, const unsigned char *key, size_t length, const OSSL_PARAM parameters[]) {
  return LATE(crypto, EVP_MAC_init)(state, key, length, parameters);
}
int copenssl_begin_hmac(EVP_MAC_CTX *state, const char *digest, const unsigned char *key, size_t length) {
  OSSL_PARAM parameters[] = {
      // It wants a place that could be written to, though it only reads this one.
      LATE(crypto, OSSL_PARAM_construct_utf8_string)(OSSL_MAC_PARAM_DIGEST, (char *)digest, 0),
      LATE(crypto, OSSL_PARAM_construct_end)(),
  };
  return EVP_MAC_init(state, key, length, parameters);
}
int EVP_MAC_update(EVP_MAC_CTX *state, const unsigned char *bytes, size_t length) {
  return LATE(crypto, EVP_MAC_update)(state, bytes, length);
}
int EVP_MAC_final(EVP_MAC_CTX *state, unsigned char *code, size_t *length, size_t room) {
  return LATE(crypto, EVP_MAC_final)(state, code, length, room);
}
int EVP_Digest(
    const void *bytes, size_t length, unsigned char *digest, unsigned int *digestLength, const EVP_MD *type,
    ENGINE *engine) {
  return LATE(crypto, EVP_Digest)(bytes, length, digest, digestLength, type, engine);
}
int EVP_Q_digest(
    OSSL_LIB_CTX *context, const char *name, const char *query, const void *bytes, size_t length,
    unsigned char *digest, size_t *digestLength) {
  return LATE(crypto, EVP_Q_digest)(context, name, query, bytes, length, digest, digestLength);
}
const EVP_MD *EVP_sha1(void) { return LATE(crypto, EVP_sha1)(); }
const EVP_MD *EVP_sha256(void) { return LATE(crypto, EVP_sha256)(); }
const EVP_MD *EVP_sha512(void) { return LATE(crypto, EVP_sha512)(); }
int EVP_EncodeBlock(unsigned char *text, const unsigned char *bytes, int length) {
  return LATE(crypto, EVP_EncodeBlock)(text, bytes, length);
}
int RAND_bytes(unsigned char *bytes, int length) { return LATE(crypto, RAND_bytes)(bytes, length); }
int CRYPTO_memcmp(const void *one, const void *other, size_t length) {
  return LATE(crypto, CRYPTO_memcmp)(one, other, length);
}
void OPENSSL_cleanse(void *bytes, size_t length) { LATE(crypto, OPENSSL_cleanse)(bytes, length); }

void ERR_clear_error(void) { LATE(crypto, ERR_clear_error)(); }
unsigned long ERR_get_error(void) { return LATE(crypto, ERR_get_error)(); }
const char *ERR_reason_error_string(unsigned long code) { return LATE(crypto, ERR_reason_error_string)(code); }
