#include "json_skip.h"

#include <stdbool.h>
#include "plain_run.h"

// Before each token, `limit` is compared with the address: `slack` bytes after `limit` can be read, which is enough for the vector of
// plain_run_marks() after the few bytes that a token may have consumed since the comparison. Functions that return an address return NULL
// to give up.
enum { slack = plain_run_step + 16 };

static inline const uint8_t *limit_of(const uint8_t *bytes, size_t count, size_t offset) {
  return count - offset < slack ? NULL : bytes + (count - slack);
}

// The usual cases are inlined, and the others are calls.
#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)
#define rare __attribute__((noinline, cold))

static rare const uint8_t *long_space_end(const uint8_t *at, const uint8_t *limit) {
  while (at < limit && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) at++;
  return at;
}

/// Skips whitespace, but not beyond the limit. No token begins with whitespace, so the caller then gives up.
static inline const uint8_t *space_end(const uint8_t *at, const uint8_t *limit) {
  return likely(*at > ' ') ? at : long_space_end(at, limit);
}

static const bool is_hexadecimal[256] = {
  ['0'] = true, ['1'] = true, ['2'] = true, ['3'] = true, ['4'] = true, ['5'] = true, ['6'] = true, ['7'] = true,
  ['8'] = true, ['9'] = true, ['A'] = true, ['B'] = true, ['C'] = true, ['D'] = true, ['E'] = true, ['F'] = true,
  ['a'] = true, ['b'] = true, ['c'] = true, ['d'] = true, ['e'] = true, ['f'] = true,
};

/// The number of bytes of an escape, by the byte after the backslash; 0 for none.
static const uint8_t escape_lengths[256] = {
  ['"'] = 2, ['\\'] = 2, ['/'] = 2, ['b'] = 2, ['f'] = 2, ['n'] = 2, ['r'] = 2, ['t'] = 2, ['u'] = 6,
};

/// Returns the length of the escape; 0 if it is invalid.
static inline size_t escape_length(const uint8_t *at) {
  size_t length = escape_lengths[at[1]];
  if (length != 6) return length;
  bool is_valid = is_hexadecimal[at[2]] & is_hexadecimal[at[3]] & is_hexadecimal[at[4]] & is_hexadecimal[at[5]];
  return is_valid ? length : 0;
}

/// Skips the rest of a string, from any byte that is not part of an escape.
static __attribute__((noinline)) const uint8_t *long_string_end(const uint8_t *at, const uint8_t *limit) {
  while (at <= limit) {
    uint64_t marks = plain_run_marks(at, NULL);
    size_t next = plain_run_step;
    while (marks) {
      size_t index = plain_run_first(marks);
      if (at[index] == '"') return at + index + 1;
      if (unlikely(at[index] != '\\')) return NULL;
      size_t length = escape_length(at + index);
      if (unlikely(!length)) return NULL;
      next = index + length;
      if (!plain_run_has_all_marks || next >= plain_run_step) break;
      marks &= ~UINT64_C(0) << next;
      next = plain_run_step;
    }
    at += next;
  }
  return NULL;
}

/// Skips a string from the byte after its opening quote. Most strings have fewer bytes than a step.
static inline const uint8_t *string_end(const uint8_t *at, const uint8_t *limit) {
  if (unlikely(at > limit)) return NULL;
  uint64_t marks = plain_run_marks(at, NULL);
  if (marks && at[plain_run_first(marks)] == '"') return at + plain_run_first(marks) + 1;
  return long_string_end(marks ? at : at + plain_run_step, limit);
}

static inline bool is_digit(uint8_t byte) { return (uint8_t)(byte - '0') < 10; }

/// Skips digits, eight at a time. There must be at least one.
static inline const uint8_t *digits_end(const uint8_t *at, const uint8_t *limit) {
  const uint64_t ones = 0x0101010101010101;
  if (!is_digit(*at)) return NULL;
  for (; at <= limit; at += 8) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    // The highest bit of a byte marks a byte that is not in 0...9 after '0' is subtracted.
    word ^= ones * '0';
    uint64_t others = (((word & (ones * 0x7f)) + ones * 0x76) | word) & (ones * 0x80);
    if (others) return at + __builtin_ctzll(others) / 8;
  }
  return NULL;
}

static inline const uint8_t *number_end(const uint8_t *at, const uint8_t *limit) {
  if (*at == '-') at++;
  if (*at == '0' && is_digit(at[1])) return NULL;
  at = digits_end(at, limit);
  if (at && unlikely(*at == '.')) at = digits_end(at + 1, limit);
  if (at && unlikely((*at | 0x20) == 'e')) {
    at++;
    if (*at == '+' || *at == '-') at++;
    at = digits_end(at, limit);
  }
  return at;
}

static inline const uint8_t *word_end(const uint8_t *at, const char ending[4], size_t length) {
  return memcmp(at + length - 4, ending, 4) ? NULL : at + length;
}

/// Skips a string, a number or a word.
static inline __attribute__((always_inline)) const uint8_t *scalar_end(const uint8_t *at, const uint8_t *limit) {
  switch (*at) {
  case '"': return string_end(at + 1, limit);
  case 't': return word_end(at, "true", 4);
  case 'f': return word_end(at, "alse", 5);
  case 'n': return word_end(at, "null", 4);
  default: return *at == '-' || is_digit(*at) ? number_end(at, limit) : NULL;
  }
}

/// Skips a colon and the whitespace around it.
static inline const uint8_t *colon_end(const uint8_t *at, const uint8_t *limit) {
  at = space_end(at, limit);
  return *at == ':' ? space_end(at + 1, limit) : NULL;
}

static inline bool is_opening(uint8_t byte) { return byte == '{' || byte == '['; }

/// Skips an object or an array.
static __attribute__((noinline)) const uint8_t *nested_end(const uint8_t *at, const uint8_t *limit, size_t levels) {
  // One bit for each object or array that contains the next value: 1 for an object. The lowest bit belongs to the innermost one.
  uint64_t objects = 0;
  size_t open = 0;
opening:
  if (open == levels || at > limit) return NULL;
  objects = objects << 1 | (*at == '{');
  open++;
  at = space_end(at + 1, limit);
  if (*at == ((objects & 1) ? '}' : ']')) goto closing;
  if (objects & 1) goto name;
value:
  if (is_opening(*at)) goto opening;
  at = scalar_end(at, limit);
  if (!at) return NULL;
after:
  if (unlikely(at > limit)) return NULL;
  at = space_end(at, limit);
  if (*at == ',') {
    at = space_end(at + 1, limit);
    if (!(objects & 1)) goto value;
  name:
    if (*at != '"') return NULL;
    at = string_end(at + 1, limit);
    if (!at || unlikely(at > limit)) return NULL;
    at = colon_end(at, limit);
    if (!at) return NULL;
    goto value;
  }
  if (*at != ((objects & 1) ? '}' : ']')) return NULL;
closing:
  objects >>= 1;
  open--;
  at++;
  if (open > 0) goto after;
  return at;
}

/// Skips a value, which begins at the address.
static inline __attribute__((always_inline)) const uint8_t *value_end(const uint8_t *at, const uint8_t *limit, size_t levels) {
  return is_opening(*at) ? nested_end(at, limit, levels) : scalar_end(at, limit);
}

size_t json_skip(const uint8_t *bytes, size_t count, size_t offset, size_t levels) {
  const uint8_t *limit = limit_of(bytes, count, offset);
  if (!limit) return 0;
  const uint8_t *end = value_end(space_end(bytes + offset, limit), limit, levels);
  return end ? (size_t)(end - bytes) : 0;
}

size_t json_string_skip(const uint8_t *bytes, size_t count, size_t offset) {
  const uint8_t *limit = limit_of(bytes, count, offset);
  const uint8_t *end = limit ? long_string_end(bytes + offset, limit) : NULL;
  return end ? (size_t)(end - bytes) : 0;
}

/// The slot of a name, which depends on its length, its first four and its last four bytes. Most other names differ in these.
static inline size_t slot_of(const uint8_t *name, size_t length, uint32_t factor) {
  uint32_t first = 0, last = 0;
  if (likely(length >= 4)) {
    memcpy(&first, name, 4);
    memcpy(&last, name + length - 4, 4);
  } else if (length) {
    first = name[0];
    last = name[length - 1] | (uint32_t)name[length / 2] << 8;
  }
  return (first + last * 31 + (uint32_t)length) * factor >> 24;
}

int json_names_add(json_names *names, const uint8_t *name, size_t length) {
  size_t start = names->count ? names->names[names->count - 1].start + names->names[names->count - 1].length : 0;
  if (names->count == json_name_limit || length > json_name_bytes - start) return 0;
  names->names[names->count].start = (uint16_t)start;
  names->names[names->count].length = (uint16_t)length;
  memcpy(names->text + start, name, length);
  names->count++;
  return 1;
}

int json_names_place(json_names *names) {
  for (uint32_t attempt = 1; attempt < 100000; attempt++) {
    names->factor = attempt * 0x9e3779b1u | 1;
    memset(names->slots, 0, sizeof names->slots);
    size_t index = 0;
    for (; index < names->count; index++) {
      uint8_t *slot = &names->slots[slot_of(names->text + names->names[index].start, names->names[index].length, names->factor)];
      if (*slot) break;
      *slot = (uint8_t)(index + 1);
    }
    if (index == names->count) return 1;
  }
  return 0;
}

/// Compares names of equal length, the last bytes of a long name twice.
static inline bool is_equal(const uint8_t *first, const uint8_t *second, size_t length) {
  uint64_t a, b;
  if (length < 8) {
    for (; length; length--) if (*first++ != *second++) return false;
    return true;
  }
  for (size_t at = 0; at < length; at += 8) {
    size_t start = at + 8 <= length ? at : length - 8;
    memcpy(&a, first + start, 8);
    memcpy(&b, second + start, 8);
    if (a != b) return false;
  }
  return true;
}

static inline size_t number_of(const json_names *names, const uint8_t *name, size_t length) {
  size_t number = names->slots[slot_of(name, length, names->factor)];
  if (!number || names->names[number - 1].length != length) return 0;
  return is_equal(name, names->text + names->names[number - 1].start, length) ? number : 0;
}

size_t json_names_find(const json_names *names, const uint8_t *name, size_t length) { return number_of(names, name, length); }

/// Returns the closing quote of a name without escapes. A name with escapes may be one of a set, but differs from it in its bytes.
static inline const uint8_t *name_end(const uint8_t *at, const uint8_t *limit) {
  for (; at <= limit; at += plain_run_step) {
    uint64_t marks = plain_run_marks(at, NULL);
    if (!marks) continue;
    at += plain_run_first(marks);
    return *at == '"' ? at : NULL;
  }
  return NULL;
}

json_member json_next_member(
  const uint8_t *bytes, size_t count, size_t offset, int is_first, size_t levels, const json_names *names) {
  const uint8_t *limit = limit_of(bytes, count, offset);
  const uint8_t *start = bytes + offset;
  if (!limit) return (json_member){offset, json_gave_up};
  for (; start <= limit; is_first = false) {
    const uint8_t *at = space_end(start, limit);
    if (*at == '}') return (json_member){(size_t)(at + 1 - bytes), json_no_member};
    if (!is_first) {
      if (*at != ',') break;
      at = space_end(at + 1, limit);
    }
    if (*at != '"') break;
    const uint8_t *name = at + 1;
    at = name_end(name, limit);
    if (!at || unlikely(at > limit)) break;
    size_t number = number_of(names, name, (size_t)(at - name));
    at = colon_end(at + 1, limit);
    if (!at) break;
    if (number) return (json_member){(size_t)(at - bytes), number};
    at = value_end(at, limit, levels);
    if (!at) break;
    start = at;
  }
  return (json_member){(size_t)(start - bytes), json_gave_up};
}
