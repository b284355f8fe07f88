/// The result of an import.
package struct ImportReport: Sendable, Hashable {
  package let new: Int
  /// The number of posts that were already stored. They are left unchanged.
  package let known: Int
}
