// libcurl's variadic calls, typed: Swift cannot call variadic C.
#pragma once
#include <curl/curl.h>

typedef size_t (*ccurl_write_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, const void *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_callback(CURL *handle, CURLoption option, ccurl_write_callback value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode ccurl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode ccurl_get_pointer(CURL *handle, CURLINFO info, void **value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}
/// The result of a finished transfer (a union in the message).
static inline CURLcode ccurl_message_result(const CURLMsg *message) { return message->data.result; }
/// CURL_GLOBAL_ALL is a compound macro.
static inline CURLcode ccurl_global_init(void) { return curl_global_init(CURL_GLOBAL_ALL); }
