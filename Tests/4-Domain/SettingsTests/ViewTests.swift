import Testing
import Timeline

@testable import Settings

/// The settings of views, which select accounts, posts and published formats.
@Suite struct ViewTests {
  private static let accounts = """
    "bird":{"provider":"sandbox"},"off":{"provider":"sandbox","enabled":false},"cat":{"provider":"sandbox"},\
    "mail":{"provider":"oauth2","issuer":"https://a.example","client_id":"i"}
    """

  private func read(_ views: String, top: String = "", accounts: String = accounts) throws(SettingsError)
    -> [ViewSettings]
  {
    try Configuration(reading: Array(#"{"accounts":{\#(accounts)},\#(top)"views":\#(views)}"#.utf8)).views
  }

  private func problems(_ views: String, accounts: String = accounts) -> [String] {
    do throws(SettingsError) {
      _ = try read(views, accounts: accounts)
      return []
    } catch { return error.problems.map { "\($0.path): \($0.what)" } }
  }

  @Test("by default, a view shows all posts from the enabled accounts with a timeline")
  func defaults() throws {
    let view = try #require(try read(#"{"v":{}}"#).first)
    #expect(view.name.text == "v" && view.timelines.map(\.description) == ["bird", "cat"])
    #expect(view.publish == [] && view.keepPosts == 200 && view.filter == PostFilter() && view.foldsCrossPosts)
    #expect(try read("{}") == [])
  }

  @Test("a view's own values take effect")
  func own() throws {
    let view = try #require(
      try read(
        """
        {"bird":{"accounts":["off","bird"],"publish":["html","txt"],"posts":10000,"authors":["@Jack","a@b.example"],
          "words":["full moon","天気"],"languages":["en","zh-Hant-TW"],"media_only":true,"replies":false,"reposts":false,
          "mute":{"authors":["spam"],"words":["x"]},"fold_cross_posts":false}}
        """
      ).first)
    // A view may have the same name as an account, because their folders are separate.
    #expect(view.name.text == "bird" && view.timelines.map(\.description) == ["off", "bird"])
    #expect(view.publish == [.html, .text] && view.keepPosts == 10_000 && !view.foldsCrossPosts)
    #expect(
      view.filter
        == PostFilter(
          authors: ["@Jack", "a@b.example"], words: ["full moon", "天気"], languages: ["en", "zh-Hant-TW"],
          isMediaOnly: true, includesReplies: false, includesReposts: false, mutedAuthors: ["spam"], mutedWords: ["x"]))
  }

  @Test("views keep their order in the file, and the top-level publish setting applies unless a view overrides it")
  func order() throws {
    let views = try read(#"{"z":{},"a":{"publish":[]}}"#, top: #""publish":["atom"],"#)
    #expect(views.map(\.name.text) == ["z", "a"] && views.map(\.publish) == [[.atom], []])
  }

  @Test(
    "an unsuitable account is reported at its position in the view",
    arguments: [
      (#"["brid"]"#, #"[0]: there is no account "brid"; did you mean bird?"#),
      (#"["bird","mail"]"#, "[1]: the provider oauth2 of the account mail has no timeline"),
      (#"["bird","bird"]"#, #"[1]: "bird" is in the list more than once"#),
      ("[]", #": expected a list of accounts: ["name", …], found an empty one"#),
      (#""bird""#, #": expected a list of accounts: ["name", …], found a string"#),
      ("[1]", "[0]: expected a string, found a number"),
    ])
  func accounts(list: String, what: String) {
    #expect(problems(#"{"v":{"accounts":\#(list)}}"#) == ["views.v.accounts\(what)"])
  }

  // MARK: Timelines

  private static let friends = """
    "me":{"provider":"mastodon","server":"social.example","timelines":{"list:Friends":{},"tag:Swift":{},"bookmarks":{}}},\
    "bird":{"provider":"sandbox"}
    """

  @Test("a view shows the timelines that it names; an account alone is its home timeline")
  func timelines() throws {
    let view = try #require(
      try read(
        #"{"v":{"accounts":["me/list:Friends","bird","me","me/bookmarks","me/tag:swift"]},"w":{}}"#,
        accounts: Self.friends
      ).first)
    #expect(view.timelines.map(\.description) == ["me/list:Friends", "bird", "me", "me/bookmarks", "me/tag:Swift"])
    let home = try #require(try read(#"{"v":{"accounts":["me/home"]}}"#, accounts: Self.friends).first)
    #expect(home.timelines == [.home(of: try #require(AccountName("me")))])
  }

  @Test("a view that names no timelines shows only home timelines")
  func homeOnly() throws {
    let view = try #require(try read(#"{"v":{}}"#, accounts: Self.friends).first)
    #expect(view.timelines.map(\.description) == ["me", "bird"])
  }

  @Test(
    "a timeline that the account does not fetch is reported with the nearest one",
    arguments: [
      (
        #"["me/list:Frends"]"#,
        #"[0]: the account me does not fetch the timeline "list:Frends"; did you mean me/list:Friends? "#
          + "(its timelines: home, list:Friends, tag:Swift, bookmarks)"
      ),
      (
        #"["me/likes"]"#,
        #"[0]: the account me does not fetch the timeline "likes" (its timelines: home, list:Friends, tag:Swift, bookmarks)"#
      ),
      (
        #"["bird","bird/mentions"]"#,
        #"[1]: the account bird does not fetch the timeline "mentions" (its timelines: home)"#
      ),
      (
        #"["me/lst:Friends"]"#,
        #"[0]: "lst:Friends" is not a timeline of the account me; did you mean me/list:Friends?"#
      ),
      (
        #"["me/"]"#,
        #"[0]: "" is not a timeline of the account me: the name of a timeline is empty; write for example home"#
      ),
      (#"["brd/likes"]"#, #"[0]: there is no account "brd"; did you mean bird?"#),
      (#"["me","me/home"]"#, "[1]: me is in the list under another name too"),
      (#"["me/tag:Swift","me/tag:swift"]"#, "[1]: me/tag:Swift is in the list under another name too"),
    ])
  func unknownTimelines(list: String, what: String) {
    #expect(problems(#"{"v":{"accounts":\#(list)}}"#, accounts: Self.friends) == ["views.v.accounts\(what)"])
  }

  @Test("a view that lists no accounts is empty as long as no enabled account has a timeline")
  func none() {
    let off = #""off":{"provider":"sandbox","enabled":false}"#
    #expect(problems(#"{"v":{}}"#, accounts: off) == [])
    #expect(problems(#"{"v":{"accounts":["off"]}}"#, accounts: off) == [])
  }

  @Test("a problem with an account is not repeated for the views that contain it")
  func broken() {
    let accounts = #""bird":{"provider":"twiter"}"#
    for views in [#"{"v":{}}"#, #"{"v":{"accounts":["bird"]}}"#] {
      #expect(problems(views, accounts: accounts).map { $0.prefix(22) } == ["accounts.bird.provider"])
    }
  }

  @Test(
    "a filter that would hide everything or nothing is refused",
    arguments: [
      (#""words":[""]"#, "words[0]: is empty: it would match every post"),
      (#""words":["a"," \n"]"#, "words[1]: is empty: it would match every post"),
      (#""words":["a "]"#, "words[0]: begins or ends with white space, which would never match"),
      (#""authors":[""]"#, "authors[0]: is empty: enter a screen name"),
      (#""authors":["@"]"#, "authors[0]: is empty: enter a screen name"),
      (#""authors":["Mia Wu"]"#, "authors[0]: a screen name must not contain white space"),
      (#""authors":"jack""#, #"authors: expected a list of screen names: ["…", …], found a string"#),
      (
        #""languages":["english language"]"#,
        #"languages[0]: expected a language tag such as en or pt-BR, found "english language""#
      ),
      (#""languages":[""]"#, #"languages[0]: expected a language tag such as en or pt-BR, found """#),
      (#""languages":["pt_BR"]"#, #"languages[0]: expected a language tag such as en or pt-BR, found "pt_BR""#),
      (#""mute":{"words":[""]}"#, "mute.words[0]: is empty: it would match every post"),
      (#""mute":{"authors":["@"]}"#, "mute.authors[0]: is empty: enter a screen name"),
      (#""mute":{"word":[]}"#, "mute.word: unknown key; did you mean words?"),
      (#""mute":[]"#, "mute: expected an object, found an array"),
      (#""posts":0"#, "posts: expected a whole number from 1 to 10000, found 0"),
      (#""posts":10001"#, "posts: expected a whole number from 1 to 10000, found 10001"),
      (#""replies":"no""#, "replies: expected true or false, found a string"),
      (#""repost":true"#, "repost: unknown key; did you mean reposts?"),
      (#""publish":["json"]"#, "publish[0]: home_timeline.json is always published: remove it"),
    ])
  func members(member: String, what: String) { #expect(problems(#"{"v":{\#(member)}}"#) == ["views.v.\(what)"]) }

  @Test("the lists of a view, and the strings in them, are limited in length")
  func limits() {
    func list(_ count: Int) -> String { "[" + (0..<count).map { "\"w\($0)\"" }.joined(separator: ",") + "]" }
    #expect(problems(#"{"v":{"words":\#(list(1000))}}"#) == [])
    #expect(
      problems(#"{"v":{"words":\#(list(1001))}}"#) == ["views.v.words: has 1001 elements; at most 1000 are allowed"])
    let long = String(repeating: "é", count: 201)
    #expect(problems(#"{"v":{"words":["\#(long.dropLast())"]}}"#) == [])
    #expect(problems(#"{"v":{"words":["\#(long)"]}}"#) == ["views.v.words[0]: is longer than 200 characters"])
    #expect(problems(#"{"v":{"authors":["\#(long)"]}}"#) == ["views.v.authors[0]: is longer than 200 characters"])
    let views = (0..<101).map { "\"v\($0)\":{}" }
    #expect(problems("{" + views.dropLast().joined(separator: ",") + "}") == [])
    #expect(problems("{" + views.joined(separator: ",") + "}") == ["views: has 101 views; at most 100 are allowed"])
  }

  @Test("a view's name follows the rules for account names, and can be defined only once")
  func names() {
    #expect(problems(#"{"_v":{}}"#) == ["views._v: a view name must be \(AccountName.rule)"])
    #expect(problems(#"{"v":{},"v":{}}"#).first?.hasPrefix("views.v: duplicate key; the first is at ") == true)
    #expect(problems("[]") == ["views: expected an object, found an array"])
    #expect(problems(#"{"v":[]}"#) == ["views.v: expected an object, found an array"])
  }
}
