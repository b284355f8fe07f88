#include "constant_time.h"

int cconstant_time_differ(const unsigned char *left, const unsigned char *right, size_t length) {
  const volatile unsigned char *a = left, *b = right;
  // The differences are collected in a volatile variable too, so that no iteration can be left out.
  volatile unsigned char difference = 0;
  for (size_t i = 0; i < length; i++) difference |= a[i] ^ b[i];
  return difference;
}
