/// A post's name at its provider: opaque text, of which nothing but equality is known.
package struct PostID: Sendable, Hashable, CustomStringConvertible {
  package let text: String
  package init(_ text: String) { self.text = text }
  package var description: String { text }
}
