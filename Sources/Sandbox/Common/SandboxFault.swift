package import HTTP

/// A way for a response to fail.
package enum SandboxFault: Sendable {
  /// Sends this response without processing the request.
  case respond(Response)
  /// Changes the request before it is processed.
  case alter(@Sendable (inout Request) -> Void)
  /// Processes the request, and changes the provider's response before it is sent.
  case change(@Sendable (inout Response) -> Void)
  /// Processes the request, and sends the response after this delay.
  case delay(Duration)
  /// Closes the connection without a response. If `worked` is true, the request is processed first, so that only the provider knows its
  /// effect.
  case drop(worked: Bool)
  /// Processes the request, and stops sending after this many bytes of the response body. The connection is closed after the given time.
  case stall(after: Int, for: Duration)
}

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

extension SandboxFault {
  /// Replaces the value of a member in a JSON body. The old value must not contain a comma or a closing brace.
  static func replacing(member: String, with value: String) -> SandboxFault {
    .change { response in
      let text = String(decoding: response.body, as: UTF8.self)
      guard let name = text.firstRange(of: "\"\(member)\":") else { return }
      let end = text[name.upperBound...].firstIndex { $0 == "," || $0 == "}" } ?? text.endIndex
      response.body = Array((text[..<name.upperBound] + value + text[end...]).utf8)
    }
  }

  static func replacing(_ old: String, with new: String) -> SandboxFault {
    .change { response in
      let text = String(decoding: response.body, as: UTF8.self)
      guard let range = text.firstRange(of: old) else { return }
      response.body = Array((text[..<range.lowerBound] + new + text[range.upperBound...]).utf8)
    }
  }
}
