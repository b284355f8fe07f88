/// A provider's own marker of where reading continues. It is opaque, and stored with the span that it continues.
package struct PageCursor: Sendable, Hashable {
  package let text: String
  package init(_ text: String) { self.text = text }
}
