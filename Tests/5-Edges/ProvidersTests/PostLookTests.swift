import Bytes
import HTTP
import HTTPClient
import HomelineOAuth
import Posting
import Testing
import Timeline

@testable import Providers

/// What is read from a post before an action.
@Suite struct PostLookTests {
  private let mastodon = MastodonSamples.mastodon
  private let twitter = try! Twitter(
    at: ProviderLocation(
      .oauth1, at: RequestURL("https://gnu.example"),
      endpoints: [.homeTimeline: RequestURL("https://gnu.example/api/statuses/home_timeline.json")]))!

  private func seen(
    _ body: String, at id: String, by provider: (any PostingProvider)? = nil
  ) throws -> SeenPost {
    guard case .seen(let post) = (provider ?? mastodon).look(from: Samples.respond(body), at: id) else {
      throw Samples.NotAPage()
    }
    return post
  }

  @Test("the server's own states decide whether a repost, a like or a bookmark would change anything")
  func states() throws {
    let post = try seen(
      #"{"id":"01M8BSAMP0E0000000000000AB","reblogged":true,"favourited":false,"bookmarked":null,"content":"<p>Good morning.</p>","account":{"id":"2","username":"kim","acct":"kim"}}"#,
      at: "01M8BSAMP0E0000000000000AB")
    func isDone(_ kind: PostAction.Kind, _ isUndone: Bool = false) throws -> Bool? {
      post.isDone(try #require(PostAction(kind, isUndone: isUndone)))
    }
    #expect(try isDone(.repost) == true && isDone(.repost, true) == false)
    #expect(try isDone(.like) == false && isDone(.like, true) == true)
    #expect(try isDone(.bookmark) == nil && isDone(.delete) == nil)
    #expect(post.identity == SeenPost.Identity(id: "01M8BSAMP0E0000000000000AB", authorID: "2", authorName: "kim"))
  }

  @Test("an action on a repost concerns the original, except its deletion")
  func repost() throws {
    let post = try seen(
      #"{"id":"9","reblogged":false,"account":{"id":"1","acct":"robin"},"reblog":{"id":"7","reblogged":true,"account":{"id":"2","acct":"kim"}}}"#,
      at: "9")
    #expect(post.isDone(PostAction(.repost)!) == true)
    func path(_ kind: PostAction.Kind, _ isUndone: Bool = false) -> String? {
      PostAction(kind, isUndone: isUndone).flatMap { mastodon.actionRequest($0, on: post, by: "1")?.address.path }
    }
    #expect(path(.repost, true) == "/api/v1/statuses/7/unreblog" && path(.like) == "/api/v1/statuses/7/favourite")
    #expect(path(.delete) == "/api/v1/statuses/9")
  }

  @Test("snac's response for a boost with an upper-case id names the same post in lower case")
  func snac() throws {
    let id = "1795694395a1b7c4d2e8f09b3c5d6e7f8091a2b3c4"
    let body = #"{"id":"\#(id)","account":{"id":"2","acct":"kim"},"reblog":null,"reblogged":false}"#
    #expect(try seen(body, at: id.uppercased()).identity.id == id)
    #expect(mastodon.presence(of: PostID(id.uppercased()), from: Samples.respond(body)) == .present)
    // An edit changes the time in the id.
    #expect(mastodon.presence(of: PostID("1795694301" + id.dropFirst(10)), from: Samples.respond(body)) == .present)
    let other = "1795694395b" + id.dropFirst(11)
    #expect(mastodon.presence(of: PostID(other), from: Samples.respond(body)) == .unknown)
    let page = Samples.respond("<h1>404 Not Found (snac/2.94)</h1>", status: 404)
    #expect(mastodon.look(from: page, at: id) == .gone)
  }

  @Test("ids of other servers are compared letter by letter")
  func letters() {
    for id in ["AoKxTzKfWB0a1Xq9Tz", "01M8BSAMP0E0000000000000AB"] {
      let body = #"{"id":"\#(id.lowercased())","account":{"id":"2"}}"#
      #expect(mastodon.look(from: Samples.respond(body), at: id) == .unclear)
    }
  }

  @Test("Twitter and GNU social name the states differently, and GNU social undoes a repost by the repost's id")
  func twitterStates() throws {
    #expect(twitter.lookRequest(at: "7")?.address.path == "/api/statuses/show/7.json")
    let own = try seen(
      #"{"id_str":"7","retweeted":true,"favorited":false,"user":{"id_str":"2","screen_name":"kim"}}"#, at: "7",
      by: twitter)
    #expect(own.states == [.repost: true, .like: false] && own.identity.authorID == "2")
    let undo = try #require(PostAction(.repost, isUndone: true))
    #expect(twitter.actionRequest(undo, on: own, by: "1")?.address.path == "/api/statuses/unretweet/7.json")
    let gnu = try seen(
      #"{"id":7,"repeated":true,"repeated_id":12,"favorited":true,"user":{"id":2,"screen_name":"kim"}}"#, at: "7",
      by: twitter)
    #expect(gnu.states == [.repost: true, .like: true])
    #expect(twitter.actionRequest(undo, on: gnu, by: "1")?.address.path == "/api/statuses/destroy/12.json")
    for (body, status, look) in [
      (#"{"error":"No such notice."}"#, 404, PostLook.gone), (#"{"error":"No such notice."}"#, 200, .unclear),
      ("<html>", 404, .unclear), (#"{"id":8,"user":{"id":2}}"#, 200, .unclear),
    ] {
      #expect(twitter.look(from: Samples.respond(body, status: status), at: "7") == look, "\(body)")
    }
  }

  @Test("a refusal of an action is reported with the server's message, without advice on keys and endpoints")
  func statements() {
    func statement(_ body: String, _ status: Int) -> String? {
      twitter.statement(in: Samples.respond(body, status: status))
    }
    #expect(
      statement(#"{"error":"Already repeated that notice.","request":"/api/statuses/retweet/7.json"}"#, 400)
        == "The provider says: “Already repeated that notice.”.")
    #expect(statement(#"{"error":"You cannot repeat your own notice."}"#, 403)?.contains("your own notice") == true)
    // GNU social also sends errors with status 200.
    #expect(statement(#"{"error":"This status is already a favorite."}"#, 200)?.contains("already a favorite") == true)
    #expect(statement(#"{"id":7}"#, 200) == nil)
    // These have their own advice.
    #expect(statement(#"{"errors":[{"code":261,"message":"Application cannot perform write actions."}]}"#, 403) == nil)
    #expect(statement(#"{"error":"Could not authenticate you."}"#, 401) == nil)
    #expect(statement("<html>Forbidden</html>", 403) == nil)
  }
}
