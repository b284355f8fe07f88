extension RequestParser {
  /// How much of a request is taken; what goes beyond is refused.
  package struct Limits: Equatable, Sendable {
    /// Bytes of the request line with its CRLF. RFC 9112 §3 wants at least 8,000.
    package var requestLine: Int
    /// Bytes of all header field lines with their CRLFs; as much again is allowed for trailers.
    package var headerSection: Int
    package var headerCount: Int
    /// Bytes of content. 0 takes none: a request that announces some comes out with `announcesBody`.
    package var body: Int

    package init(requestLine: Int = 8192, headerSection: Int = 16384, headerCount: Int = 100, body: Int) {
      self.requestLine = requestLine
      self.headerSection = headerSection
      self.headerCount = headerCount
      self.body = body
    }

    /// The callback of a login: a GET from a browser, whose cookies for this host are the largest thing in it.
    package static let callback = Limits(body: 0)
    /// The control protocol: small JSON documents.
    package static let control = Limits(body: 64 * 1024)
    /// The embedded provider: forms and posts.
    package static let sandbox = Limits(body: 1024 * 1024)
  }
}
