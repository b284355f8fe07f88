internal import CCurl

/// Where an answer's `Location` leads from the URL that was asked (RFC 9110 §10.2.2, RFC 3986 §5), by libcurl's own reading of URLs.
enum RedirectTarget {
  /// - Returns: an absolute URL without a fragment; `nil` for what is none, or one with a user's name in it.
  static func of(_ location: String, from url: String) -> String? {
    guard let handle = unsafe curl_url() else { return nil }
    defer { unsafe curl_url_cleanup(handle) }
    let flags = UInt32(CURLU_DISALLOW_USER)
    guard unsafe curl_url_set(handle, CURLUPART_URL, url, flags) == CURLUE_OK,
      unsafe curl_url_set(handle, CURLUPART_URL, location, flags) == CURLUE_OK,
      unsafe curl_url_set(handle, CURLUPART_FRAGMENT, nil, 0) == CURLUE_OK
    else { return nil }
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe ccurl_url_get(handle, CURLUPART_URL, &text, 0) == CURLUE_OK, let text = unsafe text else { return nil }
    defer { unsafe curl_free(text) }
    return unsafe String(cString: text)
  }
}
