#include "late_binding.h"
#include <qrencode.h>
#pragma GCC visibility push(hidden)
#include "cqrencode.h"

LATE_BINDING(qrencode, "libqrencode.so.4", "libqrencode4");

const char *cqrencode_start(void) { return late_load(&qrencode); }

QRcode *cqrencode_encode(const unsigned char *bytes, int count) {
  return LATE(qrencode, QRcode_encodeData)(count, bytes, 0, QR_ECLEVEL_L);
}

void cqrencode_free(QRcode *symbol) { LATE(qrencode, QRcode_free)(symbol); }
