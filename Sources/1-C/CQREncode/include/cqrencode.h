// QR codes of libqrencode, loaded at the first call.
#pragma once
#include <stdlib.h>
#include <qrencode.h>

/// Loads libqrencode at the first call. Call it before any other function of this header. Returns NULL on success, otherwise an error
/// message, which the caller must copy immediately.
const char *cqrencode_start(void);

/// Returns the smallest QR code for these bytes, with the lowest error correction level; NULL if there are too many. The result must be
/// released with `cqrencode_free`.
QRcode *cqrencode_encode(const unsigned char *bytes, int count);

void cqrencode_free(QRcode *symbol);
