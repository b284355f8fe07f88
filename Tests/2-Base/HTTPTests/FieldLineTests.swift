import HTTP
import Testing

@Suite("Field lines (RFC 9112 §5)")
struct FieldLineTests {
  private func refused(_ line: String) -> Int? {
    refusal(of: "GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n")
  }

  @Test("whitespace around a field value is removed, and whitespace inside the value is kept (RFC 9110 §5.5)")
  func whitespace() throws {
    let request = try request(in: "GET / HTTP/1.1\r\nHost: \t a \t\r\nEmpty:\r\nB:  c\t d \r\n\r\n")
    #expect(request.headers == ["Host": "a", "Empty": "", "B": "c\t d"])
  }

  @Test("field lookup ignores the case of names and preserves the order of lines (RFC 9110 §5.1, §5.3)")
  func lookup() throws {
    let request = try request(in: "GET / HTTP/1.1\r\nhOST: a\r\nx-a: 1\r\nB: 2\r\nX-A: 3\r\n\r\n")
    #expect(request.headers.first("X-a") == "1")
    #expect(request.headers.all("X-a") == ["1", "3"])
    #expect(request.headers.first("C") == nil)
  }

  @Test("a field line with whitespace before the colon is refused (§5.1)", arguments: ["A : b", "A\t: b", " A: b"])
  func beforeColon(_ line: String) {
    #expect(refused(line) == 400)
  }

  @Test("folded lines (§5.2) and whitespace before the first field (§2.2) are refused")
  func folded() {
    #expect(refused("A: b\r\n c") == 400)
    #expect(refused("A: b\r\n\tc") == 400)
    #expect(refusal(of: "GET / HTTP/1.1\r\n Host: a\r\n\r\n") == 400)
  }

  @Test(
    "control characters, a bare CR and a bare LF in a field line are refused (§2.2, RFC 9110 §5.5)",
    arguments: ["A: b\u{0}", "A: b\u{1}c", "A: b\u{7f}", "A: b\rc", "A: b\nC: d", "A: b\r\r\n", "A: b\u{b}"])
  func controls(_ line: String) {
    #expect(refused(line) == 400)
  }

  @Test(
    "a field line without a valid name and a colon is refused",
    arguments: [": b", "A", "A b: c", "A\u{e4}: b", "A(: b"])
  func names(_ line: String) {
    #expect(refused(line) == 400)
  }

  @Test("field values keep non-ASCII text, and invalid UTF-8 becomes U+FFFD")
  func opaque() throws {
    let head = Array("GET / HTTP/1.1\r\nHost: a\r\nA: \u{fc} ".utf8)
    let all = outcomes(of: head + [0xFF] + Array("\r\n\r\n".utf8))
    guard case .request(let request)? = all.first else { throw NoSuchOutcome() }
    #expect(request.headers.first("A") == "\u{fc} \u{fffd}")
  }

  @Test("list members are collected from all lines of a field, except empty members (RFC 9110 §5.6.1)")
  func lists() {
    let headers: HeaderFields = ["Connection": "keep-alive", "A": "x", "connection": ",, Close ,"]
    #expect(headers.members("Connection") == ["keep-alive", "Close"])
    #expect(headers.lists("close", in: "Connection"))
    #expect(!headers.lists("clos", in: "Connection"))
  }

  @Test("field names and values that could end their line cannot be created")
  func injection() {
    for text in ["a\r\nb", "a\nb", "a\rb", "a\u{0}b", " a", "a ", "a\t"] {
      #expect(FieldValue(text) == nil)
      #expect(FieldName(text) == nil)
    }
    for text in ["", "a b", "a:b", "\u{e4}"] { #expect(FieldName(text) == nil) }
    for text in ["", "a b", "a:b", "\u{e4}"] { #expect(FieldValue(text)?.text == text) }
  }

  @Test("setting a field replaces all field lines with the same name")
  func set() {
    var headers: HeaderFields = ["A": "1", "B": "2", "a": "3"]
    headers.set("A", "4")
    #expect(headers == ["B": "2", "A": "4"])
  }
}
