internal import HTTP

extension Response {
  /// Sends the browser back to a client, with parameters behind the address' own query (RFC 5849 §2.2, RFC 6749 §4.1.2).
  /// - Parameter query: as it is to stand there.
  /// - Returns: nil where the address can stand in no header.
  init?(redirectTo address: String, adding query: String, status: StatusCode = .found) {
    let joint =
      switch address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first {
      case nil: "?"
      case "": ""
      default: "&"
      }
    guard let location = FieldValue(address + joint + query) else { return nil }
    self.init(
      status: status,
      headers: ["Location": location, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"])
  }
}
