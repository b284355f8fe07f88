import HTTP
import Testing

@Suite("Entity tags (RFC 9110 §8.8.3, §13.1.2)")
struct EntityTagTests {
  private let tag = EntityTag("a,b")

  private func request(_ values: String..., method: RequestMethod = .get) throws -> Request {
    var headers = HeaderFields()
    for value in values { try headers.append(name: "If-None-Match", value: value) }
    return Request(method: method, target: try #require(RequestTarget("/", of: method)), headers: headers)
  }

  @Test("a tag is quoted, and one with a space, quote or control character does not exist")
  func characters() {
    #expect(tag?.field.text == "\"a,b\"" && EntityTag("")?.field.text == "\"\"")
    for wrong in ["a b", "\"", "a\t", "\u{7f}", "\r\n"] { #expect(EntityTag(wrong) == nil) }
  }

  @Test(
    "If-None-Match names the tag alone, in a list, weakly, or as any tag",
    arguments: [
      "\"a,b\"", "W/\"a,b\"", "*", "\"x\", \"a,b\"", "\"x\" ,W/\"a,b\",", ", ,\"a,b\"", "\"a\", \"\", \"a,b\" , \"c\"",
    ])
  func known(value: String) throws { #expect(try #require(tag).isKnown(to: request(value))) }

  @Test(
    "another tag, a part of a tag and a malformed list do not match",
    arguments: [
      "\"a\"", "a,b", "\"a", "\"x\" \"a,b\"", "w/\"a,b\"", "\"a,b\"x", "W/*", "\"*\"", "\"a,b\", x", "\"A,b\"", "\"b\"",
    ])
  func unknown(value: String) throws { #expect(try !#require(tag).isKnown(to: request(value))) }

  @Test("the field can be repeated, and counts only for GET and HEAD")
  func requests() throws {
    let tag = try #require(tag)
    #expect(try tag.isKnown(to: request("\"x\"", "\"a,b\"")))
    #expect(try tag.isKnown(to: request("\"a,b\"", method: .head)))
    #expect(try !tag.isKnown(to: request("\"a,b\"", method: .post)))
    #expect(try !tag.isKnown(to: request()))
  }

  @Test("a client that has the bytes gets 304 with the tag and the other fields, and any other client the bytes")
  func responses() throws {
    let tag = try #require(tag)
    let response = Response(
      status: .ok, headers: [.contentType: "text/css", "Cache-Control": "private"], body: Array("body".utf8))
    let known = response.tagged(tag, for: try request("\"a,b\""))
    #expect(known.status == .notModified && known.body.isEmpty)
    #expect(known.headers.first(.entityTag) == "\"a,b\"" && known.headers.first("Cache-Control") == "private")
    let other = response.tagged(tag, for: try request("\"x\""))
    #expect(other.status == .ok && other.body == Array("body".utf8) && other.headers.first(.entityTag) == "\"a,b\"")
    let missing = Response(status: .notFound).tagged(tag, for: try request("*"))
    #expect(missing.status == .notFound)
  }
}
