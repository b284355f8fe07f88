@testable import Control
import Testing

@testable import Commands

@Suite("Messages and progress of a purge") struct PurgeMessageTests {
  @Test(
    "A purge message counts posts and quotations separately, in the singular or plural",
    arguments: [
      (0, 0, "0 posts"), (1, 0, "1 post"), (2, 0, "2 posts"), (1, 1, "1 post and 1 quotation in another post"),
      (3, 2, "3 posts and 2 quotations in other posts"), (0, 1, "0 posts and 1 quotation in another post"),
    ])
  func parts(posts: Int, quotes: Int, text: String) {
    #expect(Command.Purge.counts(in: PurgedEvent(account: "x", posts: posts, quotes: quotes)) == text)
  }

  @Test("A purge's progress fits on one line, and includes the number of posts if it is known")
  func line() {
    let progress = ProgressEvent(account: "demo", done: 4096, of: 8192, posts: 1)
    let unit = (one: "post examined", many: "posts examined")
    let full = ProgressBar.line(progress, of: unit, bringing: ("post removed", "posts removed"), columns: 100)
    #expect(full.hasSuffix(" 4096 of at most 8192 posts examined, 1 post removed") && full.contains("█░"))
    #expect(ProgressBar.line(progress, of: unit, bringing: nil, columns: 100).hasSuffix("8192 posts examined"))
    for columns in 10..<100 {
      #expect(ProgressBar.line(progress, of: unit, bringing: nil, columns: columns).count < columns)
    }
  }
}
