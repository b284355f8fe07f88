extension Post {
  /// The addresses of the avatars and pictures that a page shows with it.
  package var pictureURLs: [String] {
    let people = [author.avatarURL, repostedBy?.avatarURL].compactMap { $0 }
    return people + media.pictureURLs + (quoted?.pictureURLs ?? [])
  }
}

extension Post.Quote {
  package var pictureURLs: [String] { [author.avatarURL].compactMap { $0 } + media.pictureURLs }
}

extension [Media] {
  fileprivate var pictureURLs: [String] { filter { $0.kind == .photo }.map(\.url) }
}
