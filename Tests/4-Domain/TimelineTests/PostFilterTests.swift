import Testing
import Time

@testable import Timeline

@Suite struct PostFilterTests {
  private func user(_ screenName: String) -> User { User(id: screenName, screenName: screenName, name: "N") }

  private func post(
    _ text: String = "hello", by author: String = "jack", language: String? = nil, repostedBy: String? = nil,
    answersTo: String? = nil, quoting: (author: String, text: String)? = nil, media: [Media.Kind] = []
  ) -> Post {
    let now = Timestamp(seconds: 1_700_000_000)
    return Post(
      id: PostID("1"), createdAt: now, author: user(author), text: text, language: language,
      repostedBy: repostedBy.map(user), inReplyTo: answersTo.map { Post.Reply(id: PostID("0"), screenName: $0) },
      quoted: quoting.map {
        Post.Quote(id: PostID("2"), createdAt: now, author: user($0.author), text: $0.text, url: nil, media: [])
      }, media: media.map { Media(kind: $0, url: "https://social.example/m") })
  }

  @Test("authors are accepted and hidden as the users who caused an event, too")
  func events() {
    let time = Timestamp(seconds: 1_700_000_000)
    var liked = post(by: "me")
    liked.notice = Notice(id: PostID("9"), kind: "favourite", actors: [user("jack")], at: time)
    for event in [liked, Post(event: Notice(id: PostID("9"), kind: "follow", actors: [user("jack")], at: time))] {
      #expect(CompiledFilter(PostFilter(authors: ["Jack"])).includes(event))
      #expect(!CompiledFilter(PostFilter(authors: ["ada"])).includes(event))
      #expect(!CompiledFilter(PostFilter(mutedAuthors: ["jack"])).includes(event))
    }
  }

  @Test("an empty filter hides no posts")
  func all() {
    #expect(
      CompiledFilter(PostFilter()).includes(
        post("", repostedBy: "x", answersTo: "y", quoting: ("z", ""), media: [.other])))
  }

  @Test(
    "a filter's word matches case-insensitively, and only at word boundaries",
    arguments: [
      ("cat", "A CAT sat", true), ("cat", "concatenate", false), ("cat", "cats", false), ("cat", "bobcat", false),
      ("cat", "cat's", true), ("cat", "(cat)", true), ("cat", "#cat", true), ("cat", "cat_food", false),
      ("#cat", "a #Cat!", true), ("#cat", "#cats", false), ("C++", "use c++17", true), ("cat", "3cat", false),
      ("ÉCOLE", "une e\u{301}cole", true), ("ΟΔΟΣ", "η οδος", true), ("straße", "STRASSE", true),
      ("full moon", "the Full\n  Moon rises", true), ("full moon", "full moonlight", false), ("cat", "", false),
      ("cat", "bobcat cat", true), ("aab", "aaab aab", true),
    ])
  func words(word: String, text: String, isFound: Bool) {
    #expect(CompiledFilter(PostFilter(words: [word])).includes(post(text)) == isFound)
    #expect(CompiledFilter(PostFilter(mutedWords: [word])).includes(post(text)) == !isFound)
  }

  @Test(
    "a filter's word matches anywhere in scripts without spaces",
    arguments: [
      ("天気", "今日の天気予報", true), ("天気", "天と気", false), ("서울", "서울에서", true), ("กรุงเทพ", "ในกรุงเทพวันนี้", true),
      ("Swift", "我爱Swift语言", true), ("Swift", "我爱Swifty语言", false), ("猫", "cat猫cat", true), ("𠮟る", "先生に𠮟る。", true),
    ])
  func unspaced(word: String, text: String, isFound: Bool) {
    #expect(CompiledFilter(PostFilter(words: [word])).includes(post(text)) == isFound)
  }

  @Test("one matching word of a filter is enough, and quoted text is not searched for wanted words")
  func anyWord() {
    let filter = CompiledFilter(PostFilter(words: ["cat", "dog"]))
    #expect(filter.includes(post("a dog")) && !filter.includes(post("a bird")))
    #expect(!filter.includes(post("look", quoting: ("mia", "a cat"))))
  }

  @Test("a filter's author matches posts and reposts case-insensitively, with or without @")
  func authors() {
    let filter = CompiledFilter(PostFilter(authors: ["@Jack", "mia@Social.example"]))
    #expect(filter.includes(post(by: "jack")) && filter.includes(post(by: "JACK")))
    #expect(filter.includes(post(by: "bob", repostedBy: "jack")))
    #expect(!filter.includes(post(by: "bob")) && !filter.includes(post(by: "bob", quoting: ("jack", "x"))))
    #expect(filter.includes(post(by: "mia@social.example")))
    #expect(!filter.includes(post(by: "mia")) && !filter.includes(post(by: "jack@elsewhere.example")))
  }

  @Test("a filter hides a muted user as author, reposter and quoted author")
  func mutedAuthors() {
    let filter = CompiledFilter(PostFilter(mutedAuthors: ["Spam"]))
    #expect(!filter.includes(post(by: "spam")))
    #expect(
      !filter.includes(post(by: "bob", repostedBy: "spam")) && !filter.includes(post(by: "spam", repostedBy: "bob")))
    #expect(!filter.includes(post(by: "bob", quoting: ("SPAM", "x"))))
    #expect(filter.includes(post(by: "spam2", quoting: ("bob", "x"))))
  }

  @Test("a muted word in a post or its quote hides the post, even if it also contains a wanted word")
  func mutedWords() {
    let filter = CompiledFilter(PostFilter(words: ["cat"], mutedWords: ["spoiler"]))
    #expect(!filter.includes(post("cat", quoting: ("mia", "a Spoiler"))) && !filter.includes(post("cat spoiler")))
    #expect(filter.includes(post("cat spoilers", quoting: ("mia", "x"))))
  }

  @Test("a filter's language includes its regional variants and no other tags")
  func languages() {
    let filter = CompiledFilter(PostFilter(languages: ["EN", "zh-Hant"]))
    for tag in ["en", "en-GB", "En-us", "zh-hant-TW"] { #expect(filter.includes(post(language: tag)), "\(tag)") }
    for tag in ["eno", "zh", "zh-Hans", "de"] { #expect(!filter.includes(post(language: tag)), "\(tag)") }
    #expect(!filter.includes(post(language: nil)))
  }

  @Test("a filter can require or exclude media, replies and reposts")
  func kinds() {
    #expect(CompiledFilter(PostFilter(isMediaOnly: true)).includes(post(media: [.other, .photo])))
    #expect(
      !CompiledFilter(PostFilter(isMediaOnly: true)).includes(post())
        && !CompiledFilter(PostFilter(isMediaOnly: true)).includes(post(media: [.other])))
    #expect(!CompiledFilter(PostFilter(includesReplies: false)).includes(post(answersTo: "bob")))
    #expect(CompiledFilter(PostFilter(includesReplies: false)).includes(post(repostedBy: "bob")))
    #expect(!CompiledFilter(PostFilter(includesReposts: false)).includes(post(repostedBy: "bob")))
    #expect(CompiledFilter(PostFilter(includesReposts: false)).includes(post(answersTo: "bob")))
  }

  @Test("a filter can handle ten thousand combining marks and a thousand words")
  func large() {
    let filter = CompiledFilter(PostFilter(mutedWords: (0..<1000).map { "word\($0)" }))
    let marks = "a" + String(repeating: "\u{301}", count: 10_000)
    #expect(filter.includes(post(marks)) && !filter.includes(post(marks + " word999")))
  }

  @Test("a view's words are not searched for in the warning of a filter")
  func views() {
    let filtered = post("A draw.").filtered(by: ServerFilter(.warn, title: "final"))
    #expect(CompiledFilter(PostFilter(mutedWords: ["final"])).includes(filtered))
    #expect(!CompiledFilter(PostFilter(mutedWords: ["draw"])).includes(filtered))
    #expect(!CompiledFilter(PostFilter(words: ["final"])).includes(filtered))
  }
}
