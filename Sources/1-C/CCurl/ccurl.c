#define _GNU_SOURCE
#include "late_binding.h"
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>
#define CURL_DISABLE_TYPECHECK
#pragma GCC visibility push(hidden)
#include "ccurl.h"
// The header also defines these functions as macros, which would hide the definitions below.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

LATE_BINDING(curl, "libcurl.so.4", "libcurl4");

// libcurl, OpenSSL and GnuTLS write the keys of all TLS connections to the file that SSLKEYLOGFILE names, and anyone who can read that file
// and the traffic then reads the tokens. The value is made empty, which all of them ignore, before one of them can read it. unsetenv(3) would
// move other variables while other threads may be reading them.
static void forget_key_log(void) {
  static const char name[] = "SSLKEYLOGFILE=";
  for (char **entry = environ; entry && *entry; entry++) {
    if (strncmp(*entry, name, sizeof name - 1) == 0) (*entry)[sizeof name - 1] = 0;
  }
}

const char *ccurl_start(void) {
  static int isStarted = 0;
  if (isStarted) return NULL;
  forget_key_log();
  const char *failure = late_load(&curl);
  if (failure) return failure;
  CURLcode code = LATE(curl, curl_global_init)(CURL_GLOBAL_ALL);
  if (code != CURLE_OK) return curl_easy_strerror(code);
  isStarted = 1;
  return NULL;
}

CURL *curl_easy_init(void) { return LATE(curl, curl_easy_init)(); }
void curl_easy_reset(CURL *handle) { LATE(curl, curl_easy_reset)(handle); }
void curl_easy_cleanup(CURL *handle) { LATE(curl, curl_easy_cleanup)(handle); }
const char *curl_easy_strerror(CURLcode code) { return LATE(curl, curl_easy_strerror)(code); }
char *curl_version(void) { return LATE(curl, curl_version)(); }
void curl_free(void *text) { LATE(curl, curl_free)(text); }
struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text) {
  return LATE(curl, curl_slist_append)(list, text);
}
void curl_slist_free_all(struct curl_slist *list) { LATE(curl, curl_slist_free_all)(list); }

CURLM *curl_multi_init(void) { return LATE(curl, curl_multi_init)(); }
CURLMcode curl_multi_cleanup(CURLM *multi) { return LATE(curl, curl_multi_cleanup)(multi); }
CURLMcode curl_multi_add_handle(CURLM *multi, CURL *handle) {
  return LATE(curl, curl_multi_add_handle)(multi, handle);
}
CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *handle) {
  return LATE(curl, curl_multi_remove_handle)(multi, handle);
}
CURLMcode curl_multi_perform(CURLM *multi, int *running) { return LATE(curl, curl_multi_perform)(multi, running); }
CURLMcode curl_multi_poll(
    CURLM *multi, struct curl_waitfd *more, unsigned int count, int milliseconds, int *ready) {
  return LATE(curl, curl_multi_poll)(multi, more, count, milliseconds, ready);
}
CURLMcode curl_multi_wakeup(CURLM *multi) { return LATE(curl, curl_multi_wakeup)(multi); }
CURLMsg *curl_multi_info_read(CURLM *multi, int *left) { return LATE(curl, curl_multi_info_read)(multi, left); }

CURLU *curl_url(void) { return LATE(curl, curl_url)(); }
void curl_url_cleanup(CURLU *url) { LATE(curl, curl_url_cleanup)(url); }
CURLUcode curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) {
  return LATE(curl, curl_url_set)(url, part, text, flags);
}
CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) {
  return LATE(curl, curl_url_get)(url, part, text, flags);
}

CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
  return LATE(curl, curl_easy_setopt)(handle, option, value);
}
CURLcode ccurl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return LATE(curl, curl_easy_setopt)(handle, option, value);
}
CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
  return LATE(curl, curl_easy_setopt)(handle, option, value);
}
CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, const void *value) {
  return LATE(curl, curl_easy_setopt)(handle, option, value);
}
CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return LATE(curl, curl_easy_setopt)(handle, option, value);
}
CURLcode ccurl_set_callback(CURL *handle, CURLoption option, ccurl_write_callback value) {
  return LATE(curl, curl_easy_setopt)(handle, option, value);
}
CURLcode ccurl_set_open_socket(CURL *handle, curl_opensocket_callback value) {
  return LATE(curl, curl_easy_setopt)(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}
CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value) {
  return LATE(curl, curl_easy_getinfo)(handle, info, value);
}
CURLcode ccurl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  return LATE(curl, curl_easy_getinfo)(handle, info, value);
}
CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return LATE(curl, curl_multi_setopt)(multi, option, value);
}
CURLcode ccurl_message_result(const CURLMsg *message) { return message->data.result; }
