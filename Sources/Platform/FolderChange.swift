/// What a watched folder tells of itself.
package enum FolderChange: Sendable, Hashable {
  /// Files of these names were written and closed, or moved there; or folders were made. Of a watch that tells removals also files that
  /// were removed or moved away.
  case names(Set<String>)
  /// The folder was made, removed or exchanged, or more happened than was noted: everything may be different.
  case anything
}
