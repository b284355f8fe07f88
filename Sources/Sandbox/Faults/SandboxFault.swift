package import HTTP

/// Something that goes wrong with one answer.
package enum SandboxFault: Sendable {
  /// This is answered; the request is not even looked at.
  case answer(Response)
  /// The request is worked on, and its true answer changed on the way out.
  case change(@Sendable (inout Response) -> Void)
  /// The request is worked on, and the answer comes this much later.
  case delay(Duration)
  /// The connection ends without an answer. `worked` says whether the request was worked on before, so that what it
  /// brought about is true on one side only.
  case drop(worked: Bool)
  /// The request is worked on, and when this many bytes of the answer's body have left nothing comes any more; the connection breaks
  /// after that time.
  case stall(after: Int, for: Duration)
}

extension SandboxFault {
  /// The connection breaks when this many bytes of the answer's body have left: after an instant in which they can be taken.
  package static func breakOff(after count: Int) -> SandboxFault { .stall(after: count, for: .milliseconds(50)) }
}
