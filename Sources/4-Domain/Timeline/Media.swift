/// A picture, video or audio file in a post.
package struct Media: Sendable, Hashable {
  package enum Kind: String, Sendable { case photo, video, animation = "animated_gif", audio, other }

  package let kind: Kind
  package let url: String
  /// The author's description of the picture.
  package let alternativeText: String?

  package init(kind: Kind, url: String, alternativeText: String? = nil) {
    self.kind = kind
    self.url = url
    self.alternativeText = alternativeText
  }
}
