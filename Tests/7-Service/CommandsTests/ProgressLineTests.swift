import ControlProtocol
import HTTP
import Platform
import Testing

@testable import Commands

@Suite("The progress line") struct ProgressLineTests {
  private static let posts = ProgressLine.Unit.things(one: "post", many: "posts")
  private let start = BootInstant.now

  private func text(
    _ name: String = "a", _ unit: ProgressLine.Unit = Self.posts, done: Int, of total: Int, bound: Bool = false,
    details: [String] = [], rate: Double? = nil, columns: Int = 40
  ) -> String {
    ProgressLine.text(
      of: ProgressLine.Job(name, unit, done: done, of: total, isTotalUpperBound: bound, details: details), rate: rate,
      columns: columns)
  }

  @Test("the line shows the percentage, the amount, details and the time left, and a bar if there is space for it")
  func parts() {
    #expect(text(done: 1, of: 4, rate: 0.5, columns: 50) == "a: ████░░░░░░░░░░░░░ 25%, 1 of 4 posts, 0:06 left")
    #expect(text(done: 1, of: 1) == "a: " + String(repeating: "█", count: 18) + " 100%, 1 of 1 post")
    #expect(text(done: 2, of: 0, details: ["1 new"], rate: 5) == "a: 2 posts, 1 new")
    #expect(text(done: 2, of: 5, bound: true, columns: 30) == "a: 40%, 2 of at most 5 posts")
    let bytes = text(
      "put", .bytes, done: 5 << 20, of: 20 << 20, details: ["0 of 3 files"], rate: Double(1 << 20), columns: 60)
    #expect(bytes == "put: 25%, 5.0 MiB of 20.0 MiB, 0 of 3 files, 1.0 MiB/s, 0:1")
    #expect(text("a", .bytes, done: 0, of: 10 << 30, rate: Double(1 << 20), columns: 99).hasSuffix("2:50:40 left"))
    #expect(text("a", .bytes, done: 512, of: 0) == "a: 512 B")
  }

  @Test("the line is narrower than the terminal at every width, even with wide characters and hostile names")
  func width() {
    for name in ["bird", "写真の長い名前ファイル.jpg", "a\nb\tc\u{1b}[2J", ""] {
      for columns in 1..<120 {
        let line = text(name, done: 3, of: 9, details: ["1 new post"], rate: 1, columns: columns)
        let width = line.unicodeScalars.reduce(0) { $0 + ($1.value > 0x2fff ? 2 : 1) }
        #expect(width < columns && !line.contains { "\n\t\u{1b}".contains($0) }, "\(columns)")
      }
    }
    #expect(text("写真", done: 3, of: 9, columns: 9) == "写真: 33")
    #expect(text("写真", done: 3, of: 9, columns: 4) == "写")
  }

  @Test("the line is drawn immediately, and then at most four times a second")
  func interval() {
    var line = ProgressLine()
    var drawn: [Int] = []
    for tick in 0...100 {
      let job = ProgressLine.Job("a", Self.posts, done: tick, of: 100)
      if line.line(for: job, columns: 80, at: start + .milliseconds(20 * tick)) != nil { drawn.append(tick) }
    }
    #expect(drawn == [0, 13, 26, 39, 52, 65, 78, 91])
  }

  @Test("the time left follows the rate of the last ten seconds, and is hidden in the first second")
  func estimate() {
    var line = ProgressLine()
    func text(_ done: Int, after seconds: Int) -> String {
      line.line(
        for: ProgressLine.Job("a", Self.posts, done: done, of: 1000), columns: 80, at: start + .seconds(seconds)) ?? ""
    }
    #expect(text(0, after: 0).hasSuffix(" 0%, 0 of 1000 posts"))
    #expect(text(10, after: 1).hasSuffix(" 1%, 10 of 1000 posts, 1:39 left"))
    // The rate becomes ten times higher.
    for second in 2...12 { _ = text(10 + 100 * (second - 1) / 2, after: second) }
    #expect(text(610, after: 13).hasSuffix("610 of 1000 posts, 0:07 left"))
  }

  @Test("the time left of a resumed transfer is estimated from the bytes transferred in this run")
  func resumed() {
    var line = ProgressLine()
    func text(done: Int, moved: Int, after seconds: Int) -> String {
      line.line(
        for: ProgressLine.Job("a", .bytes, done: done << 20, of: 100 << 20, moved: moved << 20), columns: 80,
        at: start + .seconds(seconds)) ?? ""
    }
    _ = text(done: 0, moved: 0, after: 0)
    #expect(text(done: 92, moved: 2, after: 2).hasSuffix("92%, 92.0 MiB of 100.0 MiB, 1.0 MiB/s, 0:08 left"))
  }

  @Test("the progress of a refresh counts pages and new posts")
  func events() {
    let job = ProgressUnits.pages.job(ProgressEvent(account: "demo", done: 1, of: 5, posts: 200))
    #expect(
      ProgressLine.text(of: job, rate: nil, columns: 60)
        == "demo: ██░░░░░░░░░░ 20%, 1 of at most 5 pages, 200 new posts")
    let upload = ProgressLine.Job(UploadEvent(account: "x", id: "out-1", file: 2, files: 2, done: 1, total: 2))
    #expect(ProgressLine.text(of: upload, rate: nil, columns: 40) == "upload: 50%, 1 B of 2 B, 1 of 2 files")
  }

  @Test("byte counts are written in binary units")
  func byteCounts() {
    #expect(ByteCount.text(1023) == "1023 B")
    #expect(ByteCount.text(1536) == "1.5 KiB")
    #expect(ByteCount.text(2 << 30) == "2.0 GiB")
  }
}
