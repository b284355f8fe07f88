import HTTPClient
import Testing
import Time
import Timeline

@testable import Providers

@Suite("Notifications of Mastodon's API") struct MastodonNoticeTests {
  private static let mastodon = MastodonSamples.mastodon
  private static let notifications = try! TimelineName("notifications")
  private static let mentions = try! TimelineName("mentions")

  /// Returns a notification from Kai.
  private func notification(
    _ type: String, id: String = "9", seconds: Int = 60, status: String? = nil, _ more: String = ""
  ) -> String {
    let time = Timestamp(seconds: Samples.time.seconds + Int64(seconds)).rfc3339.dropLast() + ".123Z"
    return
      #"{"id":"\#(id)","type":"\#(type)","created_at":"\#(time)","account":\#(MastodonSamples.kai)"#
      + (status.map { #","status":\#($0)"# } ?? "") + (more.isEmpty ? "" : ",") + more + "}"
  }

  private func fetched(
    _ elements: [String], _ timeline: TimelineName = notifications, since: PostPosition? = nil, older: String? = nil,
    filters: FilterScope? = nil, link: String? = nil
  ) throws -> PageResponse.Fetched {
    try MastodonSamples.fetched(
      "[\(elements.joined(separator: ","))]",
      TimelineQuery(
        timeline, older: older.map { PageCursor($0) }, since: since, count: 40, filters: filters), link: link)
  }

  private func notice(_ element: String) throws -> Notice {
    try #require(try fetched([element]).page.entries.first?.post.notice)
  }

  // MARK: Requests

  @Test("notifications are paged by their own ids, and name the types that homeline can describe")
  func request() throws {
    let query = TimelineQuery(Self.notifications, since: Samples.mark("5"), count: 100)
    let url = Self.mastodon.pageRequest(for: query).url
    #expect(
      url.hasPrefix("https://social.example/api/v1/notifications?limit=40&min_id=5&supported_types%5B%5D=mention&"))
    for kind in Notice.Kind.allCases { #expect(url.contains("supported_types%5B%5D=\(kind.rawValue)")) }
    let traits = try #require(Self.mastodon.traits(of: Self.notifications))
    #expect(traits.order == .byID && traits.pageSize == 40 && traits.overlap > .zero)
  }

  @Test("mentions are the notifications of this type")
  func mentionsRequest() throws {
    let query = TimelineQuery(Self.mentions, older: PageCursor("9"), since: Samples.mark("5"), count: 7)
    #expect(
      Self.mastodon.pageRequest(for: query).url
        == "https://social.example/api/v1/notifications?limit=7&max_id=9&since_id=5&types%5B%5D=mention")
    #expect(Self.mastodon.traits(of: Self.mentions)?.order == .byID)
  }

  // MARK: Events and posts

  @Test("a like is the liked post, at the place and the time of the notification")
  func like() throws {
    let status = MastodonSamples.status(id: "100")
    let entry = try #require(
      try fetched([notification("favourite", status: status, #""group_key":"favourite-100-5""#)]).page.entries.first)
    #expect(entry.mark == Samples.mark("9") && entry.postKey == Samples.mark("100").key)
    #expect(entry.post.id == PostID("100") && entry.post.text == "t" && entry.post.createdAt == Samples.time)
    #expect(
      entry.post.notice
        == Notice(
          id: PostID("9"), kind: "favourite",
          actors: [
            User(id: "22", screenName: "kai@far.example", name: "Kai", avatarURL: "https://img.example/22.png")
          ], group: "favourite-100-5", at: Samples.time + .seconds(60)))
    #expect(String(decoding: entry.source, as: UTF8.self) == status, "the source is the post's")
    #expect(entry.post.withoutNotice == (try MastodonSamples.post(#""content":"<p>t</p>""#)))
  }

  @Test("every kind is kept by the server's word, with a post or without one", arguments: Notice.Kind.allCases)
  func kinds(kind: Notice.Kind) throws {
    let with = try fetched([notification(kind.rawValue, status: MastodonSamples.status())])
    #expect(with.skipped == 0 && with.page.entries[0].post.notice?.knownKind == kind)
    for status in [nil, "null", "7", "[]"] {
      let without = try #require(try fetched([notification(kind.rawValue, status: status)]).page.entries.first).post
      #expect(without.isEventOnly && without.notice?.knownKind == kind)
      #expect(without.id == PostID("9") && without.author.screenName == "kai@far.example")
    }
  }

  @Test("an unknown kind is kept with the text that the server gives for it, without markup")
  func unknownKind() throws {
    let wave = try notice(
      notification(
        "sandbox.wave",
        #""fallback":{"title":"Kai &amp; co. <b>waved</b>","summary":"<p>Your app…</p>","details":null}"#))
    #expect(wave.kind == "sandbox.wave" && wave.knownKind == nil && wave.text == "Kai & co. waved\nYour app…")
    #expect(try notice(notification("x", #""fallback":{"title":7,"summary":""}"#)).text == nil)
    #expect(try notice(notification("pleroma:emoji_reaction", #""emoji":"☕""#)).text == "☕")
  }

  @Test("the details of rare events become their text")
  func details() throws {
    let severed = notification(
      "severed_relationships", #""event":{"id":"1","type":"domain_block","target_name":"gone.example"}"#)
    #expect(try notice(severed).text == "gone.example")
    let warning = notification("moderation_warning", #""moderation_warning":{"id":"1","text":"Stop this."}"#)
    #expect(try notice(warning).text == "Stop this.")
  }

  @Test("a notification that the server groups with no other has no group")
  func ungrouped() throws {
    #expect(try notice(notification("follow", #""group_key":"ungrouped-9""#)).group == nil)
    #expect(try notice(notification("follow", #""group_key":"follow-495""#)).group == "follow-495")
    #expect(try notice(notification("follow", #""group_key":7"#)).group == nil)
  }

  @Test("likes of one post are several entries of one post")
  func several() throws {
    let status = MastodonSamples.status(id: "100")
    let entries = try fetched([
      notification("favourite", id: "10", status: status), notification("reblog", id: "9", status: status),
    ]).page.entries
    #expect(entries.map(\.mark.id.text) == ["10", "9"])
    #expect(Set(entries.map(\.post.id)) == [PostID("100")] && Set(entries.map(\.postKey)).count == 1)
  }

  @Test("an event whose post has lost its content, or cannot be read, is kept without it")
  func lostPost() throws {
    for status in [MastodonSamples.status(#""content":"""#), #"{"id":"100","content":"<p>t</p>"}"#] {
      let fetched = try fetched([notification("favourite", status: status)])
      #expect(fetched.skipped == 0 && fetched.page.entries[0].post.isEventOnly)
    }
  }

  // MARK: Filters

  @Test("the user's filters for notifications apply to the posts of notifications")
  func filters() throws {
    func post(_ context: String) throws -> Post {
      let status = MastodonSamples.status(
        #""content":"<p>t</p>","filtered":[{"filter":{"title":"F","context":["\#(context)"],"filter_action":"hide"}}]"#)
      return try #require(
        try fetched(
          [notification("mention", status: status)], filters: FilterScope(.notifications, at: Samples.time)
        ).page.entries.first
      ).post
    }
    #expect(try post("notifications").isHidden && !post("home").isHidden)
  }

  // MARK: Bad input

  @Test("a notification without an id, a type or a time is skipped and counted")
  func unreadable() throws {
    let good = notification("follow")
    let bad = [
      good.replacing(#""id":"9""#, with: #""id":null"#), good.replacing(#""type":"follow""#, with: #""type":"""#),
      good.replacing(#""created_at":"2"#, with: #""created_at":"never 2"#), "7", "null",
    ]
    for element in bad {
      let fetched = try fetched([notification("follow", id: "11"), element])
      #expect(fetched.page.entries.count == 1 && fetched.skipped == 1, "\(element)")
    }
    #expect(throws: ProviderFailure.unreadable("None of the 5 notifications in the response could be read.")) {
      try fetched(bad)
    }
  }

  @Test("members of the wrong type count as missing")
  func wrongTypes() throws {
    let element = #"{"id":9,"type":"follow","created_at":"2026-11-20T16:00:00Z","account":7,"fallback":[],"event":"x"}"#
    let notice = try notice(element)
    #expect(notice.id == PostID("9") && notice.actors.isEmpty && notice.text == nil)
  }

  // MARK: Paging

  @Test("an upward page joins the mark, and an older one continues below the oldest notification")
  func paging() throws {
    let page = [notification("follow", id: "12"), notification("follow", id: "11")]
    let link = #"<https://social.example/api/v1/notifications?min_id=12>; rel="prev""#
    let upward = try fetched(page, since: Samples.mark("9"), link: link)
    #expect(upward.page.reaches == Samples.mark("9") && upward.page.stretch == Samples.mark("11")...Samples.mark("12"))
    let downward = try fetched(page, older: "13")
    #expect(downward.page.older == PageCursor("11"))
    #expect(try fetched(page, older: "11").page.entries.isEmpty, "a server that ignores max_id ends the walk")
  }

  @Test("notifications of GoToSocial and snac are ordered by their ids, and unordered ids by their times")
  func forms() throws {
    for ids in [
      ["01KAF3T8C7M2Q0N60000000002", "01KAF3T8C7M2Q0N60000000001"], ["1763654400000002", "1763654400000001"],
    ] {
      let entries = try fetched(ids.reversed().map { notification("follow", id: $0) }).page.entries
      #expect(entries.map(\.mark.id.text) == ids)
    }
    let entries = try fetched([
      notification("follow", id: "zzz", seconds: 2), notification("follow", id: "b", seconds: 1),
      notification("follow", id: "a", seconds: 1),
    ]).page.entries
    #expect(entries.map(\.mark.id.text) == ["zzz", "b", "a"], "those of the same time keep the order of the response")
  }

  @Test("a server that ignores the type of notifications adds nothing to the mentions")
  func onlyMentions() throws {
    let status = MastodonSamples.status(id: "100")
    let fetched = try fetched(
      [
        notification("favourite", id: "12", status: status), notification("mention", id: "11", status: status),
        notification("follow", id: "10"),
      ], Self.mentions)
    #expect(fetched.page.entries.map(\.mark.id.text) == ["11"] && fetched.skipped == 0)
    #expect(fetched.page.entries[0].post.notice?.knownKind == .mention)
    #expect(fetched.page.stretch == Samples.mark("10")...Samples.mark("12"), "the range between them has no mentions")
    #expect(fetched.page.older == PageCursor("10"))
  }
}
