import HomelineOAuth
import JSON
import TestSupport
import Testing
import Time
import Timeline

@testable import Providers

/// The source of a post, which is kept exactly as its provider sent it.
@Suite struct SourceTests {
  private func text(_ entry: Page.Entry) -> String { String(decoding: entry.source, as: UTF8.self) }

  @Test("the source of a status is kept byte for byte")
  func slices() throws {
    let members = #" "text" : "caf\u00e9 \/ é" ,"unknown":[1e0,{"deep":[ ]}],"content":"<p>x<\/p>"  "#
    let first = Samples.status(members, id: "200")
    let second = Samples.status(#""retweeted_status":"# + Samples.status(members, id: "7"), id: "100")
    let page = try Samples.fetched(" [\n \(first)\t, \(second) ] ").page
    #expect(page.entries.map(text) == [first, second])

    let toot = MastodonSamples.status(members, id: "200")
    let boost = MastodonSamples.status(#""reblog":"# + MastodonSamples.status(members, id: "7"), id: "100")
    #expect(try MastodonSamples.fetched("[ \(toot) ,\(boost)]").page.entries.map(text) == [toot, boost])

    let weibo = WeiboSamples.status("300", members)
    let passedOn = WeiboSamples.status("200", #""retweeted_status": \#(WeiboSamples.status("7", members)) "#)
    let body = WeiboSamples.timeline([" \(weibo) ", passedOn])
    #expect(try WeiboSamples.page(body).page.entries.map(text) == [weibo, passedOn])
  }

  @Test("the source of an X post contains exactly the objects that it refers to, byte for byte")
  func includes() throws {
    let mira = #"{ "id":"1","username":"mira_demo","verified":true}"#
    let kai = #"{"id":"2","username":"kai_demo","pinned":"\u0041"}"#
    let stranger = #"{"id":"3","username":"stranger"}"#
    let quoted = #"{"id":"21","text":"said","author_id":"2","attachments":{"media_keys":["m2"]}}"#
    let original = #"{"id":"20","text":"whole","author_id":"2","referenced_tweets":[{"type":"quoted","id":"21"}]}"#
    let other = #"{"id":"22","text":"another"}"#
    let media = ["m1", "m2", "m3"].map {
      #"{"media_key":"\#($0)","type":"photo","url":"https://i.example/\#($0).png"}"#
    }
    let post =
      #"{"id":"100","text":"RT","created_at":"2026-11-20T15:59:58.000Z","author_id":"1","referenced_tweets":[{"type":"retweeted","id":"20"},"#
      + #"{"type":"replied_to","id":"404"}],"attachments":{"media_keys":["m1","m1"]}}"#
    let alone = #"{"id":"90","text":"alone","created_at":"2026-11-20T15:59:50.000Z","author_id":"9"}"#
    let body =
      #"{"data":[\#(post), \#(alone)],"includes":{"users":[\#(mira),\#(kai),\#(stranger)],"#
      + #""tweets":[\#(original), \#(quoted),\#(other)],"media":[\#(media.joined(separator: ","))]},"meta":{}}"#
    let sources = try XSamples.fetched(body).page.entries.map(text)
    #expect(
      sources == [
        #"{"data":\#(post),"includes":{"users":[\#(mira),\#(kai)],"tweets":[\#(original),\#(quoted)],"#
          + #""media":[\#(media[0]),\#(media[1])]}}"#,
        #"{"data":\#(alone),"includes":{"users":[],"tweets":[],"media":[]}}"#,
      ])
  }

  @Test("the sources of posts that refer to each other or to a huge object stay within the size limit")
  func bounds() throws {
    let huge = String(repeating: "x", count: 300_000)
    let circle = #""referenced_tweets":[{"type":"quoted","id":"100"},{"type":"replied_to","id":"101"}]"#
    let posts = (100..<110).map {
      #"{"id":"\#($0)","text":"t","created_at":"2026-11-20T15:59:58.000Z","author_id":"1",\#(circle)}"#
    }
    let users = #"{"id":"1","username":"mira","note":"\#(huge)"}"#
    let body =
      #"{"data":[\#(posts.joined(separator: ","))],"includes":{"users":[\#(users)],"tweets":[\#(posts[0]),\#(posts[1])]}}"#
    for entry in try XSamples.fetched(body).page.entries {
      #expect(entry.source.count < 1000 && entry.post.author.screenName == "mira")
      #expect(try id(entry, at: ["data", "id"]) == entry.post.id.text)
    }
  }

  @Test("a post's source can be parsed on its own and contains the post's id")
  func readable() throws {
    let status = try Samples.fetched("[\(Samples.status(""))]").page.entries
    #expect(try id(status[0], at: ["id_str"]) == "100")
    let toot = try MastodonSamples.fetched(MastodonSamples.page([1, 2])).page.entries
    for entry in toot { #expect(try id(entry, at: ["id"]) == entry.post.id.text) }
    let weibo = try WeiboSamples.page(WeiboSamples.timeline([WeiboSamples.whole])).page.entries
    #expect(try id(weibo[0], at: ["idstr"]) == weibo[0].post.id.text)
    for entry in try XSamples.fetched(XSamples.page([10, 20])).page.entries {
      #expect(try id(entry, at: ["data", "id"]) == entry.post.id.text)
    }
  }

  @Test("random changes to a response do not cause a crash, and the kept sources can be parsed")
  func spoilt() throws {
    var random = SeededGenerator(seed: 7)
    let responses: [(any Provider, String)] = [
      (Samples.twitter, "[\(Samples.status(#""full_text":"a","deleted":"1""#)),\(Samples.status("", id: "9"))]"),
      (MastodonSamples.mastodon, "[\(MastodonSamples.status(#""content":"x","edited_at":"2026-11-20T15:59:58Z""#))]"),
      (WeiboSamples.weibo, WeiboSamples.timeline([WeiboSamples.whole, WeiboSamples.status("7", #""deleted":"1""#)])),
      (
        Samples.x,
        #"{"data":[{"id":"\#(XSamples.id(0))","text":"t","author_id":"1","referenced_tweets":[{"type":"quoted","id":"20"}]}],"#
          + #""includes":{"users":[\#(XSamples.mira)],"tweets":[{"id":"20","text":"q"}]},"meta":{"result_count":1}}"#
      ),
    ]
    var read = 0
    for (provider, body) in responses {
      for _ in 0..<1500 {
        var bytes = Array(body.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes.remove(at: place)
          case 2: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
          default: bytes[place] = Array("\"{}[],:01".utf8).randomElement(using: &random)!
          }
        }
        let response = ProviderResponse(status: 200, body: bytes, receivedAt: Samples.now, hiding: .nothing)
        guard case .page(let fetched)? = try? provider.page(from: response, for: TimelineQuery(count: 5)) else {
          continue
        }
        for entry in fetched.page.entries {
          var cursor = JSONCursor(Array(entry.source))
          #expect(try cursor.peek() == .object)
          try cursor.skip()
          try cursor.end()
          read += 1
        }
      }
    }
    #expect(read > 1000, "only \(read) responses were readable, so the test covers too little")
  }

  /// Returns the last string or number at the given path in the source.
  private func id(_ entry: Page.Entry, at path: [String]) throws -> String? {
    var cursor = JSONCursor(Array(entry.source))
    let found = try Self.text(&cursor, at: path[...])
    try cursor.end()
    return found
  }

  private static func text(_ cursor: inout JSONCursor, at path: ArraySlice<String>) throws -> String? {
    guard let name = path.first else { return try cursor.string() }
    var found: String?
    try cursor.members { cursor, member in
      if member.text == name {
        found = try Self.text(&cursor, at: path.dropFirst())
      } else {
        try cursor.skip()
      }
    }
    return found
  }
}
