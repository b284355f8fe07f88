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
