// Runs of bytes that a JSON string (RFC 8259 §7) holds as they are: all but a quote, a backslash and control characters.
//
// In C, since Swift has no way to ask for one bit of each byte of a vector (_mm_movemask_epi8). In a header, so that it becomes part of
// the loops that ask: most runs are shorter than the call of a function.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>

enum { plain_run_step = 16 };

/// A step's bytes, copied to `room` unless that is NULL.
/// Answers a bit for each byte that is not plain, the first one lowest.
static inline uint64_t plain_run_marks(const uint8_t *bytes, uint8_t *room) {
  __m128i step = _mm_loadu_si128((const __m128i *)bytes);
  if (room) _mm_storeu_si128((__m128i *)room, step);
  __m128i quotes = _mm_cmpeq_epi8(step, _mm_set1_epi8('"'));
  __m128i backslashes = _mm_cmpeq_epi8(step, _mm_set1_epi8('\\'));
  __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(step, _mm_set1_epi8(0x1f)), step);
  return (uint64_t)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, backslashes), controls));
}

static inline size_t plain_run_first(uint64_t marks) { return (size_t)__builtin_ctzll(marks); }

#else

enum { plain_run_step = 8 };

/// The same in one word; the highest bit of each byte is its mark. A subtraction may borrow from the next byte, so that only the
/// lowest mark is sure to be one: it is the first byte, and the only one that is asked for.
static inline uint64_t plain_run_marks(const uint8_t *bytes, uint8_t *room) {
  const uint64_t ones = 0x0101010101010101;
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  if (room) memcpy(room, &word, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  uint64_t quotes = word ^ (ones * '"'), backslashes = word ^ (ones * '\\');
  uint64_t found = ((word - ones * 0x20) & ~word) | ((quotes - ones) & ~quotes) | ((backslashes - ones) & ~backslashes);
  return found & (ones * 0x80);
}

static inline size_t plain_run_first(uint64_t marks) { return (size_t)__builtin_ctzll(marks) / 8; }

#endif

/// How many plain bytes stand at the beginning.
/// With a `room` they are written there, and up to `plain_run_step` bytes behind them, of which nothing is to be expected.
static inline size_t plain_run(const uint8_t *bytes, size_t count, uint8_t *room) {
  size_t place = 0;
  while (place + plain_run_step <= count) {
    uint64_t marks = plain_run_marks(bytes + place, room ? room + place : NULL);
    if (marks) return place + plain_run_first(marks);
    place += plain_run_step;
  }
  while (place < count && bytes[place] >= 0x20 && bytes[place] != '"' && bytes[place] != '\\') {
    if (room) room[place] = bytes[place];
    place++;
  }
  return place;
}

// Characters that JSON output writes as `\uXXXX` although RFC 8259 §7 does not ask for it, since a terminal, an editor or a page would
// act on them: DEL and the C1 controls (U+007F to U+009F), line and paragraph separator and the bidirectional embeddings and overrides
// (U+2028 to U+202E), and the isolates (U+2066 to U+2069). In UTF-8 they begin with 7F, C2 and E2 alone.

/// How many bytes such a character has; 0 where none begins.
static inline size_t invisible_length(const uint8_t *bytes, size_t count) {
  if (bytes[0] == 0x7f) return 1;
  if (count >= 2 && bytes[0] == 0xc2 && bytes[1] <= 0x9f) return 2;
  if (count < 3 || bytes[0] != 0xe2) return 0;
  if (bytes[1] == 0x80) return bytes[2] >= 0xa8 && bytes[2] <= 0xae ? 3 : 0;
  return bytes[1] == 0x81 && bytes[2] >= 0xa6 && bytes[2] <= 0xa9 ? 3 : 0;
}

#if defined(__SSE2__)
/// Bytes with which such a character may begin.
static inline __m128i invisible_beginnings(__m128i step) {
  // C2 and E2 differ in one bit.
  __m128i longer = _mm_cmpeq_epi8(_mm_or_si128(step, _mm_set1_epi8(0x20)), _mm_set1_epi8((char)0xe2));
  return _mm_or_si128(longer, _mm_cmpeq_epi8(step, _mm_set1_epi8(0x7f)));
}
#endif

/// How many bytes stand before the first such character.
static inline size_t visible_run(const uint8_t *bytes, size_t count) {
  size_t place = 0;
#if defined(__SSE2__)
  for (; place + 2 * plain_run_step <= count; place += 2 * plain_run_step) {
    __m128i first = invisible_beginnings(_mm_loadu_si128((const __m128i *)(bytes + place)));
    __m128i second = invisible_beginnings(_mm_loadu_si128((const __m128i *)(bytes + place + plain_run_step)));
    if (!_mm_movemask_epi8(_mm_or_si128(first, second))) continue;
    uint32_t marks = (uint32_t)_mm_movemask_epi8(first) | (uint32_t)_mm_movemask_epi8(second) << plain_run_step;
    for (; marks; marks &= marks - 1) {
      size_t candidate = place + (size_t)__builtin_ctz(marks);
      if (invisible_length(bytes + candidate, count - candidate)) return candidate;
    }
  }
#endif
  for (; place < count; place++) {
    if (bytes[place] >= 0x7f && invisible_length(bytes + place, count - place)) return place;
  }
  return count;
}

/// How many bytes stand before the first one that a string of JSON output escapes, whether it must or because nobody would see it.
static inline size_t written_run(const uint8_t *bytes, size_t count) {
  size_t place = 0;
#if defined(__SSE2__)
  for (; place + plain_run_step <= count; place += plain_run_step) {
    __m128i beginnings = invisible_beginnings(_mm_loadu_si128((const __m128i *)(bytes + place)));
    uint32_t escapes = (uint32_t)plain_run_marks(bytes + place, NULL);
    for (uint32_t marks = escapes | (uint32_t)_mm_movemask_epi8(beginnings); marks; marks &= marks - 1) {
      size_t candidate = place + (size_t)__builtin_ctz(marks);
      if (bytes[candidate] < 0x7f || invisible_length(bytes + candidate, count - candidate)) return candidate;
    }
  }
#endif
  for (; place < count; place++) {
    uint8_t byte = bytes[place];
    if (byte < 0x20 || byte == '"' || byte == '\\') return place;
    if (byte >= 0x7f && invisible_length(bytes + place, count - place)) return place;
  }
  return count;
}
