// libcurl, loaded at the first call. The program is not linked with the library, so ccurl.c must define each libcurl function that is used.
#pragma once
#include <curl/curl.h>

/// Loads and initialises libcurl (curl_global_init(3)) at the first call. Call it before any other libcurl function, from one thread at a
/// time. Returns NULL on success, otherwise an error message, which the caller must copy immediately.
const char *ccurl_start(void);

// Typed versions of libcurl's variadic functions, which Swift cannot call.

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

/// curl_url_get(3). The type of its first parameter differs between versions of libcurl.
CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags);

/// The result of a finished transfer. The message contains it in a union.
CURLcode ccurl_message_result(const CURLMsg *message);
