/// The response to a request whose handler has returned. It is given once, from any queue; without it, the browser gets status 500.
struct WebReply: Sendable {
  private let send: @Sendable (@escaping @Sendable () throws(WebError) -> WebResponse) -> Void

  /// - Parameter send: sends what its parameter returns, or the page of its error.
  init(_ send: @escaping @Sendable (@escaping @Sendable () throws(WebError) -> WebResponse) -> Void) {
    self.send = send
  }

  /// Sends a response.
  /// - Parameter make: makes the response. It is called on a separate queue, where it may wait for a database.
  func callAsFunction(_ make: @escaping @Sendable () throws(WebError) -> WebResponse) { send(make) }
}
