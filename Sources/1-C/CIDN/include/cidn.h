// Functions of libidn2 (IDNA 2008, RFC 5890 to 5893), loaded at the first call.
#pragma once

/// Loads libidn2 at the first call. Call it before any other function of this header. Returns NULL on success, otherwise an error message,
/// which the caller must copy immediately.
const char *cidn_start(void);

/// Converts a host name in UTF-8 to its A-labels, with the non-transitional mapping of UTS #46. Returns 0 on success; `result` must then be
/// released with `cidn_free`.
int cidn_to_ascii(const char *name, char **result);

/// Converts a host name's A-labels to UTF-8. Returns 0 on success; `result` must then be released with `cidn_free`.
int cidn_to_unicode(const char *name, char **result);

/// Returns a description of an error code, such as `string contains a disallowed character`.
const char *cidn_description(int code);

void cidn_free(char *text);
