#include "portable_plain_run.h"
#undef __SSE2__
#define json_skip portable_json_skip
#define json_string_skip portable_json_string_skip
#define json_names_add portable_json_names_add
#define json_names_place portable_json_names_place
#define json_names_find portable_json_names_find
#define json_next_member portable_json_next_member
#define json_unescape portable_json_unescape
#include "../../../Sources/1-C/CPlainRun/json_skip.c"
#include "../../../Sources/1-C/CPlainRun/json_unescape.c"
