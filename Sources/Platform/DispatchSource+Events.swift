package import Dispatch

/// Sources whose handlers must be `@Sendable`.
///
/// Dispatch's own `setEventHandler` takes any closure; one written in isolated code would inherit that isolation and trap on the queue.
extension DispatchSource {
  /// A suspended source that runs `body` on `queue` while the descriptor can be read.
  /// - Parameter closing: runs once the source lets go of the descriptor: the only place where it may be closed.
  package static func reading(
    _ descriptor: Int32, on queue: DispatchQueue, closing: (@Sendable () -> Void)? = nil,
    _ body: @escaping @Sendable () -> Void
  ) -> DispatchSource {
    let source = makeReadSource(fileDescriptor: descriptor, queue: queue) as! DispatchSource
    source.setEventHandler(handler: body)
    if let closing { source.setCancelHandler(handler: closing) }
    return source
  }

  /// A suspended source that runs `body` on `queue` when the process gets the signal, instead of its default action.
  /// - Parameter registered: called on `queue` when that holds, which is some time after the activation.
  package static func signal(
    _ number: Int32, on queue: DispatchQueue, registered: (@Sendable () -> Void)? = nil,
    _ body: @escaping @Sendable () -> Void
  ) -> DispatchSource {
    let source = makeSignalSource(signal: number, queue: queue) as! DispatchSource
    source.setEventHandler(handler: body)
    if let registered { source.setRegistrationHandler(handler: registered) }
    return source
  }
}
