/// The deadlines of a connection.
package struct ConnectionDeadlines: Equatable, Sendable {
  /// The time allowed for receiving a request, from when the connection was accepted or the previous response was sent. It can be short:
  /// browsers open connections in advance, and reopen closed ones.
  package var request: Duration
  /// The time within which the client must send at least one more byte of content that goes into a file. Such content may take longer than
  /// `request` in all.
  package var content: Duration
  /// The time within which the client must accept at least one byte of a response.
  package var write: Duration
  /// The time from the end of the last response until the client must have closed the connection.
  package var linger: Duration

  package init(
    request: Duration = .seconds(5), content: Duration = .seconds(10), write: Duration = .seconds(10),
    linger: Duration = .seconds(1)
  ) {
    self.request = request
    self.content = content
    self.write = write
    self.linger = linger
  }
}
