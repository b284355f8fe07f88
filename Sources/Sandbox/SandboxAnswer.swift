package import HTTP

/// What comes back for a request, and how.
package struct SandboxAnswer: Sendable {
  package var response: Response
  /// How much later it comes.
  package var delay: Duration = .zero
  /// Whether the connection ends instead.
  package var isDropped = false
  /// After how many bytes of the body nothing comes any more, until the connection breaks after `delay`; `nil` for an answer that
  /// comes whole.
  package var stallsAfter: Int?
}
