/// Someone who writes in the sandbox, and what they have to say.
struct Author: Sendable {
  let id: Int64
  let screenName: String
  let name: String
  let location: String
  let description: String
  /// A BCP 47 tag.
  let language: String
  /// What `{x}` in the texts below stands for.
  var things: [String] = []
  /// Texts of a line or two; `{n}` stands for 3 to 9, `{m}` for 10 to 59, `{link}` for a link.
  var notes: [String] = []
  /// What they say to or about another's post.
  var answers: [String] = []
  /// Texts that are cut when somebody passes them on.
  var essays: [String] = []
  /// What is to be seen on their pictures.
  var pictures: [String] = []

  /// The user of the sandbox, who reads and does not write.
  static let mira = Author(
    id: 14_000_001, screenName: "mira_demo", name: "Mira Demo", location: "127.0.0.1",
    description: "Reads more than she writes.", language: "en")
}

extension Author {
  /// Everyone who writes.
  static let writers: [Author] = west + east
  /// Those with texts that are long enough to be passed on and cut.
  static let essayists: [Author] = writers.filter { !$0.essays.isEmpty }

  /// Who is meant by an `@name` in a text.
  static func named(_ screenName: some StringProtocol) -> Author? {
    screenName == mira.screenName ? mira : writers.first { $0.screenName == screenName }
  }
}
