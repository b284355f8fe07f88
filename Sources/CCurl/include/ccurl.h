// The functions that are called must stand in ccurl.c: the program is not linked with the library.
#pragma once
#include <curl/curl.h>

/// Loads libcurl, unless that was done, and sets it up (curl_global_init(3)); to be called before anything else of it, by one
/// thread at a time. Answers NULL, or why it cannot be used; the words are to be copied at once.
const char *ccurl_start(void);

// libcurl's variadic calls, typed: Swift cannot call variadic C.

typedef size_t (*ccurl_write_callback)(char *bytes, size_t size, size_t count, void *context);

CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value);
CURLcode ccurl_set_offset(CURL *handle, CURLoption option, curl_off_t value);
CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, const void *value);
CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value);
CURLcode ccurl_set_callback(CURL *handle, CURLoption option, ccurl_write_callback value);
CURLcode ccurl_set_open_socket(CURL *handle, curl_opensocket_callback value);
CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value);
CURLcode ccurl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value);
CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);

/// curl_url_get(3), whose first parameter is another one from version to version.
CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags);

/// The result of a finished transfer (a union in the message).
CURLcode ccurl_message_result(const CURLMsg *message);
