import TestSupport
import Foundation
import Testing
import Time
import Timeline

@testable import Providers

/// The user's filters in responses of Mastodon's API (docs.joinmastodon.org/entities/FilterResult).
@Suite struct MastodonFilterTests {
  private static let now = Timestamp(rfc3339: "2026-11-26T12:00:00Z")!
  private static let home = FilterScope(.home, at: now)

  private func posts(_ body: String, userID: String? = nil, in scope: FilterScope? = home) throws -> [Post] {
    try MastodonSamples.fetched(body, TimelineQuery(userID: userID, count: 40, filters: scope)).page.entries.map(\.post)
  }

  private func filter(
    _ action: String? = "hide", title: String = "wasps", context: String = #"["home"]"#, expiresAt: String? = nil
  ) -> String {
    let members =
      [
        #""title":"\#(title)""#, #""context":\#(context)"#,
        #""expires_at":\#(expiresAt.map { "\"\($0)\"" } ?? "null")"#,
      ]
      + (action.map { [#""filter_action":"\#($0)""#] } ?? [])
    return #"{"filter":{\#(members.joined(separator: ","))},"keyword_matches":["x"],"status_matches":null}"#
  }

  private func post(_ filters: String..., and members: String = "", in scope: FilterScope? = home) throws -> Post {
    let status = MastodonSamples.status(
      #""content":"<p>t</p>"\#(members),"filtered":[\#(filters.joined(separator: ","))]"#)
    return try #require(try posts("[\(status)]", in: scope).first)
  }

  @Test("a home timeline with filtered posts and a boost of a filtered post is read as its filters demand")
  func vector() throws {
    let file = URL(filePath: Repository.path("Tests/Vectors/mastodon-filtered-home.json"))
    let body = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let posts = try posts(body)
    #expect(posts.map(\.id.text) == ["2007", "2006", "2005", "2004", "2003"])
    #expect(posts.map(\.isHidden) == [true, false, true, false, false])
    #expect(posts[3].text == "CW: Filtered: final\n\nThe final was a draw.")
    #expect(posts.filter { $0.filter == nil }.map(\.text) == ["Rain all day.", "Good morning."])
    #expect(try self.posts(body, in: nil).allSatisfy { $0.filter == nil && !$0.text.contains("Filtered") })
  }

  @Test("a filter applies only in its contexts; a server that does not name them means all")
  func contexts() throws {
    #expect(try post(filter(context: #"["notifications","home"]"#)).isHidden)
    for other in [#"["public","thread"]"#, "[]", "[1,null]"] {
      #expect(try post(filter(context: other)).filter == nil, "\(other)")
    }
    for unnamed in ["null", "7"] { #expect(try post(filter(context: unnamed)).isHidden, "\(unnamed)") }
  }

  @Test("a filter applies until it expires")
  func expiry() throws {
    #expect(try post(filter(expiresAt: "2026-11-26T12:00:00.001Z")).isHidden)
    for past in ["2026-11-26T12:00:00.000Z", "2026-11-26T13:00:00.000+02:00", "1999-01-01T00:00:00Z"] {
      #expect(try post(filter(expiresAt: past)).filter == nil, "\(past)")
    }
    #expect(try post(filter(expiresAt: "tomorrow")).isHidden)
    let later = FilterScope(.home, at: Self.now + .seconds(60))
    #expect(try post(filter(expiresAt: "2026-11-26T12:00:30.000Z"), in: later).filter == nil)
  }

  @Test("an unknown or missing action is a warning")
  func unknownActions() throws {
    for action in ["warn", "shrink", "", nil] {
      #expect(try post(filter(action)).text == "CW: Filtered: wasps\n\nt", "\(action ?? "none")")
    }
    #expect(try post(filter("blur")).filter == ServerFilter(.blur, title: "wasps"))
    #expect(try post(filter("blur")).text == "t")
  }

  @Test("of several filters, the strictest action counts, with the titles of the filters that demand it")
  func several() throws {
    let blur = filter("blur", title: "a"), warn = filter("warn", title: "b"), other = filter("odd", title: "c")
    #expect(try post(blur, warn, other, warn).filter == ServerFilter(.warn, title: "b, c"))
    #expect(try post(blur, warn, filter("hide", title: "d")).filter == ServerFilter(.hide, title: "d"))
    #expect(try post(blur, filter("hide", expiresAt: "2026-01-01T00:00:00Z")).filter?.action == .blur)
  }

  @Test(
    "members of unexpected types are ignored, and the post is shown",
    arguments: ["null", "{}", "true", "[]", "[{}]", "[null,7,\"x\"]", #"[{"filter":null}]"#, #"[{"filter":[]}]"#])
  func malformed(filtered: String) throws {
    let posts = try posts("[\(MastodonSamples.status(#""content":"<p>t</p>","filtered":\#(filtered)"#))]")
    #expect(posts.map(\.filter) == [nil] && posts.map(\.text) == ["t"])
  }

  @Test("the filters of a boosted post apply to the boost, whichever of the two lists them")
  func boosts() throws {
    for (outer, inner) in [("[]", "[\(filter())]"), ("[\(filter())]", "[]"), ("[\(filter())]", "[\(filter())]")] {
      let original = MastodonSamples.status(#""content":"<p>o</p>","filtered":\#(inner)"#, id: "90")
      let boost = MastodonSamples.status(#""content":"","reblog":\#(original),"filtered":\#(outer)"#)
      #expect(try posts("[\(boost)]").map(\.filter) == [ServerFilter(.hide, title: "wasps")])
    }
  }

  @Test("the user's own posts are not filtered")
  func own() throws {
    let status = MastodonSamples.status(#""content":"<p>t</p>","filtered":[\#(filter())]"#)
    #expect(try posts("[\(status)]", userID: "14715").map(\.isHidden) == [false])
    #expect(try posts("[\(status)]", userID: "22").map(\.isHidden) == [true])
  }

  @Test("a hidden quoted post is left out, and any other filter puts a warning before its text")
  func quotes() throws {
    func quoting(_ filters: String) throws -> Post {
      let quoted = MastodonSamples.status(#""content":"<p>q</p>","filtered":[\#(filters)]"#, id: "90")
      return try post(and: #","quote":{"state":"accepted","quoted_status":\#(quoted)}"#)
    }
    #expect(try quoting(filter()).quoted == nil)
    #expect(try quoting(filter("warn")).quoted?.text == "CW: Filtered: wasps\n\nq")
    #expect(try quoting(filter("blur")).quoted?.text == "CW: Filtered: wasps\n\nq")
    #expect(try quoting("").quoted?.text == "q")
  }
}
