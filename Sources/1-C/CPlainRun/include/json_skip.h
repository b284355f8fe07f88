// Skips valid JSON (RFC 8259) that nobody reads, as strictly as a reader would.
//
// These functions only say that the JSON is valid: at a fault, near the end of the text, and where a name contains an escape, they give up,
// and the scanner in Swift, which knows each fault and its position, reads the value or the member again. So they need to compare addresses
// with the end only once for several bytes.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Skips a value, and the whitespace before it.
/// - offset: the offset of the value; at most `count`.
/// - levels: the maximum depth of nested objects and arrays; at most 64.
/// Returns the offset of the first byte after the value; 0 if the function gave up.
size_t json_skip(const uint8_t *bytes, size_t count, size_t offset, size_t levels);

/// Skips the rest of a string.
/// - offset: the offset of a byte of the string that is not part of an escape; at most `count`.
/// Returns the offset of the first byte after the closing quote; 0 if the function gave up.
size_t json_string_skip(const uint8_t *bytes, size_t count, size_t offset);

enum { json_name_limit = 64, json_name_bytes = 1024, json_name_slots = 256 };

/// A set of members' names. The hash of a name is the index of its slot, and no two names have the same slot.
typedef struct {
  uint32_t factor;
  /// The number of the name in this slot, counted from 1; 0 for none.
  uint8_t slots[json_name_slots];
  size_t count;
  struct {
    uint16_t start, length;
  } names[json_name_limit];
  uint8_t text[json_name_bytes];
} json_names;

/// Adds a name, whose number is the current `count`. Returns 0 if it is one name or byte too much.
int json_names_add(json_names *names, const uint8_t *name, size_t length);

/// Gives each name its slot. Call it after adding all names. Returns 0 if two names are equal or too similar.
int json_names_place(json_names *names);

/// Returns the number of a name, counted from 1; 0 if it is not in the set.
size_t json_names_find(const json_names *names, const uint8_t *name, size_t length);

enum {
  /// The closing bracket of the object has been consumed.
  json_no_member = 0,
  /// The function gave up at the offset, before the comma of the next member.
  json_gave_up = json_name_limit + 1,
};

typedef struct {
  size_t offset;
  /// The number of the member's name, counted from 1, or one of the constants above.
  size_t found;
} json_member;

/// Skips members of an object up to one with a name of the set, and consumes this name and the colon.
/// - offset: the first byte after the opening bracket or after the previous member's value; at most `count`.
/// - is_first: whether it is the byte after the opening bracket.
/// - levels: the maximum depth of objects and arrays in a member; at most 64.
json_member json_next_member(
  const uint8_t *bytes, size_t count, size_t offset, int is_first, size_t levels, const json_names *names);
