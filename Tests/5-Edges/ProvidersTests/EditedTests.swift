import Testing
import Time
import Timeline

@testable import Providers

/// The time of a post's last change as the post's provider reports it.
@Suite struct EditedTests {
  @Test("a Mastodon post has the time of its last edit, and a boost that of the boosted post")
  func mastodon() throws {
    let edited = #""content":"b","edited_at":"2026-11-20T16:10:00.500Z""#
    let time = Timestamp(rfc3339: "2026-11-20T16:10:00Z")
    #expect(try MastodonSamples.post(edited).editedAt == time)
    let original = MastodonSamples.status(edited, id: "7")
    #expect(try MastodonSamples.post(#""reblog":\#(original)"#).editedAt == time)
    let boost = #""edited_at":"2020-01-01T00:00:00Z","reblog":\#(MastodonSamples.status(id: "7"))"#
    #expect(try MastodonSamples.post(boost).editedAt == nil)
  }

  @Test(
    "an invalid edit time is ignored", arguments: ["null", #""""#, #""yesterday""#, "5", "[]", #""9999-99-99""#])
  func odd(time: String) throws {
    #expect(try MastodonSamples.post(#""content":"b","edited_at":\#(time)"#).editedAt == nil)
  }

  @Test("the edit time of an edited X post is derived from its own id")
  func x() throws {
    let (first, second) = (XSamples.id(900), XSamples.id(0))
    let history = #","edit_history_tweet_ids":["\#(first)","\#(second)"]"#
    #expect(try XSamples.post(history).editedAt == Samples.now)
    #expect(try XSamples.post(#","edit_history_post_ids":["\#(second)"]"#).editedAt == nil)
    let shown = XSamples.id(-60)
    let later = #","edit_history_tweet_ids":["\#(second)","\#(shown)"]"#
    #expect(try XSamples.post(later).editedAt == nil, "the first version is shown")
  }
}
