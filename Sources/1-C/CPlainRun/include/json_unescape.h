// Decodes the escapes in JSON strings (RFC 8259 §7).
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Writes the content of a string without its escapes to `decoded`. A lone surrogate becomes U+FFFD.
/// - bytes: the content of a valid string, without the quotes.
/// - length: the number of its bytes.
/// - count: the number of bytes that can be read. At least one more byte follows them: the closing quote.
/// - decoded: memory for `length` bytes and `json_unescape_slack` more, which may be written too.
/// Returns the number of bytes that the content has.
size_t json_unescape(const uint8_t *bytes, size_t length, size_t count, uint8_t *decoded);

enum { json_unescape_slack = 16 };
