/// A host name could not be resolved.
package struct NameResolutionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The C library's message (`gai_strerror(3)`).
  let reason: String
  /// Whether no name server responded; the name may then exist.
  package let isTemporary: Bool

  package var description: String { reason }
}
