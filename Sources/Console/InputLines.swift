internal import Glibc

/// The lines of standard input, read on a thread of their own: reading may wait for ever, and nothing waits for it.
enum InputLines {
  /// - Parameter take: called on that thread with each line, and with `nil` at the end.
  static func read(_ take: @escaping @Sendable (String?) -> Void) {
    final class Reader: Sendable {
      let take: @Sendable (String?) -> Void
      init(_ take: @escaping @Sendable (String?) -> Void) { self.take = take }
    }
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(Reader(take)).toOpaque()
    let code = unsafe pthread_create(
      &thread, nil,
      { context in
        let reader = unsafe Unmanaged<Reader>.fromOpaque(context!).takeRetainedValue()
        while let line = readLine() { reader.take(line) }
        reader.take(nil)
        return nil
      }, context)
    if code == 0 { pthread_detach(thread) }
  }
}
