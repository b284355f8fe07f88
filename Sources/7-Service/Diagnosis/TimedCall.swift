internal import Dispatch
internal import Platform

/// A call that runs on a separate thread and may take longer than its caller waits.
struct TimedCall<Value: Sendable>: Sendable {
  private let isReady = DispatchSemaphore(value: 0)
  private let result = Locked<Value?>(nil)

  init(_ body: @escaping @Sendable () -> Value) {
    let (isReady, result) = (isReady, result)
    do throws(SystemError) {
      try DetachedThread.start {
        let value = body()
        result.withLock { $0 = value }
        isReady.signal()
      }
    } catch { isReady.signal() }
  }

  /// Waits for the value. Call only once.
  /// - Returns: the value; nil if it is not available in time, or if no thread could be started.
  func value(by deadline: DispatchTime) -> Value? {
    _ = isReady.wait(timeout: deadline)
    return result.withLock { $0 }
  }
}
