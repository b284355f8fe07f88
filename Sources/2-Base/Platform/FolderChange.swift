/// A change to a folder that a ``FolderWatch`` observes.
package enum FolderChange: Sendable, Hashable {
  /// Files with these names were written and closed or moved into the folder, or folders were created. If requested, this
  /// includes files that were removed or moved away.
  case names(Set<String>)
  /// The folder was created, removed or replaced, or events were lost: anything may have changed.
  case anything
}
