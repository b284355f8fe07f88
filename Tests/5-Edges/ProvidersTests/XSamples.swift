import Time
import Timeline

@testable import Providers

/// Responses from X's v2 API, modelled on real ones. As in real responses, the ids contain the time.
enum XSamples {

  static func fetched(_ body: String, _ query: TimelineQuery = TimelineQuery(count: 100)) throws -> PageResponse.Fetched
  {
    try Samples.fetched(body, query, by: Samples.x)
  }

  /// Returns the only post on a page with the given members, in addition to its id.
  static func post(_ members: String, includes: String = "") throws -> Post {
    let body =
      #"{"data":[{"id":"\#(id(0))","text":"t","created_at":"2026-11-20T15:59:58.000Z","author_id":"1"\#(members)}]"#
    let fetched = try fetched(body + (includes.isEmpty ? "}" : #","includes":{\#(includes)}}"#))
    guard fetched.page.entries.count == 1 else { throw Samples.NotAPage() }
    return fetched.page.entries[0].post
  }

  static let mira =
    #"{"id":"1","name":"Mira &amp; Co","username":"mira_demo","profile_image_url":"https://img.example/m.png"}"#
  static let kai = #"{"id":"2","name":"Kai","username":"kai_demo"}"#

  /// Returns the id of a post that was published the given number of seconds before the responses.
  static func id(_ secondsAgo: Int64) -> String {
    String(((Samples.now.milliseconds - secondsAgo * 1000) - 1_288_834_974_657) << 22)
  }

  static func mark(_ secondsAgo: Int64) -> PostPosition { Samples.mark(id(secondsAgo)) }

  /// Returns a page of plain posts.
  static func page(_ secondsAgo: [Int64], meta: String? = nil, errors: String? = nil) -> String {
    let posts = secondsAgo.map { #"{"id":"\#(id($0))","text":"t\#($0)","edit_history_tweet_ids":["\#(id($0))"]}"# }
    let meta = meta ?? #"{"result_count":\#(posts.count)}"#
    let data = posts.isEmpty ? "" : #""data":["# + posts.joined(separator: ",") + "],"
    return "{" + data + (errors.map { #""errors":\#($0),"# } ?? "") + #""meta":\#(meta)}"#
  }
}
