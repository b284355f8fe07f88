extension PostFilter {
  /// Whether a post is shown. Whoever asks for many posts makes a ``PostSieve`` once.
  package func lets(_ post: Post) -> Bool { PostSieve(self).lets(post) }
}
