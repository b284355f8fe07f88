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
