import TestSupport
import Time

/// Responses with defective JSON.
extension TimelineFault {
  private static func page(_ posts: String...) -> [UInt8] {
    RawHTTP.response("[" + posts.joined(separator: ",") + "]")
  }

  private static func bytes(_ before: String, _ middle: [UInt8], _ after: String) -> [UInt8] {
    RawHTTP.response(Array(before.utf8) + middle + Array(after.utf8))
  }

  private static func nested(_ depth: Int, _ open: String, _ close: String) -> String {
    String(repeating: open, count: depth) + String(repeating: close, count: depth)
  }

  /// Returns a post whose text contains the given bytes.
  private static func spoilt(_ bytes: [UInt8]) -> [UInt8] {
    let parts = FaultyTimeline.post(3, text: "a#b").split(separator: "#").map { Array($0.utf8) }
    return parts[0] + bytes + parts[1]
  }

  /// Returns a post that appears late in the timeline, between older posts.
  private static func late(at seconds: Int64, _ lastDigit: String) -> String {
    FaultyTimeline.post(3, id: FaultyTimeline.id(3).dropLast() + lastDigit, at: Timestamp(seconds: seconds))
  }

  private static let good = FaultyTimeline.post(3)
  private static let letters = String(repeating: "z", count: 400)
  private static let digits = String(repeating: "7", count: 400)

  /// Responses that are not a page of posts. No post is stored.
  static let unreadable: [Self] = [
    .refused(
      "a refusal with an impossible server time", "timestamp",
      RawHTTP.response(
        #"{"error":"Expired timestamp, yours 1, ours 9223372036854775807"}"#, "401 Unauthorized")),
    .refused("an empty body", "an empty body", RawHTTP.response("")),
    .refused("an array 10,000 deep", "deep", RawHTTP.response(nested(10_000, "[", "]"))),
    .refused("objects 10,000 deep", "deep", page(#"{"a":"# + nested(10_000, #"{"a":"#, "}") + "}")),
    .refused(
      "a repost of a repost, 10,000 deep", "deep",
      page(FaultyTimeline.post(1, members: nested(10_000, #""retweeted_status":{"#, "}")))),
    .refused("a NUL between two posts", "cannot be read", bytes("[\(good),", [0], "\(good)]")),
    .refused("a NUL inside a text", "cannot be read", bytes(#"[{"id":1,"full_text":"a"#, [0], #""}]"#)),
    .refused("a NUL after the page", "cannot be read", bytes("[\(good)]", [0], "")),
    .refused("garbage after the page", "cannot be read", bytes("[\(good)]", Array("</html>".utf8), "")),
    .refused("two pages", "cannot be read", bytes("[\(good)]", Array("[]".utf8), "")),
    .refused("a truncated page", "the text ends", bytes("[\(good),", [], "")),
    .refused("UTF-16", "", bytes("", Array("[]".utf16).flatMap { [UInt8(truncatingIfNeeded: $0), 0] }, "")),
    .refused("nothing but nulls", "", RawHTTP.response("[null,null,null]")),
    .refused("null", "", RawHTTP.response("null")),
    .refused("a string of 4 MiB", "", RawHTTP.response("\"" + String(repeating: "a", count: 4 << 20) + "\"")),
    .refused("a number of 400 digits", "", RawHTTP.response(digits)),
    .refused("posts without ids", "", RawHTTP.response(#"[{"full_text":"a"},{}]"#)),
  ]

  /// Pages with malformed parts, which do no harm. The readable parts are stored.
  static let odd: [Self] = [
    .accepted("an id of 400 digits", [.send(page(FaultyTimeline.post(3, id: digits), good))]),
    .accepted(
      "an id of 400 letters", [.send(page(good, FaultyTimeline.post(3, id: "\"\(letters)\"", textID: letters)))]),
    .accepted(
      "a post from the year 9999", [.send(page(late(at: 253_402_300_799, "9"), good))], shows: "9999-12-31T23:59:59Z"),
    .accepted("a post from 1970", [.send(page(late(at: 0, "8"), good))], shows: "1970-01-01T00:00:00Z"),
    .accepted("a post from 1969", [.send(page(late(at: -1, "7"), good))]),
    .accepted("nulls between posts", [.send(page("null", good, "null"))]),
    .accepted(
      "counts of 400 digits",
      [.send(page(FaultyTimeline.post(3, members: #""retweet_count":\#(digits),"favorite_count":-\#(digits)"#)))]),
    .accepted(
      "a reply to an id of 400 digits",
      [.send(page(FaultyTimeline.post(3, members: #""in_reply_to_status_id":\#(digits)"#)))]),
    .accepted(
      "a date of 400 digits", [.send(page(good, #"{"id":4,"id_str":"4","created_at":\#(digits),"full_text":"a"}"#))]),
    .accepted(
      "dates that do not exist",
      [
        .send(
          page(
            good, #"{"id":4,"id_str":"4","created_at":"Wed Feb 31 25:61:61 +0000 2026","full_text":"a"}"#,
            #"{"id":5,"id_str":"5","created_at":"\#(digits)","full_text":"a"}"#))
      ]),
    .accepted("unpaired surrogates", [.send(page(FaultyTimeline.post(3, text: #"a \ud83d b \udc00"#)))]),
    .accepted("invalid UTF-8", [.send(bytes("[", spoilt([0xC3, 0x28, 0xFF]), "]"))]),
    .accepted("a truncated UTF-8 character", [.send(bytes("[", spoilt([0xF0, 0x9F, 0x98]), "]"))]),
    .accepted("an escaped NUL", [.send(page(FaultyTimeline.post(3, text: #"a \u0000 b"#)))]),
    .accepted(
      "a text of 2 MiB", [.send(page(FaultyTimeline.post(3, text: String(repeating: "long ", count: 400_000))))]),
    .accepted("a byte order mark", [.send(bytes("", [0xEF, 0xBB, 0xBF], "[\(good)]"))]),
  ]
}
