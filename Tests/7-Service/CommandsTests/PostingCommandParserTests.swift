import ControlProtocol
import Platform
import Settings
import Testing
import Time

@testable import Commands

/// The arguments of the commands that publish posts and act on them.
@Suite struct PostingCommandParserTests {
  private func parse(_ arguments: String...) throws -> any CommandDeclaration {
    try CommandParser(.standard).parse(arguments, now: Timestamp(seconds: 1_795_176_000)).command
  }

  private func post(_ arguments: String...) throws -> Command.Post? {
    try CommandParser(.standard).parse(["post"] + arguments, now: Timestamp(seconds: 1_795_176_000)).command
      as? Command.Post
  }

  @Test("A single operand that cannot be an account's name is the text of the post")
  func operands() throws {
    #expect(try post("Hello there.")?.request == SendPostRequest(account: nil, text: "Hello there."))
    #expect(try post("bird", "hello")?.request == SendPostRequest(account: "bird", text: "hello"))
    #expect(try post("bird", "-")?.text == nil && post("-")?.text == nil)
    #expect(try post("bird", "-")?.account == AccountName("bird"))
    #expect(try post("bird", "-")?.source == .standardInput && post("bird", "a")?.source == .argument)
    #expect(try post("hello")?.source == .editor && post()?.source == .editor)
    let word = #expect(throws: CommandError.self) { try post("hello")?.completed() }
    #expect(word?.exitCode == .usage && word?.message.contains("name the account too") == true)
    let nothing = #expect(throws: CommandError.self) { try post()?.completed() }
    #expect(nothing?.message.contains("the text is missing") == true)
    #expect(throws: UsageError.self) { try post("Not a name", "hello") }
  }

  @Test("A time in the past, an unknown visibility and an invalid language tag are refused")
  func options() throws {
    for tag in ["english", "e", "en_US", "en-", "", "en us", "d\u{e9}"] {
      #expect(throws: UsageError.self, "\(tag)") { try post("bird", "a", "--language", tag) }
    }
    for tag in ["en", "pt-BR", "zh-Hant-TW", "gsw"] {
      #expect(try post("bird", "a", "--language", tag)?.request.language == tag)
    }
    #expect(throws: UsageError.self) { try post("bird", "a", "--at", "2026-01-01") }
    #expect(throws: UsageError.self) { try post("bird", "a", "--visibility", "friends") }
    let past = #expect(throws: UsageError.self) {
      try CommandParser(.standard).parse(
        ["post", "a b", "--at", "yesterday 9:00"], now: Timestamp(seconds: 1_795_176_000), zone: .utc)
    }
    #expect(past?.message == #"--at "yesterday 9:00" has passed: it was 2026-11-19 09:00"#)
    let delayed = try post("bird", "a", "--at", "12h")
    #expect(delayed?.request.postAt == Timestamp(seconds: 1_795_176_000 + 12 * 3600))
    let later = try post("bird", "a", "--at", "2026-12-24T18:00:00Z", "--visibility", "private", "--dry-run")
    #expect(later?.request.postAt == Timestamp(rfc3339: "2026-12-24T18:00:00Z"))
    #expect(later?.request.visibility == "private" && later?.request.isDryRun == true)
  }

  @Test("A program that continues a command gets the same times, and operands beginning with a dash after --")
  func settledArguments() throws {
    let line = ["--config", "c.json", "post", "bird", "--at", "30m", "--yes", "--", "-hi"]
    let now = Timestamp(seconds: 1_795_176_000)
    let first = try CommandParser(.standard).parse(line, now: now, zone: .utc)
    var settled = first.settled
    let time = (now + .seconds(1800)).rfc3339
    #expect(settled.all == ["post", "--config", "c.json", "--at", time, "--yes", "--", "bird", "-hi"])
    #expect(try CommandParser(.standard).parse(settled.all, now: now + .seconds(60), zone: .utc) == first)
    settled.replaceOperands(by: ["bird"])
    settled.add(option: "--language", "en")
    settled.add(operand: "-")
    #expect(settled.all.suffix(4) == ["--language", "en", "bird", "-"])
  }

  @Test("Each --alt describes the file before it, and a post with a file needs no text")
  func files() throws {
    let two = try post("bird", "hi", "--media", "a", "--media", "b", "--alt", "B", "--keep-metadata")?.request
    #expect(two?.files == [.init(path: "a"), .init(path: "b", description: "B")] && two?.keepsMetadata == true)
    let bare = try post("bird", "--media=a", "--alt=A")
    #expect(bare?.request.text == "" && bare?.account == AccountName("bird"))
    #expect(throws: UsageError.self) { try post("bird", "hi", "--alt", "A", "--media", "a") }
    #expect(throws: UsageError.self) { try post("bird", "hi", "--media", "a", "--alt", "A", "--alt", "B") }
  }

  @Test("The path of an attached file is made absolute, because the service has a different working directory")
  func relativePath() throws {
    let file = try #require(#filePath.split(separator: "/").last.map { String($0) })
    let folder = String(#filePath.dropLast(file.utf8.count))
    let request = try post("bird", "hi", "--media", "\(folder)../CommandsTests/\(file)")?.completed().request
    #expect(request?.files.first?.path == File.realPath(#filePath))
    #expect(throws: CommandError.self) { try post("bird", "hi", "--media", "no-such-file.png")?.completed() }
  }

  @Test("`homeline outbox` lists posts, or performs one action on one post")
  func outbox() throws {
    #expect((try parse("outbox") as? Command.Outbox)?.request == OutboxRequest(account: nil, .list))
    #expect(
      (try parse("outbox", "--retry", "out-1") as? Command.Outbox)?.request
        == OutboxRequest(account: nil, .retry("out-1")))
    #expect(
      (try parse("outbox", "--retry", "out-1", "--yes") as? Command.Outbox)?.request
        == OutboxRequest(account: nil, .retry("out-1"), isConfirmed: true))
    #expect(throws: UsageError.self) { try parse("outbox", "--retry", "a", "--discard", "b") }
    #expect(throws: UsageError.self) { try parse("outbox", "--yes") }
  }
}
