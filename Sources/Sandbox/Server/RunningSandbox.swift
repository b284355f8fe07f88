/// A played provider on a port of loopback, whichever it is.
package protocol RunningSandbox: Sendable {
  var port: UInt16 { get }
  /// Stops listening and ends all connections.
  /// - Parameter completion: called on a queue of the sandbox when every socket is closed.
  func stop(completion: @escaping @Sendable () -> Void)
}

extension RunningSandbox {
  /// `http://127.0.0.1:PORT`, without a slash at the end.
  package var baseURL: String { "http://127.0.0.1:\(port)" }
}
