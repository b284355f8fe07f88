import Testing
import Time
import Timeline

@testable import Formats

@Suite struct FollowedTimelineTests {
  private func posts(_ ids: some Sequence<Int>) -> [Post] {
    ids.map { id in
      var post = Samples.small
      post.id = PostID("\(id)")
      return post
    }
  }

  private func shown(_ timeline: inout FollowedTimeline, _ ids: [Int], available: Int = .max) -> [Int] {
    timeline.newPosts(in: posts(ids)) { $0 < available }.map { ids[$0] }
  }

  @Test("`homeline show --follow` prints the newest posts in chronological order, and then each new post once")
  func news() {
    var timeline = FollowedTimeline(limit: 2)
    #expect(shown(&timeline, [5, 4, 3, 2]) == [4, 5])
    #expect(shown(&timeline, [5, 4, 3, 2]) == [])
    #expect(shown(&timeline, [8, 7, 6, 5, 4]) == [6, 7, 8])
    #expect(shown(&timeline, [9, 8, 7, 6]) == [9], "the timeline contains none of the first posts")
    #expect(shown(&timeline, [10, 9, 8]) == [10])
  }

  @Test("posts that fill a gap among new posts count as new, but posts found below them do not")
  func gaps() {
    var timeline = FollowedTimeline(limit: 10)
    #expect(shown(&timeline, [5, 4]) == [4, 5])
    #expect(shown(&timeline, [9, 8, 5, 4]) == [8, 9])
    #expect(shown(&timeline, [9, 8, 7, 6, 5, 4, 3, 2]) == [6, 7])
    #expect(shown(&timeline, [9, 8, 7, 6, 5, 4, 3, 2, 1]) == [])
  }

  @Test(
    "`homeline show --follow` waits for an empty timeline's first posts, and prints only the newest if there are many")
  func empty() {
    var timeline = FollowedTimeline(limit: 2)
    #expect(shown(&timeline, []) == [] && !timeline.hasBegun)
    #expect(shown(&timeline, [3, 2, 1]) == [2, 3])
    #expect(shown(&timeline, []) == [])
    #expect(shown(&timeline, [4, 3, 2, 1]) == [4])
  }

  @Test("a deleted post does not affect how other posts are printed")
  func deleted() {
    var timeline = FollowedTimeline(limit: 1)
    #expect(shown(&timeline, [5, 4, 3]) == [5])
    #expect(shown(&timeline, [6, 4, 3]) == [6])
    #expect(shown(&timeline, [7, 3]) == [7])
  }

  @Test("the first output of `homeline show --follow` is limited in size")
  func available() {
    var timeline = FollowedTimeline(limit: 10)
    #expect(shown(&timeline, [5, 4, 3], available: 1) == [5])
    #expect(shown(&timeline, [6, 5, 4, 3], available: 0) == [6])
  }

  @Test("even after a long time, `homeline show --follow` remembers every post in the file")
  func long() {
    var timeline = FollowedTimeline(limit: 1)
    _ = shown(&timeline, [0])
    for step in 1...60 {
      let ids = Array((1...(step * 1000)).suffix(2000).reversed())
      #expect(shown(&timeline, ids) == Array(((step - 1) * 1000 + 1)...(step * 1000)))
    }
  }

  @Test("each change to stale or back to fresh is reported only once")
  func staleness() {
    var news = StalenessChange()
    var head = TimelineHead(account: "bird", provider: "x", freshUntil: Samples.time)
    #expect(news.line(about: head, at: Samples.time) == nil)
    let late = Samples.time + .seconds(1)
    #expect(
      news.line(about: head, at: late)
        == "bird: these posts are old, an update has been overdue since 2026-11-20T16:00:00Z: is the service running?")
    #expect(news.line(about: head, at: late) == nil)
    head.freshUntil = late + .seconds(60)
    #expect(news.line(about: head, at: late) == "bird: up to date again")
    #expect(news.line(about: head, at: late) == nil)
  }

  @Test("a timeline file is read only as far as the requested posts")
  func limit() throws {
    let head = TimelineHead(account: "bird", provider: "x", readUpTo: PostID("3"), unread: 2)
    let bytes = TimelineFile.bytes(head: head, posts: posts([5, 4, 3, 2]).map { PostJSON.bytes($0) })
    let whole = try TimelineFile.read(bytes)
    for limit in 1...4 {
      let file = try TimelineFile.read(bytes, limit: limit)
      #expect(file.head == whole.head && file.posts == Array(whole.posts.prefix(limit)))
    }
    let third = try #require(String(decoding: bytes, as: UTF8.self).firstRange(of: #"{"id":"3""#))
    let beginning = Array(String(decoding: bytes, as: UTF8.self)[..<third.lowerBound].utf8)
    #expect(try TimelineFile.read(beginning + Array("spoilt".utf8), limit: 2).posts == Array(whole.posts.prefix(2)))
    #expect(throws: PublishedFormatError.self) { try TimelineFile.read(beginning, limit: 3) }
    for length in 0..<beginning.count - 3 {
      #expect(throws: PublishedFormatError.self) { try TimelineFile.read(Array(bytes[..<length]), limit: 2) }
    }
  }

  @Test("a head that comes after the posts in a file is read, regardless of the limit")
  func order() throws {
    let post = String(decoding: PostJSON.bytes(Samples.small), as: UTF8.self)
    let text = #"{"posts":[\#(post),\#(post)],"schema":1,"account":"bird","provider":"x"}"#
    #expect(try TimelineFile.read(Array(text.utf8), limit: 1).head.account == "bird")
  }

  @Test("among several accounts' posts, each post shows its account and is otherwise unchanged")
  func account() throws {
    let json = PostJSON.bytes(Samples.full)
    #expect(PostJSON.origin(of: json) == PostJSON.Origin())
    let named = PostJSON.bytes(json, account: "bird")
    #expect(PostJSON.origin(of: named).account == "bird")
    #expect(PostJSON.origin(of: Array(#"{"account":7,"unread":true}"#.utf8)) == PostJSON.Origin(isUnread: true))
    #expect(try PostJSON.read(named) == PostJSON.read(json))
    #expect(String(decoding: named, as: UTF8.self).hasSuffix(#","account":"bird"}"#))
  }
}
