internal import JSON
internal import Time
package import Timeline

/// A stored post in its published form.
package struct KnownPost: Sendable, Hashable {
  package let mark: PostPosition
  /// The post's JSON, exactly as in the published file.
  package let json: [UInt8]

  /// - Parameter json: the stored JSON. Earlier versions stored control characters unescaped.
  package init(mark: PostPosition, json: [UInt8]) {
    self.mark = mark
    self.json = VisibleJSON.escaped(json)
  }
}
