/// How the answer to one request is received, where that differs from the client's policy.
package struct ResponseRules: Sendable, Hashable {
  /// Bytes of a body; `nil` is the policy's limit.
  package var bodyLimit: Int?
  /// Whether the bytes are wanted as they are stored: no compression is asked for, so that a range of them counts their own bytes.
  package var isVerbatim = false
  /// Whether the error of an answer that broke off carries what had come of it.
  package var keepsPartial = false

  package init(bodyLimit: Int? = nil, isVerbatim: Bool = false, keepsPartial: Bool = false) {
    self.bodyLimit = bodyLimit
    self.isVerbatim = isVerbatim
    self.keepsPartial = keepsPartial
  }
}
