internal import TestSupport
internal import Time

/// A generated user with the members of a user in Twitter's API v1.1.
struct MadeUpUser {
  let number: Int

  init(_ number: Int) { self.number = number }

  var id: Int { 10_000_000 + number * 7919 }
  var screenName: String { "user_\(number)" }

  func name(_ words: SyntheticWords) -> String {
    let name = words.sentence(2, of: UInt64(number))
    return number % 5 < 3 ? "\(name) \(SyntheticWords.character(number))\(SyntheticWords.character(number * 2))✨" : name
  }

  func raw(_ words: SyntheticWords) -> RawValue {
    var random = SeededGenerator(seed: UInt64(number) &+ 1_000_003)
    let isJapanese = number % 2 == 0
    let description = isJapanese ? words.characters(30, using: &random) : words.sentence(20, using: &random)
    let link = "https://t.co/\(MadeUpPost.letters(10, using: &random))"
    let picture = "//pbs.twimg.com/profile_images/\(number + 7)000000000000/\(screenName)_normal.jpg"
    let background = "//abs.twimg.com/images/themes/theme1/bg.png"
    let page: RawValue = .object([
      ("url", .text(link)), ("expanded_url", .text("https://blog.example.net/~\(screenName)")),
      ("display_url", .text("blog.example.net/~\(screenName)")), ("indices", [0, 23]),
    ])
    let count = { (limit: Int) in RawValue.number((number * 7_777_777) % limit) }
    return .object([
      ("id", .number(id)), ("id_str", .text(String(id))), ("name", .text(name(words))),
      ("screen_name", .text(screenName)),
      ("location", .text(isJapanese ? words.characters(3, using: &random) : words.sentence(1, using: &random))),
      ("description", .text(description)), ("url", .text(link)),
      (
        "entities",
        .object([
          ("url", .object([("urls", .array([page]))])), ("description", .object([("urls", [])])),
        ])
      ),
      ("protected", false), ("followers_count", count(100_000)), ("friends_count", count(5000)),
      ("listed_count", count(900)),
      ("created_at", .text(Timestamp(seconds: 1_250_000_000 + Int64(number) * 86_400).twitterDate)),
      ("favourites_count", count(90_000)), ("utc_offset", nil), ("time_zone", nil), ("geo_enabled", .flag(isJapanese)),
      ("verified", .flag(number % 41 == 0)), ("statuses_count", count(80_000)), ("lang", nil),
      ("contributors_enabled", false), ("is_translator", false), ("is_translation_enabled", false),
      ("profile_background_color", "F5F8FA"), ("profile_background_image_url", .text("http:" + background)),
      ("profile_background_image_url_https", .text("https:" + background)), ("profile_background_tile", false),
      ("profile_image_url", .text("http:" + picture)), ("profile_image_url_https", .text("https:" + picture)),
      ("profile_banner_url", .text("https://pbs.twimg.com/profile_banners/\(id)/1500000000")),
      ("profile_link_color", "1DA1F2"), ("profile_sidebar_border_color", "C0DEED"),
      ("profile_sidebar_fill_color", "DDEEF6"), ("profile_text_color", "333333"),
      ("profile_use_background_image", true), ("has_extended_profile", false), ("default_profile", true),
      ("default_profile_image", false), ("following", true), ("follow_request_sent", false), ("notifications", false),
      ("translator_type", "none"), ("withheld_in_countries", []),
    ])
  }
}
