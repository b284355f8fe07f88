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
}
