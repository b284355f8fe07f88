import Testing
import Timeline

@testable import Posting

@Suite struct APIScopesTests {
  private typealias Use = APIScopes.Use

  @Test("each use of Mastodon's API needs its own scope, or the one that includes it")
  func mastodon() {
    let scopes = APIScopes.mastodon
    #expect(scopes.missing(for: [.post], from: "read write") == [])
    #expect(scopes.missing(for: [.post], from: "write:statuses") == [])
    #expect(scopes.missing(for: [.post], from: "read:accounts read:statuses") == ["write:statuses"])
    #expect(scopes.missing(for: [.post, .attachFiles], from: "read:accounts") == ["write:statuses", "write:media"])
    #expect(scopes.missing(for: [.post, .attachFiles], from: "read:accounts write:statuses") == ["write:media"])
    #expect(
      scopes.missing(for: [Use(PostAction(.like, isUndone: true))], from: "write:statuses") == ["write:favourites"])
    #expect(scopes.missing(for: [Use(PostAction(.bookmark))], from: "write:statuses") == ["write:bookmarks"])
    #expect(scopes.missing(for: [Use(PostAction(.delete)), Use(PostAction(.repost))], from: "write:statuses") == [])
    // The prefix of another word includes nothing.
    #expect(scopes.missing(for: [.post], from: "write:status writes") == ["write:statuses"])
  }

  @Test("each use of X's API needs its own scope")
  func x() {
    let read = "tweet.read users.read offline.access"
    let scopes = APIScopes.x
    #expect(scopes.missing(for: [Use(nil)], from: read) == ["tweet.write"])
    #expect(scopes.missing(for: [Use(PostAction(.delete))], from: read) == ["tweet.write"])
    #expect(scopes.missing(for: [Use(PostAction(.repost))], from: read + " tweet.write") == [])
    #expect(scopes.missing(for: [Use(PostAction(.bookmark))], from: read + " tweet.write") == ["bookmark.write"])
    #expect(scopes.missing(for: [.attachFiles], from: "tweet.write") == ["media.write"])
    #expect(scopes.missing(for: [.attachFiles], from: "tweet.write media.write") == [])
  }

  @Test("nothing is missing if the server does not report the scopes")
  func unknown() {
    for granted in [nil, "", " "] as [String?] {
      #expect(APIScopes.mastodon.missing(for: Use.allCases, from: granted) == [])
      #expect(APIScopes.x.missing(for: Use.allCases, from: granted) == [])
    }
    #expect(APIScopes.of("weibo") == nil && APIScopes.of("twitter") == nil && APIScopes.of("google") == nil)
  }

  @Test("an account that also posts requests its scopes, and those that every use needs")
  func withPosting() {
    let mastodon = APIScopes.mastodon
    let all = ["write:statuses", "write:media", "write:favourites", "write:bookmarks"]
    #expect(mastodon.withPosting(mastodon.home) == ["read:accounts", "read:statuses"] + all)
    #expect(
      mastodon.withPosting(["read:accounts", "write:statuses", "push"]) == ["read:accounts", "write:statuses", "push"]
        + all.dropFirst())
    #expect(
      mastodon.withPosting(["read:statuses", "write"]) == ["read:statuses", "write"], "write includes all of them")
    // The account's server may know no finer scopes.
    #expect(mastodon.withPosting(["read"]) == ["read", "write"])
    #expect(mastodon.withPosting(["read", "follow"]) == ["read", "follow", "write"])
    #expect(mastodon.withPosting(["read", "write:statuses"]) == ["read", "write:statuses"] + all.dropFirst())
    #expect(
      APIScopes.x.withPosting(APIScopes.x.home)
        == ["tweet.read", "users.read", "offline.access", "tweet.write", "media.write", "bookmark.write"])
    for requested in [mastodon.home, ["read"], ["read:accounts"]] {
      let wanted = mastodon.withPosting(requested)
      #expect(mastodon.missing(for: Use.allCases, from: wanted.joined(separator: " ")) == [])
      #expect(mastodon.withPosting(wanted) == wanted)
    }
  }

  @Test("an account requests the scopes of the timelines that it has, and no others")
  func timelines() {
    let (mastodon, home) = (APIScopes.mastodon, ["read:accounts", "read:statuses"])
    #expect(mastodon.reading([]) == home && mastodon.reading([.home, .tag, .user]) == home)
    #expect(mastodon.reading([.home, .list]) == home + ["read:lists"])
    #expect(mastodon.reading([.home, .bookmarks]) == home + ["read:bookmarks"])
    #expect(mastodon.reading([.home, .likes]) == home + ["read:favourites"])
    #expect(mastodon.reading([.home, .notifications, .mentions]) == home + ["read:notifications"])
    let all = mastodon.reading(Set(TimelineName.Kind.allCases))
    #expect(all == mastodon.home + ["read:notifications", "read:lists", "read:bookmarks", "read:favourites"])
    #expect(mastodon.scope(for: .list) == "read:lists" && mastodon.scope(for: .tag) == nil)
    #expect(mastodon.withPosting(all).starts(with: all), "posting takes no scope away")
    #expect(APIScopes.x.reading([.home]) == APIScopes.x.home)
    // A server without finer scopes gets what it gets for the home timeline alone.
    #expect(APIScopes.coarse(all) == ["read"] && APIScopes.supported(all, by: ["read", "write"]) == ["read"])
  }

  @Test("a server that lists only coarse scopes is asked for those")
  func coarse() {
    let wanted = APIScopes.mastodon.withPosting(APIScopes.mastodon.home)
    #expect(APIScopes.supported(wanted, by: nil) == wanted)
    #expect(APIScopes.coarse(wanted) == ["read", "write"])
    #expect(APIScopes.supported(wanted, by: ["read", "write", "follow"]) == ["read", "write"])
    #expect(APIScopes.supported(wanted, by: ["read", "write"] + wanted) == wanted)
    // A scope that the server does not list may still work.
    #expect(APIScopes.supported(["profile", "read:accounts"], by: ["openid"]) == ["profile", "read:accounts"])
  }
}
