/// The content of a file: its logins in order, and for each incomplete entry the reason.
package struct ForeignLogins: Sendable, Hashable {
  package var logins: [ForeignLogin] = []
  package var leftOut: [ForeignFileError] = []

  /// Adds an entry. A damaged entry does not affect the others.
  mutating func add(_ read: () throws(ForeignFileError) -> ForeignLogin) {
    do throws(ForeignFileError) { logins.append(try read()) } catch { leftOut.append(error) }
  }
}
