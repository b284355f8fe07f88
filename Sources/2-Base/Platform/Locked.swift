internal import Glibc

/// A value behind a lock, for state that several queues access briefly.
///
/// Wrap a closure in a ``ClosureBox`` before storing it.
///
/// It uses a pthread mutex, because the thread sanitizer does not recognise `Synchronization.Mutex` and reports false races.
// Sendable because the value is accessed only with the mutex held.
@safe package final class Locked<Value>: @unchecked Sendable {
  // Set once and freed in deinit; the mutex must keep its address.
  nonisolated(unsafe) private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    unsafe mutex = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Runs the body with exclusive access to the value. The body must not wait for anything.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

extension Locked where Value == Bool {
  /// Sets the value to true and returns whether it was false before; exactly one caller gets true.
  package func setOnce() -> Bool {
    withLock { value in
      defer { value = true }
      return !value
    }
  }
}
