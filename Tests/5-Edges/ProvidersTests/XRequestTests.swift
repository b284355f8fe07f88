import Bytes
import HTTP
import HTTPClient
import HomelineOAuth
import Testing
import Timeline

@testable import Providers

@Suite struct XRequestTests {
  private func parameters(_ query: TimelineQuery, by provider: any Provider = Samples.x) throws -> [String: String] {
    let list = try FormEncoding.decode(provider.pageRequest(for: query).address.query ?? "")
    return Dictionary(uniqueKeysWithValues: list.map { (String(decoding: $0.name, as: UTF8.self), $0.valueText ?? "") })
  }

  @Test("a page request contains the user's timeline and all fields of a full post")
  func firstPage() throws {
    let request = Samples.x.pageRequest(for: TimelineQuery(userID: "14000001", count: 50))
    #expect(request.method == .get && request.headers.fields.isEmpty)
    #expect(request.address.baseStringURI == "https://api.x.com/2/users/14000001/timelines/reverse_chronological")
    #expect(
      try parameters(TimelineQuery(userID: "14000001", count: 50)) == [
        "max_results": "50",
        "tweet.fields": "created_at,author_id,referenced_tweets,entities,attachments,public_metrics,lang,note_tweet",
        "expansions": "author_id,referenced_tweets.id,referenced_tweets.id.author_id,attachments.media_keys",
        "user.fields": "username,name,profile_image_url",
        "media.fields": "url,preview_image_url,type,alt_text,variants",
      ])
  }

  @Test(
    "max_results is always sent and within X's range",
    arguments: [(-1, "1"), (0, "1"), (7, "7"), (999, "100")])
  func count(count: Int, sent: String) throws {
    #expect(try parameters(TimelineQuery(count: count))["max_results"] == sent)
  }

  @Test("a page is bounded below by the known post and above by the previous page")
  func bounds() throws {
    let query = TimelineQuery(older: PageCursor("200"), since: Samples.mark("100"), count: 9)
    let sent = try parameters(query)
    #expect(sent["since_id"] == "100" && sent["until_id"] == "200" && sent["pagination_token"] == nil)
  }

  @Test(
    "since_id is omitted unless it is less than until_id, because X would refuse it",
    arguments: ["200", "201", "1000"])
  func sinceNotBelowUntil(since: String) throws {
    let sent = try parameters(TimelineQuery(older: PageCursor("200"), since: Samples.mark(since), count: 9))
    #expect(sent["since_id"] == nil && sent["until_id"] == "200")
  }

  @Test("a custom endpoint may contain a query, and the user's id anywhere")
  func ownAddress() throws {
    func address(_ text: String, _ id: String?) throws -> String {
      let provider = try #require(try Samples.named("x", overriding: [.homeTimeline: RequestURL(text)]))
      return provider.pageRequest(for: TimelineQuery(userID: id, count: 9)).url
    }
    #expect(try address("http://127.0.0.1:1/u/{id}/h", "7").hasPrefix("http://127.0.0.1:1/u/7/h?max_results=9&"))
    #expect(
      try address("http://127.0.0.1:1/u/%7Bid%7D?a=b", "7").hasPrefix("http://127.0.0.1:1/u/7?a=b&max_results=9&"))
    #expect(try address("http://127.0.0.1:1/home", "7").hasPrefix("http://127.0.0.1:1/home?max_results=9&"))
    #expect(try address("http://127.0.0.1:1/u/{id}", "7/../8?x").hasPrefix("http://127.0.0.1:1/u/7%2F..%2F8%3Fx?max"))
  }

  @Test("the request for the user lists the fields to show")
  func user() throws {
    #expect(
      Samples.x.userRequest()?.url
        == "https://api.x.com/2/users/me?user.fields=username%2Cname%2Cprofile_image_url")
  }

  @Test("a token is revoked at the server that issued it")
  func revocation() throws {
    #expect(Samples.x.revocationRequest()?.url == "https://api.x.com/1.1/oauth/invalidate_token")
    let elsewhere = try RequestURL("http://127.0.0.1:1/oauth/access_token")
    #expect(try Samples.named("x", overriding: [.accessToken: elsewhere])?.revocationRequest() == nil)
  }
}
