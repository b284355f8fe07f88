internal import Benchmarking
internal import Glibc
internal import Platform
internal import Time

/// `fixture` writes generated data for measurements to standard output. The data is the same in each run.
///
/// - `raw FROM TO`: a response of Twitter's API v1.1 with the posts FROM to TO, newest first; 200 posts are about 1.24
///   MB.
/// - `posts N`: the first N posts in the format of `import`, oldest first.
/// - `cases`: the requests for `sign`, named `get` and `post`.
enum FixtureEntry {
  static func run(_ arguments: inout BenchArguments) throws {
    let kind = try arguments.next("raw, posts or cases")
    let output = Descriptor(owning: dup(STDOUT_FILENO))
    switch kind {
    case "raw":
      let range = try (arguments.nextCount("FROM"), arguments.nextCount("TO"))
      guard range.0 < range.1 else { throw BenchFailure.usage("FROM must be less than TO") }
      let status = MadeUpStatus(SyntheticWords())
      var bytes: [UInt8] = []
      RawValue.array((range.0..<range.1).reversed().map { status.raw($0) }).write(to: &bytes)
      try output.write(bytes)
    case "posts":
      let words = SyntheticWords()
      for number in 0..<(try arguments.nextCount("N")) {
        var bytes: [UInt8] = []
        line(MadeUpPost(number, words), words).write(to: &bytes)
        try output.write(bytes + [UInt8(ascii: "\n")])
      }
    case "cases":
      var bytes: [UInt8] = []
      SigningCases.raw.write(to: &bytes)
      try output.write(bytes)
    default: throw BenchFailure.usage("there is no fixture \(kind)")
    }
    try arguments.end()
  }

  /// The format that `PostLine` reads.
  private static func line(_ post: MadeUpPost, _ words: SyntheticWords) -> RawValue {
    let author = MadeUpUser(post.author)
    return .object([
      ("id", .number(post.id)), ("at", .number(Int(post.createdAt.seconds))), ("user", .text(author.screenName)),
      ("name", .text(author.name(words))), ("text", .text(post.text.whole)),
      ("reply", .number(post.responses.map { MadeUpPost.id($0) } ?? 0)),
      ("rt", .text(post.repostedBy.map { MadeUpUser($0).screenName } ?? "")),
      ("media", .array(post.pictures.map { .text($0) })), ("url", .text(post.text.links.first?.whole ?? "")),
      ("likes", .number(post.likes)), ("rts", .number(post.reposts)),
    ])
  }
}
