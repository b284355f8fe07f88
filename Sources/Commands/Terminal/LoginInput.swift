internal import Control
internal import Platform

/// Sends the lines of standard input to a login, on a background thread.
struct LoginInput {
  /// The timeout for one line.
  private static let lineTimeout = Duration.seconds(10)

  private let client: ControlClient

  init(_ client: ControlClient) { self.client = client }

  func begin(for login: String) {
    InputLines.read { [client] line in
      do throws(ControlClientError) {
        try client.send(
          LoginInputRequest(login: login, line.map { .line($0) } ?? .end), timeout: Self.lineTimeout)
      } catch {
        switch error {
        // The login has ended; its events report that.
        case .refused, .unreachable, .unanswered, .hungUp, .brokenOff: break
        case .timedOut, .malformed: Terminal.say("homeline: could not send the input to the login: \(error)")
        }
      }
    }
  }
}

/// Reads the lines of standard input on a background thread, which can block for ever without delaying the exit.
enum InputLines {
  /// - Parameter handle: Called on that thread with each line, and with nil at the end.
  static func read(_ handle: @escaping @Sendable (String?) -> Void) {
    // Without the thread, nothing can be pasted, but the browser's redirect still works.
    try? DetachedThread.start {
      while let line = readLine() { handle(line) }
      handle(nil)
    }
  }
}
