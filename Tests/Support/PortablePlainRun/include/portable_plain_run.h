// The functions in plain_run.h, compiled without SSE2 as on other processors.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// The maximum number of bytes that `portable_plain_run` writes after the run.
extern const size_t portable_plain_run_step;

size_t portable_plain_run(const uint8_t *bytes, size_t count, uint8_t *copy);
size_t portable_visible_run(const uint8_t *bytes, size_t count);
size_t portable_written_run(const uint8_t *bytes, size_t count);

// The functions of json_skip.h and json_unescape.h.
size_t portable_json_skip(const uint8_t *bytes, size_t count, size_t offset, size_t levels);
size_t portable_json_string_skip(const uint8_t *bytes, size_t count, size_t offset);
size_t portable_json_unescape(const uint8_t *bytes, size_t length, size_t count, uint8_t *decoded);
