package import HTTP
package import Platform

/// The limits, deadlines and callbacks of a server.
package struct ServerConfiguration: Sendable {
  package var limits: RequestParser.Limits
  package var deadlines: ConnectionDeadlines
  /// Decides, from a request's head, how its content is read; nil for `limits.body` for all requests. Called on the server's queue, only for
  /// requests with content.
  package var content: (@Sendable (Request) -> ContentRule)?
  /// The maximum number of simultaneous connections. Browsers open a handful. The limit prevents other programs from using up this
  /// process's descriptors (usually 1,024).
  package var maximumConnections: Int
  /// The peers that may connect.
  package var peers: PeerRule
  /// Called on the server's queue for each connection refused by `peers`; with nil if the peer could not be determined.
  package var refused: @Sendable (PeerCredentials?) -> Void
  /// The socket that `PeerRule.userOverTCP` uses to query the kernel, if the service manager opened it.
  package var diagnosis: SocketDiagnosis?
  /// The ways to query the kernel; tests leave some out.
  var ownerLookups = Set(PeerOwners.Way.allCases)
  /// Called on the server's queue with each finding of `PeerRule.userOverTCP`.
  package var found: @Sendable (TCPPeerFinding) -> Void
  /// The response to requests from users that `PeerRule.userOverTCP` refuses.
  package var forbidden: @Sendable () -> Response
  /// The response to a request that cannot be read: it is malformed, its content is too large, or its content cannot be stored. The
  /// connection is closed afterwards. Called on the server's queue.
  package var refusal: @Sendable (RequestError) -> Response = { Response($0) }
  /// The current time for the `Date` field, as an IMF-fixdate; nil omits the field. Called on the server's queue.
  package var date: @Sendable () -> FieldValue?
  /// Called on the server's queue when half of a request's content, but not all of it, has arrived. The request contains the content
  /// received so far. Returns whether to reset the connection. This callback is for simulated failures.
  package var halfway: (@Sendable (Request) -> Bool)?

  package init(
    limits: RequestParser.Limits, deadlines: ConnectionDeadlines = ConnectionDeadlines(),
    maximumConnections: Int = 512, peers: PeerRule = .anyone,
    refused: @escaping @Sendable (PeerCredentials?) -> Void = { _ in },
    diagnosis: SocketDiagnosis? = nil,
    found: @escaping @Sendable (TCPPeerFinding) -> Void = { _ in },
    forbidden: @escaping @Sendable () -> Response = { Response(status: .forbidden, text: "403 Forbidden") },
    date: @escaping @Sendable () -> FieldValue? = { nil }
  ) {
    self.limits = limits
    self.deadlines = deadlines
    self.maximumConnections = maximumConnections
    self.peers = peers
    self.refused = refused
    self.diagnosis = diagnosis
    self.found = found
    self.forbidden = forbidden
    self.date = date
  }
}
