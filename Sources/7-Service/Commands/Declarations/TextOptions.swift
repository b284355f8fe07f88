/// The options for printing posts as text.
enum TextOptions {
  static let ids = Flag("--ids", "print the id of each post, for commands such as post --reply-to")
  static let threads = Flag("--threads", "print replies indented below the posts they reply to")
  static let noPager = Flag("--no-pager", "print long output on a terminal without a pager")
}
