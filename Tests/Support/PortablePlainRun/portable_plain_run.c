#include "portable_plain_run.h"
#undef __SSE2__
#include "../../../Sources/1-C/CPlainRun/include/plain_run.h"

const size_t portable_plain_run_step = plain_run_step;

size_t portable_plain_run(const uint8_t *bytes, size_t count, uint8_t *copy) { return plain_run(bytes, count, copy); }
size_t portable_visible_run(const uint8_t *bytes, size_t count) { return visible_run(bytes, count); }
size_t portable_written_run(const uint8_t *bytes, size_t count) { return written_run(bytes, count); }
