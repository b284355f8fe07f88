#include "late_binding.h"
#pragma GCC visibility push(hidden)
#include <qrencode.h>

static struct late_library qrencode = {"libqrencode.so.4", "libqrencode4", NULL};

QRcode *QRcode_encodeData(int size, const unsigned char *data, int version, QRecLevel level) {
  return LATE(qrencode, QRcode_encodeData)(size, data, version, level);
}
void QRcode_free(QRcode *symbol) { LATE(qrencode, QRcode_free)(symbol); }
