package import HTTP
package import Platform

/// What a server takes and how long it waits.
package struct ServerConfiguration: Sendable {
  package var limits: RequestParser.Limits
  package var deadlines: ConnectionDeadlines
  /// Connections at a time. Browsers open a handful; the number bounds what a neighbour on the machine can take
  /// of our descriptors (1,024 where nobody raised the limit).
  package var maximumConnections: Int
  /// Whose connections are taken; others are closed before anything is read.
  package var peers: PeerRule
  /// Told of each connection that `peers` does not admit, on the server's queue; nil where nobody can say whose it was.
  package var refused: @Sendable (PeerCredentials?) -> Void
  /// Where the kernel is asked for `PeerRule.userOverTCP`, if that was opened elsewhere.
  package var diagnosis: SocketDiagnosis?
  /// What `PeerRule.userOverTCP` has found, on the server's queue.
  package var found: @Sendable (TCPPeerFinding) -> Void
  /// The answer to requests of users that `PeerRule.userOverTCP` does not take.
  package var forbidden: @Sendable () -> Response
  /// The time for the `Date` field, as IMF-fixdate; nil leaves it out. Called on the server's queue.
  package var date: @Sendable () -> FieldValue?

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

/// How long a connection may keep a server waiting.
package struct ConnectionDeadlines: Equatable, Sendable {
  /// From being accepted, or from the answer before, to the end of a request. Browsers open connections that they
  /// use seconds later or never, and open another one where one was closed.
  package var request: Duration
  /// Without a byte of an answer being taken.
  package var write: Duration
  /// From the end of the last answer to the peer's own end.
  package var linger: Duration

  package init(
    request: Duration = .seconds(5), write: Duration = .seconds(10), linger: Duration = .seconds(1)
  ) {
    self.request = request
    self.write = write
    self.linger = linger
  }
}
