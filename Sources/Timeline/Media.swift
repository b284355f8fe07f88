/// A picture, film or sound that belongs to a post.
package struct Media: Sendable, Hashable {
  package enum Kind: String, Sendable { case photo, video, animation = "animated_gif", audio, other }

  package let kind: Kind
  package let url: String
  /// What its author says is to be seen.
  package let alternativeText: String?

  package init(kind: Kind, url: String, alternativeText: String? = nil) {
    self.kind = kind
    self.url = url
    self.alternativeText = alternativeText
  }
}
