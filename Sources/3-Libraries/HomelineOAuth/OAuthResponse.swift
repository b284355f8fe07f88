public import OAuthValues

extension OAuth {
  /// The parts of an HTTP response that this library reads. Create it from your HTTP client's types.
  public struct Response: Sendable, Hashable {
    /// The status code; nil if it is unknown. The body takes precedence over the status where possible.
    public let status: Int?
    /// The values of the `WWW-Authenticate` headers.
    public let challenges: [String]
    /// The decompressed body.
    public let body: [UInt8]

    /// The secrets to remove from quoted parts of the response.
    public let hiding: Redaction

    /// Creates a response.
    ///
    /// A server's error message may repeat the secrets in the request. Pass the secrets that the server knows as `hiding`, so that they are
    /// not shown.
    public init(status: Int?, challenges: [String] = [], body: [UInt8], hiding: Redaction = .nothing) {
      self.hiding = hiding
      self.status = status
      self.challenges = challenges
      self.body = body
    }
  }
}

extension OAuth.Response: CustomStringConvertible, CustomReflectable {
  /// The status and the length of the body. The body itself may contain a secret.
  public var description: String { "status \(status.map { "\($0)" } ?? "unknown"), \(body.count) bytes" }

  /// An empty mirror, so that `dump` shows no secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

// A short name for this package's other targets. Other packages use the name in the `OAuth` namespace.
package typealias OAuthResponse = OAuth.Response
