/// The credential used to access a cloud drive.
package enum DriveAccess: Sendable, Hashable {
  /// A user's token.
  /// - Parameter library: the number of the library whose changes are read; `nil` for none.
  case user(library: String?)
  /// A library's key, which needs no token.
  case library
  /// An enterprise's key, which cannot read a library's changes.
  case enterprise
}
