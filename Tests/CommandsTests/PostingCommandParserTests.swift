import CivilTime
@testable import Commands
import Control
import Platform
import Settings
import Testing

/// The arguments of the commands about one's own posts.
@Suite struct PostingCommandParserTests {
  private func parse(_ arguments: String...) throws -> any CommandDeclaration {
    try CommandParser(.standard).parse(arguments, now: Timestamp(seconds: 1_795_176_000)).command
  }

  private func post(_ arguments: String...) throws -> Command.Post? {
    try CommandParser(.standard).parse(["post"] + arguments, now: Timestamp(seconds: 1_795_176_000)).command
      as? Command.Post
  }

  @Test("a single operand that cannot be an account's name is the text")
  func operands() throws {
    #expect(try post("Hello there.")?.request == SendPostRequest(account: nil, text: "Hello there."))
    #expect(try post("bird", "hello")?.request == SendPostRequest(account: "bird", text: "hello"))
    #expect(try post("bird", "-")?.text == nil && post("-")?.text == nil)
    #expect(try post("bird", "-")?.account == AccountName("bird"))
    #expect(try post("bird", "-")?.source == .standardInput && post("bird", "a")?.source == .argument)
    #expect(try post("hello")?.source == .editor && post()?.source == .editor)
    let word = #expect(throws: CommandError.self) { try post("hello")?.completed() }
    #expect(word?.code == .usage && word?.message.contains("name the account too") == true)
    let nothing = #expect(throws: CommandError.self) { try post()?.completed() }
    #expect(nothing?.message.contains("the text is missing") == true)
    #expect(throws: UsageError.self) { try post("Not a name", "hello") }
  }

  @Test("a time that has passed and an unknown visibility are refused")
  func options() throws {
    #expect(throws: UsageError.self) { try post("bird", "a", "--at", "2026-01-01") }
    #expect(throws: UsageError.self) { try post("bird", "a", "--visibility", "friends") }
    let later = try post("bird", "a", "--at", "2026-12-24T18:00:00Z", "--visibility", "private", "--dry-run")
    #expect(later?.request.postAt == Timestamp(rfc3339: "2026-12-24T18:00:00Z"))
    #expect(later?.request.visibility == "private" && later?.request.isDryRun == true)
  }

  @Test("outbox lists posts, or performs one action on one post")
  func outbox() throws {
    #expect((try parse("outbox") as? Command.Outbox)?.request == OutboxRequest(account: nil, .list))
    #expect(
      (try parse("outbox", "--retry", "out-1") as? Command.Outbox)?.request
        == OutboxRequest(account: nil, .retry("out-1")))
    #expect(throws: UsageError.self) { try parse("outbox", "--retry", "a", "--discard", "b") }
  }
}
