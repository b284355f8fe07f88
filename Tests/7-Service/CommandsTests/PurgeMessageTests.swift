import Testing

@testable import Commands
@testable import ControlProtocol

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
}
