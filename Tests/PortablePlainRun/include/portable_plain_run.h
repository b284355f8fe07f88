// The functions of plain_run.h as other processors run them, because they are compiled without SSE2.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// The bytes that `portable_plain_run` can write behind the run.
extern const size_t portable_plain_run_step;

size_t portable_plain_run(const uint8_t *bytes, size_t count, uint8_t *copy);
size_t portable_visible_run(const uint8_t *bytes, size_t count);
size_t portable_written_run(const uint8_t *bytes, size_t count);
