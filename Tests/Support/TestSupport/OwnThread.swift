import Glibc

/// A thread for long waits. Dispatch has about 250 threads per process, and no work proceeds if tests block all of
/// them.
package enum OwnThread {
  package static func start(_ body: @escaping @Sendable () -> Void) {
    final class Work: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Work(body))
    let code = pthread_create(
      &thread, nil,
      { context in
        Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().body()
        return nil
      }, context.toOpaque())
    precondition(code == 0, "the system cannot create another thread")
    pthread_detach(thread)
  }
}
