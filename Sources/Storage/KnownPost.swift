internal import CivilTime
internal import JSON
package import Timeline

/// A post of the database as it is published.
package struct KnownPost: Sendable, Hashable {
  package let mark: PostPosition
  /// The post as JSON, as it stands in the published file.
  package let json: [UInt8]

  /// - Parameter json: as it is stored; versions before wrote control characters into it as they are.
  package init(mark: PostPosition, json: [UInt8]) {
    self.mark = mark
    self.json = VisibleJSON.escaped(json)
  }
}
