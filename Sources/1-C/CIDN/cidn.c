#include "late_binding.h"
#pragma GCC visibility push(hidden)
#include "cidn.h"

LATE_BINDING(idn, "libidn2.so.0", "libidn2-0");

// The functions are declared here, so that building homeline does not need another package. Their types are those of idn2.h since version
// 2.0.0.
int idn2_to_ascii_8z(const char *input, char **output, int flags);
int idn2_to_unicode_8z8z(const char *input, char **output, int flags);
const char *idn2_strerror(int code);
void idn2_free(void *text);
enum { nfc_input = 1, nontransitional = 8 };

const char *cidn_start(void) { return late_load(&idn); }

int cidn_to_ascii(const char *name, char **result) {
  return LATE(idn, idn2_to_ascii_8z)(name, result, nfc_input | nontransitional);
}

int cidn_to_unicode(const char *name, char **result) { return LATE(idn, idn2_to_unicode_8z8z)(name, result, 0); }

const char *cidn_description(int code) { return LATE(idn, idn2_strerror)(code); }

void cidn_free(char *text) { LATE(idn, idn2_free)(text); }
