import Glibc
import Testing

@testable import Platform

@Suite struct LogTests {
  @Test("log lines begin with their level in the journal, and with the program's name elsewhere")
  func forms() {
    #expect(LogForm.journal.text(.warning, "late") == "<4>late\n")
    #expect(LogForm.journal.text(.debug, "a\nb\n\nc") == "<7>a\n<7>b\n<7>\n<7>c\n")
    #expect(LogForm.plain(program: "homeline").text(.error, "a\nb") == "homeline: a\nhomeline: b\n")
  }

  @Test("a log line cannot change its level, control a terminal or reorder text")
  func controls() {
    #expect(LogForm.journal.text(.info, "<0>a\r\n<0>b") == "<6><0>a\\u{d}\n<6><0>b\n")
    #expect(
      LogForm.plain(program: "p").text(.info, "\u{1b}[2J\t\u{7f}\u{9b}\u{202e}é\u{2028}👍")
        == "p: \\u{1b}[2J\\u{9}\\u{7f}\\u{9b}\\u{202e}é\\u{2028}👍\n")
  }

  @Test("standard error is the journal only if its device and inode match JOURNAL_STREAM")
  func journalStream() {
    var pair: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    defer { pair.forEach { close($0) } }
    var facts = stat()
    #expect(fstat(pair[0], &facts) == 0)
    func isJournal(_ value: String?, _ descriptor: Int32) -> Bool {
      JournalStream.isJournal(descriptor: descriptor, environment: value.map { ["JOURNAL_STREAM": $0] } ?? [:])
    }
    let name = "\(facts.st_dev):\(facts.st_ino)"
    #expect(isJournal(name, pair[0]))
    #expect(!isJournal(name, pair[1]))
    #expect(!isJournal(name, 2_000_000_000), "not open")
    for other in [
      nil, "", ":", "\(facts.st_dev)", "\(facts.st_dev + 1):\(facts.st_ino)", "\(facts.st_dev):\(facts.st_ino + 1)",
      name + ":1", " " + name,
    ] { #expect(!isJournal(other, pair[0]), "\(other ?? "unset")") }
  }

  @Test("log messages up to the threshold are written to standard error as complete lines")
  func threshold() async throws {
    let outcome = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let log = Log.standardError(of: "homeline", environment: [:]).prefixed("bird")
      log(.debug, "unseen")
      log(.info, "seen")
      Log.standardError(of: "homeline", threshold: .debug, environment: [:])(.debug, "looked for")
      Log.standardError(of: "homeline", threshold: .error, environment: [:])(.warning, "too little")
    }
    let said = String(decoding: try #require(outcome).standardErrorContent, as: UTF8.self)
    #expect(said == "homeline: bird: seen\nhomeline: looked for\n")
  }

  @Test("log lines for the journal contain their levels")
  func journal() async throws {
    let outcome = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      var facts = stat()
      guard fstat(2, &facts) == 0 else { fatalError("fstat: \(errno)") }
      let log = Log.standardError(
        of: "homeline", environment: ["JOURNAL_STREAM": "\(facts.st_dev):\(facts.st_ino)"])
      log(.notice, "two\nlines")
    }
    let said = String(decoding: try #require(outcome).standardErrorContent, as: UTF8.self)
    #expect(said == "<5>two\n<5>lines\n")
  }
}
