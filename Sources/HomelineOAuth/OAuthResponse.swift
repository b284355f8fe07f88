extension OAuth {
  /// What of a provider's HTTP answer matters here; the caller takes it from its own HTTP types.
  public struct Response: Sendable, Hashable {
    /// The status code, nil when it is not known. It is believed only where the body says nothing.
    public let status: Int?
    /// The values of the `WWW-Authenticate` headers.
    public let challenges: [String]
    /// The body, decompressed.
    public let body: [UInt8]

    /// Takes the secrets out of all that is quoted from it.
    public let hiding: Redaction

    /// Describes an answer.
    ///
    /// Servers repeat what they were sent: name with `hiding` the secrets that the server knows, so that no message shows one.
    public init(status: Int?, challenges: [String] = [], body: [UInt8], hiding: Redaction = .nothing) {
      self.hiding = hiding
      self.status = status
      self.challenges = challenges
      self.body = body
    }
  }
}

extension OAuth.Response: CustomStringConvertible, CustomReflectable {
  /// The status and the body's length: the body itself may hold a secret.
  public var description: String { "status \(status.map { "\($0)" } ?? "unknown"), \(body.count) bytes" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

// The short name for the other targets of this package; programs outside it see the namespace only.
package typealias OAuthResponse = OAuth.Response
