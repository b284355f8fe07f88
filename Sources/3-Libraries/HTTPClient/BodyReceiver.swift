package import HTTP

/// Receives a response body as it arrives, so that the whole body is never in memory.
@safe package struct BodyReceiver: Sendable {
  let begin: @Sendable (StatusCode, HeaderFields) -> Bool
  let receive: @Sendable (UnsafeRawBufferPointer) throws -> Bool

  /// - Parameters:
  ///   - begin: receives the head of the response once, before the body. The closure returns false if the body should be in the
  ///     ``Response`` as usual, such as an error message.
  ///   - receive: receives the next bytes of the body. The closure returns false to end the request with ``ClientError/Kind/tooLarge``. If
  ///     it throws an error, the request ends with ``ClientError/Kind/local``.
  package init(
    begin: @escaping @Sendable (StatusCode, HeaderFields) -> Bool,
    receive: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Bool
  ) {
    self.begin = begin
    unsafe self.receive = receive
  }
}
