import Bytes
import HTTPClient
import Testing
import Time
import Timeline

@testable import Providers

/// Timelines other than home.
@Suite("Other timelines") struct OtherTimelinesTests {
  private static let mastodon = MastodonSamples.mastodon

  private func name(_ text: String) throws -> TimelineName { try TimelineName(text) }

  static let addresses: [(timeline: String, reference: String?, address: String)] = [
    ("list:Friends", "42", "/api/v1/timelines/list/42?limit=40&max_id=9&since_id=5"),
    ("tag:日本語", nil, "/api/v1/timelines/tag/%E6%97%A5%E6%9C%AC%E8%AA%9E?limit=40&max_id=9&since_id=5"),
    ("tag:a/../b?c", nil, "/api/v1/timelines/tag/a%2F..%2Fb%3Fc?limit=40&max_id=9&since_id=5"),
    ("user:@kai@far.example", "22", "/api/v1/accounts/22/statuses?limit=40&max_id=9&since_id=5"),
  ]

  @Test("Mastodon's lists, tags and users are paged like home", arguments: addresses)
  func mastodonPages(timeline: String, reference: String?, address: String) throws {
    let query = TimelineQuery(
      try name(timeline), reference: reference, older: PageCursor("9"), since: Samples.mark("5"), count: 100)
    #expect(Self.mastodon.pageRequest(for: query).url == "https://social.example" + address)
    let traits = try #require(Self.mastodon.traits(of: try name(timeline)))
    #expect(traits.order == .byID && traits.pageSize == 40)
  }

  static let twitterAddresses: [(timeline: String, reference: String?, path: String, last: String)] = [
    ("mentions", nil, "statuses/mentions_timeline.json", "include_entities=true"),
    ("user:@mira_demo", nil, "statuses/user_timeline.json", "include_entities=true&screen_name=mira_demo"),
    ("list:Friends", "42", "lists/statuses.json", "include_entities=true&list_id=42"),
    ("likes", nil, "favorites/list.json", "include_entities=true"),
  ]

  @Test("the timelines of the v1.1 API have addresses beside home's", arguments: twitterAddresses)
  func twitterPages(timeline: String, reference: String?, path: String, last: String) throws {
    let query = TimelineQuery(try name(timeline), reference: reference, count: 200)
    #expect(
      Samples.twitter.pageRequest(for: query).url
        == "https://api.twitter.com/1.1/\(path)?count=200&tweet_mode=extended&\(last)")
    #expect(Samples.twitter.traits(of: try name(timeline))?.window == .kind)
  }

  @Test("a provider does not offer the timelines that its API lacks, or whose address is unknown")
  func notOffered() throws {
    for timeline in ["bookmarks", "tag:swift", "notifications"] {
      #expect(Samples.twitter.traits(of: try name(timeline)) == nil)
    }
    #expect(Samples.x.traits(of: try name("likes")) == nil && Samples.x.traits(of: .home) != nil)
    let address = try RequestURL("http://127.0.0.1:8080/index.php?title=Special:OAuth/home")
    let other = try #require(try Samples.named("twitter", overriding: [.homeTimeline: address]))
    #expect(other.traits(of: try name("mentions")) == nil && other.traits(of: .home) != nil)
  }

  // MARK: References

  private static let lists = #"""
    [{"id":"1","title":"Friends","exclusive":true},{"id":"006b0c","title":"Twice"},{"id":3,"title":"Twice"},
    {"id":"../x","title":"Evil"},{"id":null,"title":"Broken"},{"title":"NoID"},7]
    """#

  @Test(
    "a list is found by its id or by its title",
    arguments: ["list:Friends": "1", "list:006b0c": "006b0c", "list:3": "3"])
  func listReference(timeline: String, id: String) throws {
    let request = try #require(Self.mastodon.referenceRequest(for: try name(timeline)))
    #expect(request.url == "https://social.example/api/v1/lists")
    #expect(try Self.mastodon.reference(to: try name(timeline), from: Samples.respond(Self.lists)) == id)
  }

  @Test("the name of a list finds it: its title or, if that finds another list or none, its id")
  func listNames() throws {
    let lists = [
      ServerList(id: "1", title: "Friends"), ServerList(id: "2", title: "Twice"), ServerList(id: "3", title: "Twice"),
      ServerList(id: "4", title: "1"), ServerList(id: "5", title: ""), ServerList(id: "6", title: "a\u{0}b"),
      ServerList(id: "7", title: String(repeating: "x", count: 600)), ServerList(id: "8", title: "a:b \"c\""),
    ]
    let names = lists.map { lists.name(of: $0)?.description }
    #expect(
      names == ["list:Friends", "list:2", "list:3", "list:4", "list:5", "list:6", "list:7", "list:a:b \"c\""])
    for (list, name) in zip(lists, names) {
      let argument = try TimelineName(name ?? "").argument
      #expect(try lists.list(named: argument ?? "") == list)
    }
  }

  @Test("a page of followed hashtags continues at the link, unless that leads to another server or path")
  func followedTags() throws {
    let catalogue = Self.mastodon
    #expect(
      catalogue.followedTagsRequest(after: "7&x")?.url
        == "https://social.example/api/v1/followed_tags?limit=200&max_id=7%26x")
    let body = #"[{"id":"1","name":"swift"},{"name":"猫"},{"id":"2"},{"name":7},null]"#
    func next(_ link: String) throws -> FollowedTags {
      try catalogue.followedTags(from: Samples.respond(body, headers: ["Link": link]))
    }
    let path = "/api/v1/followed_tags?max_id=42"
    #expect(
      try next("<https://social.example\(path)>; rel=\"next\"") == FollowedTags(names: ["swift", "猫"], next: "42"))
    #expect(try next("<https://else.example\(path)>; rel=\"next\"").next == nil)
    #expect(try next("<https://social.example/api/v1/bookmarks?max_id=42>; rel=\"next\"").next == nil)
  }

  static let accesses: [(String, FeedAccess?)] = [
    (#""hashtag_feeds":{"local":"disabled","remote":"disabled"}"#, .off),
    (#""hashtag_feeds":{"local":"public","remote":"disabled"}"#, .localOnly),
    (#""hashtag_feeds":{"local":"disabled","remote":"authenticated"}"#, .remoteOnly),
    (#""hashtag_feeds":{"local":"public","remote":"public"}"#, nil), (#""hashtag_feeds":{"local":7}"#, nil),
    (#""hashtag_feeds":null"#, nil), (#""live_feeds":{"local":"disabled","remote":"disabled"}"#, nil),
  ]

  @Test("a server's description states whether the timelines of hashtags are switched off", arguments: accesses)
  func feedAccess(feeds: String, access: FeedAccess?) throws {
    let body = #"{"version":"4.5.2","configuration":{"timelines_access":{\#(feeds)}}}"#
    #expect(try Self.mastodon.feedAccess(from: Samples.respond(body))[.tag] == access)
  }

  static let unusable = [
    ("list:Twice", "The server has 2 lists “Twice”. Write list:006b0c or list:3."),
    ("list:Nobody", "There is no list “Nobody” on the server. It has “Friends”, “Twice”, “Twice”."),
    ("list:Evil", "There is no list “Evil” on the server. It has “Friends”, “Twice”, “Twice”."),
  ]

  @Test("a list that is missing or not unique is an error that names the lists", arguments: unusable)
  func noList(timeline: String, message: String) throws {
    #expect(throws: ProviderFailure.configuration(message)) {
      try Self.mastodon.reference(to: try name(timeline), from: Samples.respond(Self.lists))
    }
    #expect(throws: ProviderFailure.configuration("There is no list “X”: the user has no lists on the server.")) {
      try Self.mastodon.reference(to: try name("list:X"), from: Samples.respond("[]"))
    }
  }

  @Test("a user is looked up by name, and a name that the server does not know is an error")
  func userReference() throws {
    let user = try name("user:@kai@far.example")
    #expect(
      Self.mastodon.referenceRequest(for: user)?.url
        == "https://social.example/api/v1/accounts/lookup?acct=kai%40far.example")
    #expect(try Self.mastodon.reference(to: user, from: Samples.respond(MastodonSamples.kai)) == "22")
    #expect(throws: ProviderFailure.configuration("social.example knows no user @kai@far.example.")) {
      try Self.mastodon.reference(
        to: user,
        from: Samples.respond(
          #"{"error":"Record not found"}"#, status: 404, headers: ["content-type": "application/json"]))
    }
    #expect(throws: ProviderFailure.self) {
      try Self.mastodon.reference(to: user, from: Samples.respond(MastodonSamples.account("a/b", "kai", "Kai")))
    }
  }

  @Test("a list of the v1.1 API is found by its title, and other timelines need no reference")
  func twitterReference() throws {
    let list = try name("list:Friends")
    #expect(
      Samples.twitter.referenceRequest(for: list)?.url == "https://api.twitter.com/1.1/lists/list.json")
    let lists = #"[{"id":7,"id_str":"7000000000000000001","name":"Friends","slug":"friends"}]"#
    #expect(try Samples.twitter.reference(to: list, from: Samples.respond(lists)) == "7000000000000000001")
    for other in ["home", "mentions", "likes", "user:@mira_demo"] {
      #expect(Samples.twitter.referenceRequest(for: try name(other)) == nil)
    }
  }

  // MARK: Marked posts

  private func bookmarks(
    _ numbers: [Int], older: PageCursor? = nil, link: String? = nil, at time: Timestamp = Samples.now
  ) throws -> PageResponse.Fetched {
    try MastodonSamples.fetched(
      MastodonSamples.page(numbers), TimelineQuery(try name("bookmarks"), older: older, count: 40, time: time),
      link: link)
  }

  private func link(_ next: String, at address: String = "https://social.example/api/v1/bookmarks") -> String {
    #"<\#(address)?limit=40&max_id=\#(next)>; rel="next", <\#(address)?limit=40&min_id=99>; rel="prev""#
  }

  @Test("bookmarks keep the order of the marks, and continue where the server's link leads")
  func order() throws {
    let first = try bookmarks([3, 9, 5], link: link("8123"))
    #expect(first.page.entries.map(\.post.text) == ["t3", "t9", "t5"])
    let older = try #require(first.page.older)
    let request = Self.mastodon.pageRequest(for: TimelineQuery(try name("bookmarks"), older: older, count: 40))
    #expect(request.url == "https://social.example/api/v1/bookmarks?limit=40&max_id=8123")
    let second = try bookmarks([7, 1], older: older)
    #expect(second.page.older == nil)
    let keys = (first.page.entries + second.page.entries).map(\.key)
    #expect(keys == keys.sorted(by: >) && Set(keys).count == 5)
    // A later walk begins above everything that this one has found.
    let later = try bookmarks([4], at: Samples.now + .seconds(1))
    #expect(later.page.entries[0].key > keys[0])
  }

  @Test("a bookmark's position differs from its post's position among all posts")
  func positions() throws {
    let entry = try #require(try bookmarks([3]).page.entries.first)
    #expect(entry.postKey == (try MastodonSamples.Kind.mastodon.mark(3)).key && entry.key != entry.postKey)
    #expect(try MastodonSamples.fetched(MastodonSamples.page([3])).page.entries[0].postKey == entry.postKey)
  }

  static let ends = [
    #"<https://else.example/api/v1/bookmarks?max_id=5>; rel="next""#,
    #"<https://social.example/api/v1/favourites?max_id=5>; rel="next""#,
    #"<https://social.example/api/v1/bookmarks>; rel="next""#,
    #"<https://social.example/api/v1/bookmarks?max_id=%zz>; rel="next""#,
    #"<https://social.example/api/v1/bookmarks?max_id=8123>; rel="next""#,
  ]

  @Test("a link to another server or path, to no position, or to the same page ends the walk", arguments: ends)
  func end(link: String) throws {
    let older = try #require(try bookmarks([3], link: self.link("8123")).page.older)
    #expect(try bookmarks([2], older: older, link: link).page.older == nil)
  }

  @Test("an empty page ends the walk, even if it links to another one")
  func empty() throws { #expect(try bookmarks([], link: link("8123")).page.older == nil) }
}
