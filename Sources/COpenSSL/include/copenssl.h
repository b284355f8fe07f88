// The functions that are called must stand in copenssl.c: the program is not linked with the library.
#pragma once
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/params.h>
#include <openssl/rand.h>

/// EVP_MAC_init(3) of an HMAC with this digest, such as "SHA1". Answers 1, or 0 with OpenSSL's errors.
///
/// Not in Swift: an OSSL_PARAM(3) keeps the address of its name, and the name is a macro, of which Swift makes a string of its own that lives
/// as long as the call alone.
int copenssl_begin_hmac(EVP_MAC_CTX *state, const char *digest, const unsigned char *key, size_t length);
