package import ControlProtocol

/// A control request, implemented in the state owner.
package protocol HandledRequest: ControlRequest {
  /// Does the work, or starts it. Called on a separate queue, where waiting is allowed.
  /// - Parameter responder: must be ended once, from any queue.
  /// - Throws: the error response to a request that cannot be started.
  func handle(in context: ControlContext, _ responder: ControlResponder) throws(ControlError)
}
