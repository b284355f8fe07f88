internal import Glibc

/// A thread for work that may block forever, such as reading standard input. Nothing waits for it.
package enum DetachedThread {
  /// Runs the body on a new thread.
  /// - Throws: `SystemError` if the system cannot create another thread.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    final class Work: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(Work(body))
    let code = unsafe pthread_create(
      &thread, nil,
      { context in
        unsafe Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().body()
        return nil
      }, context.toOpaque())
    guard code == 0 else {
      unsafe context.release()
      throw SystemError(call: "pthread_create", code: code)
    }
    pthread_detach(thread)
  }
}
