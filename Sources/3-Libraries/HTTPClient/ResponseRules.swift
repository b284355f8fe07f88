/// Rules for receiving a response that differ from the client's policy.
package struct ResponseRules: Sendable, Hashable {
  /// The maximum size of the body in bytes; nil for the policy's limit.
  package var bodyLimit: Int?
  /// Whether to request the body without compression, so that byte ranges refer to the file itself.
  package var isVerbatim = false
  /// Whether the error from an interrupted transfer includes the part received so far.
  package var keepsPartial = false
  /// The maximum time without progress, in whole seconds; nil to limit the total time instead. This limit is for transfers whose total time
  /// depends on the size of a file.
  package var idleTimeout: Duration?

  package init(
    bodyLimit: Int? = nil, isVerbatim: Bool = false, keepsPartial: Bool = false, idleTimeout: Duration? = nil
  ) {
    self.bodyLimit = bodyLimit
    self.isVerbatim = isVerbatim
    self.keepsPartial = keepsPartial
    self.idleTimeout = idleTimeout
  }
}
