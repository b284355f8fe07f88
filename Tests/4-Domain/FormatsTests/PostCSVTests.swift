import Testing
import Time
import Timeline

@testable import Formats

@Suite struct PostCSVTests {
  @Test(
    "a CSV cell is quoted where necessary, and is otherwise unchanged (RFC 4180 §2)",
    arguments: [
      (["a", "b c", nil, ""], "a,b c,,\r\n"), (["a,b"], "\"a,b\"\r\n"), (["say \"hi\""], "\"say \"\"hi\"\"\"\r\n"),
      (["two\nlines"], "\"two\nlines\"\r\n"), ([" edge"], "\" edge\"\r\n"), (["手机", "👍🏽"], "手机,👍🏽\r\n"),
      (["\u{1b}[31mred\u{202e}"], "red\r\n"), (["a\r\nb"], "\"a\nb\"\r\n"),
    ] as [([String?], String)])
  func quoting(cells: [String?], line: String) { #expect(CSVLine.text(cells) == line) }

  @Test(
    "CSV cells that a spreadsheet would execute start with an apostrophe",
    arguments: [
      ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), (" =1", "' =1"),
      ("\t=1", "' =1"), ("=\u{301}HYPERLINK(A1)", "'=\u{301}HYPERLINK(A1)"), ("\u{301}-2+3", "'\u{301}-2+3"),
      ("1=1", "1=1"), ("\u{200b}=1+1", "'\u{200b}=1+1"), ("+\u{200d}1", "'+\u{200d}1"), ("\u{ad}@A", "'\u{ad}@A"),
      ("\u{fe0f}=1", "'\u{fe0f}=1"), ("\u{115f}=1", "'\u{115f}=1"), ("\u{200b}Good", "\u{200b}Good"),
      ("＝1", "'＝1"), ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"), ("a=1", "a=1"), ("=\"a\",1", "\"'=\"\"a\"\",1\""),
    ])
  func formulas(cell: String, safe: String) { #expect(CSVLine.text([cell]) == safe + "\r\n") }

  @Test("a post's CSV line follows the header's columns, and a deleted post's line contains only its id and times")
  func columns() {
    let columns = PostCSV.header.dropLast().split(separator: ",", omittingEmptySubsequences: false)
    #expect(columns.count == 14)
    var post = Samples.small
    post.editedAt = Timestamp(seconds: 60)
    let line = PostCSV.line(of: post)
    #expect(line.hasPrefix("\(post.id.text),\(post.createdAt.rfc3339),\(post.author.screenName),"))
    #expect(line.hasSuffix(",1970-01-01T00:01:00Z,\r\n"))
    let deleted = PostCSV.line(
      ofDeleted: PostID("9"), createdAt: Timestamp(seconds: 0), deletedAt: Timestamp(seconds: 1))
    #expect(deleted == "9,1970-01-01T00:00:00Z,,,,,,,,,,,,1970-01-01T00:00:01Z\r\n")
  }
}
