internal import Benchmarking
internal import Glibc
internal import Platform
internal import Storage
internal import StorageTestSupport
internal import Timeline

/// `import NDJSON DIR`: begins an account in the home folder DIR with the posts of NDJSON, the oldest first. The newest of them are
/// kept as fetched pages are, so that the timeline is known to have no hole there; those below as an import keeps them.
enum ImportEntry {
  /// As many as a turn of the service takes in.
  private static let portion = 500

  static func run(_ arguments: inout BenchArguments) throws {
    let path = try arguments.next("NDJSON")
    let account = try MeasuredAccount(below: try arguments.next("DIR"))
    try arguments.end()
    var lines = try LineReader(Descriptor.open(path, O_RDONLY), limit: 1 << 20)
    var waiting: [Page.Entry] = []
    while let line = try lines.next() {
      waiting.append(try PostLine(line).entry)
      if waiting.count >= portion + MeasuredAccount.published {
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
