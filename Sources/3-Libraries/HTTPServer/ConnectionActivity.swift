/// The activity of a connection, which determines whether it may be closed to admit another connection.
enum ConnectionActivity: Equatable, Sendable {
  /// No byte of a request has arrived since the connection was accepted or the last response was sent.
  case idle
  /// Part of a request has arrived.
  case partialRequest
  /// A request is being handled, or its response is being sent.
  case busy
  /// The last response was sent, and the server is waiting for the client to close.
  case closing
}
