#include "json_unescape.h"

#include "plain_run.h"

_Static_assert(plain_run_step <= json_unescape_slack, "a step may be written behind the content");

static const uint8_t hexadecimal_values[256] = {
  ['0'] = 0, ['1'] = 1, ['2'] = 2, ['3'] = 3, ['4'] = 4, ['5'] = 5, ['6'] = 6, ['7'] = 7, ['8'] = 8, ['9'] = 9,
  ['A'] = 10, ['B'] = 11, ['C'] = 12, ['D'] = 13, ['E'] = 14, ['F'] = 15,
  ['a'] = 10, ['b'] = 11, ['c'] = 12, ['d'] = 13, ['e'] = 14, ['f'] = 15,
};

/// The byte that each escape other than `\uXXXX` means, by its letter.
static const uint8_t letters[256] = {
  ['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b', ['f'] = '\f', ['n'] = '\n', ['r'] = '\r', ['t'] = '\t',
};

/// Returns the code unit of `\uXXXX`.
static inline uint32_t code_unit(const uint8_t *escape) {
  return (uint32_t)hexadecimal_values[escape[2]] << 12 | (uint32_t)hexadecimal_values[escape[3]] << 8
    | (uint32_t)hexadecimal_values[escape[4]] << 4 | hexadecimal_values[escape[5]];
}

/// Writes the UTF-8 of a scalar (RFC 3629 §3), and returns the address behind it.
static inline uint8_t *write_scalar(uint32_t scalar, uint8_t *output) {
  if (scalar < 0x80) {
    *output++ = (uint8_t)scalar;
  } else if (scalar < 0x800) {
    *output++ = (uint8_t)(0xc0 | scalar >> 6);
    *output++ = (uint8_t)(0x80 | (scalar & 0x3f));
  } else if (scalar < 0x10000) {
    *output++ = (uint8_t)(0xe0 | scalar >> 12);
    *output++ = (uint8_t)(0x80 | (scalar >> 6 & 0x3f));
    *output++ = (uint8_t)(0x80 | (scalar & 0x3f));
  } else {
    *output++ = (uint8_t)(0xf0 | scalar >> 18);
    *output++ = (uint8_t)(0x80 | (scalar >> 12 & 0x3f));
    *output++ = (uint8_t)(0x80 | (scalar >> 6 & 0x3f));
    *output++ = (uint8_t)(0x80 | (scalar & 0x3f));
  }
  return output;
}

size_t json_unescape(const uint8_t *bytes, size_t length, size_t count, uint8_t *decoded) {
  const uint8_t *at = bytes;
  // An escape is longer than the character that it means, so the output never reaches the end of the memory.
  uint8_t *output = decoded;
  while (1) {
    size_t run = plain_run(at, count - (size_t)(at - bytes), output);
    at += run;
    output += run;
    // The closing quote also ends a run.
    if (at >= bytes + length) return (size_t)(output - decoded);
    do {
      if (at[1] != 'u') {
        *output++ = letters[at[1]];
        at += 2;
        continue;
      }
      uint32_t unit = code_unit(at);
      at += 6;
      if ((unit & 0xfc00) == 0xd800 && at[0] == '\\' && at[1] == 'u' && (code_unit(at) & 0xfc00) == 0xdc00) {
        unit = 0x10000 + ((unit & 0x3ff) << 10) + (code_unit(at) & 0x3ff);
        at += 6;
      } else if ((unit & 0xf800) == 0xd800) {
        unit = 0xfffd;
      }
      output = write_scalar(unit, output);
    } while (*at == '\\');
  }
}
