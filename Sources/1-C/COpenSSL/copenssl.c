#include "copenssl.h"

int copenssl_begin_hmac(EVP_MAC_CTX *state, const char *digest, const unsigned char *key, size_t length) {
  OSSL_PARAM parameters[] = {
      // OpenSSL only reads the name, although the type of the parameter is not const.
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)digest, 0),
      OSSL_PARAM_construct_end(),
  };
  return EVP_MAC_init(state, key, length, parameters);
}
