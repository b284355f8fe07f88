internal import Control
internal import Platform

/// Sends a login the lines of standard input, on a thread of its own.
struct LoginInput {
  /// How long the owner can take to accept a line, which it only passes on.
  private static let patience = Duration.seconds(10)

  private let client: ControlClient

  init(_ client: ControlClient) { self.client = client }

  func begin(for login: String) {
    InputLines.read { [client] line in
      do throws(ControlClientError) {
        try client.send(
          LoginInputRequest(login: login, line.map { .line($0) } ?? .end), timeout: Self.patience)
      } catch {
        switch error {
        // The login has ended, and its own events say so.
        case .refused, .unreachable, .unanswered, .hungUp, .brokenOff: break
        case .timedOut, .malformed: Terminal.say("homeline: the input could not be sent: \(error)")
        }
      }
    }
  }
}

/// The lines of standard input, read on a thread of their own: reading may wait for ever, and nothing waits for it.
enum InputLines {
  /// - Parameter take: called on that thread with each line, and with `nil` at the end.
  static func read(_ take: @escaping @Sendable (String?) -> Void) {
    // Without a thread nothing can be pasted, and the browser still comes back.
    try? DetachedThread.start {
      while let line = readLine() { take(line) }
      take(nil)
    }
  }
}
