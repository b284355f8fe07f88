/// A fictional author, with the text of their posts.
struct Author: Sendable {
  let id: Int64
  let screenName: String
  let name: String
  let location: String
  let description: String
  /// The author's language as a BCP 47 tag.
  let language: String
  /// The values of `{x}` in the texts below.
  var things: [String] = []
  /// Texts of a line or two; `{n}` is a number from 3 to 9, `{m}` from 10 to 59, `{link}` a link.
  var notes: [String] = []
  /// Texts of replies and quotes.
  var responses: [String] = []
  /// Texts that are too long for a repost and are truncated there.
  var essays: [String] = []
  /// Descriptions of their pictures.
  var pictures: [String] = []

  /// The user who logs in. The generated timeline contains no posts by her, and no replies to her.
  static let mira = Author(
    id: 14_000_001, screenName: "mira_demo", name: "Mira Demo", location: "127.0.0.1",
    description: "Reads more than she writes.", language: "en",
    things: ["the tram", "the second coffee", "a borrowed umbrella", "an old atlas"],
    notes: [
      "Found {x}. Lost {n} minutes.", "Reading about {x}: {link}", "{x} & {m} pages. A good day. #books",
      "Does anybody else talk to {x}?",
    ])
}
