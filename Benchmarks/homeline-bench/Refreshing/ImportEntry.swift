internal import Benchmarking
internal import Glibc
internal import Platform
internal import Storage
internal import StorageTestSupport
internal import Timeline

/// `import NDJSON DIR` creates an account in the home folder DIR with the posts of the file NDJSON, oldest first. The
/// newest posts are stored like fetched pages, so that they have no gap between them. The older posts are stored like
/// imported posts.
enum ImportEntry {
  /// The number of posts in one portion of an import in the service.
  private static let portion = 500

  static func run(_ arguments: inout BenchArguments) throws {
    let path = try arguments.next("NDJSON")
    let account = try MeasuredAccount(below: try arguments.next("DIR"), published: MeasuredAccount.comparable)
    try arguments.end()
    var lines = try LineReader(Descriptor.open(path, O_RDONLY), limit: 1 << 20)
    var waiting: [Page.Entry] = []
    while let line = try lines.next() {
      waiting.append(try PostLine(line).entry)
      if waiting.count >= portion + MeasuredAccount.comparable {
        try account.take(waiting.prefix(portion).map { ImportedPost($0.post, key: $0.key, source: Array($0.source)) })
        waiting.removeFirst(portion)
      }
    }
    guard let oldest = waiting.first else { throw BenchFailure.wrongResult("\(path) has no posts") }
    try account.keep(Page(entries: waiting, older: PageCursor(oldest.post.id.text)))
    try account.publish()
    account.close()
  }
}
