internal import Platform

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
