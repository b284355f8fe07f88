// OpenSSL's libcrypto. Programs that use this header are linked with it.
#pragma once
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/params.h>
#include <openssl/rand.h>

/// EVP_MAC_init(3) for an HMAC with this digest, such as "SHA1". Returns 1, or 0 with the errors in OpenSSL's queue.
///
/// This is written in C, because an OSSL_PARAM(3) keeps the address of its name. The name is a macro, and the string that Swift creates
/// from a macro exists only during the call.
int copenssl_begin_hmac(EVP_MAC_CTX *state, const char *digest, const unsigned char *key, size_t length);
