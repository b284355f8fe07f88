extension OAuth {
  /// The parts of an HTTP response that this library reads. Create it from your HTTP client's types.
  public struct Response: Sendable, Hashable {
    /// The status code; nil if it is unknown. It is used only if the body is inconclusive.
    public let status: Int?
    /// The values of the `WWW-Authenticate` headers.
    public let challenges: [String]
    /// The decompressed body.
    public let body: [UInt8]

    /// The secrets to remove from quoted parts of the response.
    public let hiding: Redaction

    /// Creates a response.
    ///
    /// Servers may repeat what they received. Pass the secrets that the server knows as `hiding`, so that error messages do not show them.
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

  /// An empty mirror.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

// Short name for the other targets of this package. Programs outside it use the namespace.
package typealias OAuthResponse = OAuth.Response
