/// What holds for a download.
package struct DownloadRules: Sendable {
  /// Bytes of a whole file.
  package var byteLimit: Int
  /// The value of `Accept`.
  package var accepts: String
  /// How many redirects are followed.
  package var redirects: Int
  /// Whether a URL may be asked: the first one, and each that a redirect leads to.
  package var mayAsk: @Sendable (String) -> Bool

  /// Where the machines may be that are asked.
  package var reach: Reach?

  package init(
    byteLimit: Int, accepts: String, redirects: Int, reach: Reach? = nil, mayAsk: @escaping @Sendable (String) -> Bool
  ) {
    self.reach = reach
    self.byteLimit = byteLimit
    self.accepts = accepts
    self.redirects = redirects
    self.mayAsk = mayAsk
  }
}
