/// The limits and rules of a download.
package struct DownloadRules: Sendable {
  /// The maximum size of the file in bytes.
  var byteLimit: Int
  /// The value of `Accept`.
  var accepts: String
  /// The maximum number of redirects to follow.
  var redirects: Int
  /// Returns whether a URL may be requested. The closure is called for the first URL and for each redirect.
  var allows: @Sendable (String) -> Bool

  /// The networks that requests may reach.
  var addressPolicy: AddressPolicy?

  package init(
    byteLimit: Int, accepts: String, redirects: Int, addressPolicy: AddressPolicy? = nil,
    allows: @escaping @Sendable (String) -> Bool
  ) {
    self.addressPolicy = addressPolicy
    self.byteLimit = byteLimit
    self.accepts = accepts
    self.redirects = redirects
    self.allows = allows
  }
}
