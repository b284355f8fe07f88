package import HTTP

/// A response, and how it is sent.
package struct SimulatedResponse: Sendable {
  package var response: Response
  /// The delay before the response is sent.
  package var delay: Duration = .zero
  /// Whether the connection is closed without a response.
  package var isDropped = false
  /// The number of body bytes to send before stalling; the connection is then closed after `delay`. `nil` sends the whole body.
  package var stallsAfter: Int?

  package init(_ response: Response) { self.response = response }

  /// Applies a fault.
  /// - Parameter process: processes the request; not called if the fault prevents that.
  package init(_ fault: SandboxFault?, process: () -> SimulatedResponse) {
    switch fault {
    case .respond(let response): self.init(response)
    case .drop(worked: false):
      self.init(Response(status: .internalServerError))
      isDropped = true
    case .drop(worked: true):
      self = process()
      isDropped = true
    case .delay(let delay):
      self = process()
      self.delay += delay
    case .stall(let count, let time):
      self = process()
      stallsAfter = count
      delay += time
    case .change(let change):
      self = process()
      change(&response)
    case .alter, nil: self = process()
    }
  }
}
