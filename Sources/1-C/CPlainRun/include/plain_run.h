// Finds runs of bytes that need no escape in a JSON string (RFC 8259 §7): all bytes except quotation marks, backslashes and control
// characters.
//
// This is written in C, because Swift cannot read one bit from each byte of a vector (_mm_movemask_epi8). It is in a header so that the
// compiler inlines it: most runs are so short that a function call would take longer.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>

enum { plain_run_step = 16, plain_run_has_all_marks = 1 };

/// Copies the bytes of one step to `copy`, unless `copy` is NULL. Returns a mask with a bit for each byte that needs an escape, the lowest
/// bit for the first byte.
static inline uint64_t plain_run_marks(const uint8_t *bytes, uint8_t *copy) {
  __m128i step = _mm_loadu_si128((const __m128i *)bytes);
  if (copy) _mm_storeu_si128((__m128i *)copy, step);
  __m128i quotes = _mm_cmpeq_epi8(step, _mm_set1_epi8('"'));
  __m128i backslashes = _mm_cmpeq_epi8(step, _mm_set1_epi8('\\'));
  __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(step, _mm_set1_epi8(0x1f)), step);
  return (uint64_t)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, backslashes), controls));
}

static inline size_t plain_run_first(uint64_t marks) { return (size_t)__builtin_ctzll(marks); }

#else

enum { plain_run_step = 8, plain_run_has_all_marks = 0 };

/// The version for processors without SSE2, with one 64-bit integer: the highest bit of each byte is its mark. Subtractions can borrow from
/// the next byte, so only the lowest mark is reliable, and no other mark is used.
static inline uint64_t plain_run_marks(const uint8_t *bytes, uint8_t *copy) {
  const uint64_t ones = 0x0101010101010101;
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  if (copy) memcpy(copy, &word, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  uint64_t quotes = word ^ (ones * '"'), backslashes = word ^ (ones * '\\');
  uint64_t found = ((word - ones * 0x20) & ~word) | ((quotes - ones) & ~quotes) | ((backslashes - ones) & ~backslashes);
  return found & (ones * 0x80);
}

static inline size_t plain_run_first(uint64_t marks) { return (size_t)__builtin_ctzll(marks) / 8; }

#endif

/// Counts the bytes at the beginning that need no escape. If `copy` is not NULL, these bytes are copied to it, followed by up to
/// `plain_run_step` arbitrary bytes.
static inline size_t plain_run(const uint8_t *bytes, size_t count, uint8_t *copy) {
  size_t position = 0;
  while (position + plain_run_step <= count) {
    uint64_t marks = plain_run_marks(bytes + position, copy ? copy + position : NULL);
    if (marks) return position + plain_run_first(marks);
    position += plain_run_step;
  }
  while (position < count && bytes[position] >= 0x20 && bytes[position] != '"' && bytes[position] != '\\') {
    if (copy) copy[position] = bytes[position];
    position++;
  }
  return position;
}

// Characters that JSON output writes as `\uXXXX` although RFC 8259 §7 does not require it, because terminals, editors and web pages
// interpret them: DEL and the C1 controls (U+007F to U+009F), line and paragraph separator and the bidirectional embeddings and overrides
// (U+2028 to U+202E), and the isolates (U+2066 to U+2069). In UTF-8 they start with 7F, C2 or E2.

/// Returns the length in bytes of the invisible character that starts here; 0 if none does.
static inline size_t invisible_length(const uint8_t *bytes, size_t count) {
  if (bytes[0] == 0x7f) return 1;
  if (count >= 2 && bytes[0] == 0xc2 && bytes[1] <= 0x9f) return 2;
  if (count < 3 || bytes[0] != 0xe2) return 0;
  if (bytes[1] == 0x80) return bytes[2] >= 0xa8 && bytes[2] <= 0xae ? 3 : 0;
  return bytes[1] == 0x81 && bytes[2] >= 0xa6 && bytes[2] <= 0xa9 ? 3 : 0;
}

#if defined(__SSE2__)
/// Marks the bytes that can start an invisible character.
static inline __m128i invisible_beginnings(__m128i step) {
  // C2 and E2 differ in one bit.
  __m128i longer = _mm_cmpeq_epi8(_mm_or_si128(step, _mm_set1_epi8(0x20)), _mm_set1_epi8((char)0xe2));
  return _mm_or_si128(longer, _mm_cmpeq_epi8(step, _mm_set1_epi8(0x7f)));
}
#endif

/// Counts the bytes before the first invisible character.
static inline size_t visible_run(const uint8_t *bytes, size_t count) {
  size_t position = 0;
#if defined(__SSE2__)
  for (; position + 2 * plain_run_step <= count; position += 2 * plain_run_step) {
    __m128i first = invisible_beginnings(_mm_loadu_si128((const __m128i *)(bytes + position)));
    __m128i second = invisible_beginnings(_mm_loadu_si128((const __m128i *)(bytes + position + plain_run_step)));
    if (!_mm_movemask_epi8(_mm_or_si128(first, second))) continue;
    uint32_t marks = (uint32_t)_mm_movemask_epi8(first) | (uint32_t)_mm_movemask_epi8(second) << plain_run_step;
    for (; marks; marks &= marks - 1) {
      size_t candidate = position + (size_t)__builtin_ctz(marks);
      if (invisible_length(bytes + candidate, count - candidate)) return candidate;
    }
  }
#endif
  for (; position < count; position++) {
    if (bytes[position] >= 0x7f && invisible_length(bytes + position, count - position)) return position;
  }
  return count;
}

/// Counts the bytes before the first byte that JSON output escapes, because JSON requires it or because the character is invisible.
static inline size_t written_run(const uint8_t *bytes, size_t count) {
  size_t position = 0;
#if defined(__SSE2__)
  for (; position + plain_run_step <= count; position += plain_run_step) {
    __m128i beginnings = invisible_beginnings(_mm_loadu_si128((const __m128i *)(bytes + position)));
    uint32_t escapes = (uint32_t)plain_run_marks(bytes + position, NULL);
    for (uint32_t marks = escapes | (uint32_t)_mm_movemask_epi8(beginnings); marks; marks &= marks - 1) {
      size_t candidate = position + (size_t)__builtin_ctz(marks);
      if (bytes[candidate] < 0x7f || invisible_length(bytes + candidate, count - candidate)) return candidate;
    }
  }
#endif
  for (; position < count; position++) {
    uint8_t byte = bytes[position];
    if (byte < 0x20 || byte == '"' || byte == '\\') return position;
    if (byte >= 0x7f && invisible_length(bytes + position, count - position)) return position;
  }
  return count;
}
