import Formats
import Time
import Timeline

/// A timeline of invented people, for the screenshots in the documentation.
enum DemoPage {
  static let now = Timestamp(rfc3339: "2026-11-20T16:00:00Z")!

  /// - Parameter folder: the output folder of `Tests/Peers/page_pictures.py`, relative to the page.
  static func publication(pictures folder: String) -> Publication {
    Publication(
      head: TimelineHead(
        account: "garden", provider: "mastodon",
        user: User(id: "9", screenName: "mira@fields.example", name: "Mira Lindqvist"),
        refreshedAt: now - .seconds(40), freshUntil: now + .seconds(3860),
        loginNeededBy: nil, readUpTo: PostID("5"), unread: 4,
        gaps: [PublishedGap(after: PostID("8"), before: PostID("7"), isFillable: true)]),
      posts: posts,
      overview: Publication.Overview(hours: hours, kept: 12_408),
      pictures: [
        "https://img.example/dusk.png": "\(folder)/dusk.png",
        "https://img.example/morning.png": "\(folder)/morning.png",
        "https://img.example/night.png": "\(folder)/night.png", "https://img.example/ines.png": "\(folder)/ines.png",
        "https://img.example/tomasz.png": "\(folder)/tomasz.png",
        "https://img.example/harbour.png": "\(folder)/harbour.png",
      ],
      madeAt: now)
  }

  private static let ines = User(
    id: "1", screenName: "ines@shore.example", name: "Ines Varga", avatarURL: "https://img.example/ines.png")
  private static let tomasz = User(
    id: "2", screenName: "tomasz@letters.example", name: "Tomasz Okoń", avatarURL: "https://img.example/tomasz.png")
  private static let noor = User(id: "3", screenName: "noor@letters.example", name: "نور حدّاد")
  private static let harbour = User(
    id: "4", screenName: "observatory@shore.example", name: "Harbour Observatory",
    avatarURL: "https://img.example/harbour.png")
  private static let bea = User(id: "5", screenName: "bea@fields.example", name: "Beatriz Onwudiwe")
  private static let press = User(id: "12", screenName: "press@letters.example", name: "The Small Press")

  /// The posts, newest first.
  static let posts = [
    item(
      "1", ines, minutes: 2,
      "Second walk of the day, up to the ridge. The haze came in from the sea exactly as forecast and stayed for ten minutes.",
      isUnread: true, inReplyTo: Post.Reply(id: PostID("2"), screenName: "ines@shore.example"),
      media: [
        Media(
          kind: .photo, url: "https://img.example/dusk.png",
          alternativeText: "Four ridges of hills behind each other at dusk, the sun just above the last one")
      ], counts: Post.Counts(replies: 3, reposts: 12, likes: 148)),
    item(
      "2", ines, minutes: 9, "A short thread about light, and why I carry the heavy tripod after all.", isUnread: true,
      counts: Post.Counts(replies: 1, reposts: 4, likes: 61)),
    item(
      "3", harbour, minutes: 26,
      "Tonight the moon stands 2° above Saturn. Clear from 21:00, wind from the west, 4 °C.\nWhere to look: https://shore.example/sky/tonight",
      isUnread: true, repostedBy: tomasz, counts: Post.Counts(replies: 18, reposts: 1_284, likes: 5_310)),
    item(
      "4", tomasz, minutes: 41, "Thank you, this is the translation I was looking for. Page 12 made me laugh out loud.",
      isUnread: true, inReplyTo: Post.Reply(id: PostID("6"), screenName: "noor@letters.example"),
      counts: Post.Counts(replies: 0, reposts: 0, likes: 7)),
    item(
      "5", bea, minutes: 75, "Reading this aloud to everyone who walks past my desk.",
      quoted: Post.Quote(
        id: PostID("q"), createdAt: now - .seconds(5400), author: press,
        text:
          "Our winter list is out: eleven books, four of them in translation for the first time, and one that smells faintly of cinnamon.",
        url: "https://letters.example/@press/7", media: []),
      counts: Post.Counts(replies: 2, reposts: 31, likes: 204)),
    item(
      "6", noor, minutes: 130, "صباح الخير! ترجمة القصيدة الأولى جاهزة، والبقية تأتي يوم الجمعة.", language: "ar",
      counts: Post.Counts(replies: 5, reposts: 22, likes: 190)),
    item(
      "7", bea, minutes: 250, "Frost on the greenhouse, and underneath it: tomatoes. In November.",
      media: [
        Media(kind: .photo, url: "https://img.example/morning.png", alternativeText: "Green hills in morning haze"),
        Media(kind: .photo, url: "https://img.example/night.png", alternativeText: "The same hills by moonlight"),
      ], counts: Post.Counts(replies: 9, reposts: 40, likes: 377), editedAt: now - .seconds(13_000),
      alsoAt: ["https://blog.fields.example/frost"]),
    item(
      "8", harbour, minutes: 1500, "The talk of last week is online, with captions.",
      media: [
        Media(
          kind: .video, url: "https://video.shore.example/talk",
          alternativeText: "A lecture hall, slides of star charts")
      ], counts: Post.Counts(replies: 4, reposts: 66, likes: 412)),
  ]

  private static func item(
    _ id: String, _ author: User, minutes: Int, _ text: String, isUnread: Bool = false, language: String = "en",
    repostedBy: User? = nil, inReplyTo: Post.Reply? = nil, quoted: Post.Quote? = nil, media: [Media] = [],
    counts: Post.Counts, editedAt: Timestamp? = nil, alsoAt: [String] = []
  ) -> PublishedPost {
    PublishedPost(
      post: Post(
        id: PostID(id), createdAt: now - .seconds(minutes * 60), author: author, text: text,
        url: "https://\(author.screenName.split(separator: "@").last ?? "")/@\(author.id)/\(id)", language: language,
        repostedBy: repostedBy, inReplyTo: inReplyTo, quoted: quoted, media: media, counts: counts, editedAt: editedAt),
      json: [], account: "garden", isUnread: isUnread, alsoAt: alsoAt)
  }

  /// The number of posts in each hour: few at night, many in the evening.
  private static let hours = (0..<168).map { index in
    // The last hour begins at 16:00.
    let hour = (index + 17) % 24
    let ofDay = [1, 0, 0, 0, 0, 1, 3, 8, 12, 14, 11, 10, 13, 11, 9, 10, 12, 15, 19, 23, 24, 18, 10, 4][hour]
    return ofDay + (ofDay == 0 ? 0 : index * 7 % 5) + (index / 24 == 2 ? ofDay / 2 : 0)
  }
}
