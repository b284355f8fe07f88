internal import Control
internal import Platform

/// Gives a login what is pasted or typed on standard input, line by line, on a thread of its own.
struct LoginInput {
  /// For the owner to take one line. It does nothing with it but pass it on.
  private static let patience = Duration.seconds(10)

  private let client: ControlClient

  init(_ client: ControlClient) { self.client = client }

  func begin(for login: String) {
    InputLines.read { [client] line in
      do throws(ControlClientError) {
        try client.input(line.map { .line($0) } ?? .end, for: login, timeout: Self.patience)
      } catch {
        switch error {
        // The login has ended meanwhile, and says so itself.
        case .refused, .unreachable, .unanswered, .hungUp, .brokenOff: break
        case .timedOut, .malformed: Terminal.say("homeline: what was typed did not get there: \(error)")
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
