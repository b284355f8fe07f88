internal import Platform
internal import Timeline

/// What stands in a folder as it was published last, and what of it stays.
struct FormerFiles {
  /// The files as they were written, with an entry for each post.
  let files: [PublishedFormat: FileFacts]
  /// How many entries each has.
  let count: Int
  /// Which of them stay.
  let staying: Range<Int>
  /// Whether the posts are the same, each of them, and whose they are.
  let areSame: Bool
}
