/// Tells requests for pages from other requests, as far as the browser reports it.
package enum Navigation {
  /// Returns whether the user may see the response as a page.
  ///
  /// Some requests have no `Sec-Fetch-Dest`, such as Chromium's WebSocket requests. They are recognised by their `Origin`, because no GET
  /// request for a page has one. The request for a prefetched page looks like one for a page, although nobody has opened the page yet
  /// (Speculation Rules, Fetch §5.6).
  package static func isPossible(_ headers: HeaderFields) -> Bool {
    let found = headers.first(destination)
    return (found == nil || found == "document")
      && absentFields.allSatisfy { headers.first($0) == nil }
  }

  private static let destination: FieldName = "Sec-Fetch-Dest"
  /// The fields that no request for a page has.
  private static let absentFields: [FieldName] = ["Origin", "Upgrade", "Purpose", "Sec-Purpose"]
}
