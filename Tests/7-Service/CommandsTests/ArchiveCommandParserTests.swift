import Platform
import Settings
import Testing
import Time

@testable import Commands

/// The arguments of the commands that read and change the archive.
@Suite struct ArchiveCommandParserTests {
  /// The current time in these tests, 2026-11-20T15:30:00Z.
  private static let now = Timestamp(rfc3339: "2026-11-20T15:30:00Z")!
  private static let bird = AccountName("bird")!

  private func parse(_ text: String) throws(UsageError) -> Invocation {
    try CommandParser(.standard).parse(text.split(separator: " ").map(String.init), now: Self.now, zone: .utc)
  }

  private func message(_ text: String) -> String? {
    let error = #expect(throws: UsageError.self) { try parse(text) }
    #expect(error?.exitCode == .usage)
    return error?.message
  }

  private static func time(_ text: String) -> Timestamp { Timestamp(rfc3339: text)! }

  @Test("A search query can span several arguments, which may start with a dash after `--`")
  func query() throws {
    #expect(try parse("search full moon") == Invocation(Command.Search(query: "full moon")))
    #expect(
      try parse("search cat --limit 5 -- -dog --x") == Invocation(Command.Search(query: "cat -dog --x", limit: 5)))
    let quoted = try CommandParser(.standard).parse(["search", "\"full moon\" -dog"], now: Self.now)
    #expect(quoted == Invocation(Command.Search(query: "\"full moon\" -dog")))
    #expect(
      message("search cat -dog")
        == "unknown option -dog; put -- before a query that excludes words: homeline search -- cat -dog")
    #expect(message("search cat --limt 3") == "unknown option --limt; did you mean --limit?")
    #expect(message("search") == "search needs QUERY ...")
  }

  @Test("`homeline search` accepts an account, a date range, an author, a limit and a format")
  func search() throws {
    #expect(
      try parse(
        "search x --account bird --since 2026-11-01 --until 2026-11-02 --from @mia --limit 1000000 --format json")
        == Invocation(
          Command.Search(
            query: "x", account: TimelineOperand(Self.bird), since: Self.time("2026-11-01T00:00:00Z"),
            until: Self.time("2026-11-02T00:00:00Z"), author: "mia", limit: 1_000_000, format: .json)))
    #expect(message("search x --from=") == "--from: the value is empty")
    #expect(message("search x --from @") == "--from: the value is empty")
    #expect(message("search x --limit 0") == #"--limit must be a whole number from 1 to 1000000, not "0""#)
    #expect(message("search x --format csv") == #"--format must be one of text, json, jsonl, not "csv""#)
  }

  @Test(
    "A date on the command line is a day, a time of day, or an age",
    arguments: [
      ("2026-11-20", "2026-11-20T00:00:00Z"), ("2024-02-29", "2024-02-29T00:00:00Z"),
      ("2026-11-20T15:00:00Z", "2026-11-20T15:00:00Z"), ("2026-11-20T15:00:00+02:00", "2026-11-20T13:00:00Z"),
      ("12h", "2026-11-20T03:30:00Z"), ("7d", "2026-11-13T15:30:00Z"), ("3w", "2026-10-30T15:30:00Z"),
      ("99999w", "0110-05-16T15:30:00Z"), ("yesterday", "2026-11-19T00:00:00Z"), ("18:00", "2026-11-19T18:00:00Z"),
      ("2026-11-20T15:00", "2026-11-20T15:00:00Z"), ("7D", "2026-11-13T15:30:00Z"), ("7m", "2026-11-20T15:23:00Z"),
    ])
  func dates(text: String, expected: String) throws {
    let export = try #require(try parse("export --since \(text)").command as? Command.Export)
    #expect(export.since?.rfc3339 == expected)
  }

  @Test(
    "An invalid date is refused with a list of the valid forms",
    arguments: [
      "", "someday", "2026-11-31", "2026-02-29", "2026-1-1", "20261120", "2026-11-20T25:00", "7", "d", "0d", "-7d",
      "100000d", "٧d", "1.5h", "2026-11-20Z",
    ])
  func noDates(text: String) {
    #expect(
      message("export --since=\(text)")
        == "--since must be a time such as 18:00, yesterday, \"monday 9:00\", 2026-11-20, \"2026-11-20 15:00\" or 7d, "
        + "not \"\(text)\"")
  }

  @Test("A date range must start before it ends")
  func stretch() throws {
    #expect(
      message("search x --since 1d --until 2d")
        == "--since 2026-11-19 15:30 is not before --until 2026-11-18 15:30, so the range is empty")
    #expect(message("export --since 2026-11-20 --until 2026-11-20")?.hasSuffix("so the range is empty") == true)
    // The end of a range may be in the future.
    let open = try parse("export --since 2w --until 2027-01-01")
    #expect(
      open
        == Invocation(
          Command.Export(since: Self.time("2026-11-06T15:30:00Z"), until: Self.time("2027-01-01T00:00:00Z"))))
  }

  @Test("`homeline export` accepts an account and a format")
  func export() throws {
    #expect(try parse("export") == Invocation(Command.Export()))
    #expect(
      try parse("export bird --format csv")
        == Invocation(Command.Export(account: TimelineOperand(Self.bird), format: .csv)))
    #expect(message("export --format xml") == #"--format must be one of jsonl, json, csv, not "xml""#)
    #expect(message("export a b") == #"unexpected argument "b""#)
  }

  @Test("`homeline import` accepts a file, or - for standard input")
  func importing() throws {
    #expect(
      try parse("import posts.jsonl --account bird")
        == Invocation(Command.Import(file: "posts.jsonl", account: Self.bird)))
    #expect(try parse("import -") == Invocation(Command.Import(file: "-")))
    #expect(try parse("import -- -x") == Invocation(Command.Import(file: "-x")))
    #expect(message("import") == "import needs FILE")
    let empty = #expect(throws: UsageError.self) { try CommandParser(.standard).parse(["import", ""], now: Self.now) }
    #expect(empty?.message == "the file name is empty; use - for standard input")
  }

  @Test("A purge requires exactly one selection of posts")
  func purge() throws {
    #expect(try parse("purge --post 12") == Invocation(Command.Purge(.post("12"))))
    #expect(
      try parse("purge --author @mia --account bird --dry-run")
        == Invocation(Command.Purge(.author("mia"), account: Self.bird, isDryRun: true)))
    #expect(
      try parse("purge --before 52w")
        == Invocation(Command.Purge(.before(Self.time("2025-11-21T15:30:00Z")))))
    #expect(try parse("purge --account bird") == Invocation(Command.Purge(.everything, account: Self.bird)))
  }

  @Test(
    "A purge with no selection, two selections or a future date is refused",
    arguments: [
      (
        "purge",
        "specify --post ID, --author NAME or --before DATE, or --account ACCOUNT alone to remove all of its posts"
      ),
      (
        "purge --dry-run",
        "specify --post ID, --author NAME or --before DATE, or --account ACCOUNT alone to remove all of its posts"
      ),
      ("purge --post 1 --author mia", "--post and --author cannot be combined; run purge separately for each"),
      (
        "purge --account bird --author mia --before 1d",
        "--author and --before cannot be combined; run purge separately for each"
      ),
      ("purge --post=", "--post: the value is empty"), ("purge --author @", "--author: the value is empty"),
      ("purge --author= --account bird", "--author: the value is empty"),
      ("purge --before 2026-11-21", "--before is in the future; no post would be stored until then"),
      ("purge bird", #"unexpected argument "bird""#),
    ])
  func noPurge(text: String, expected: String) { #expect(message(text) == expected) }
}
