internal import JSON
internal import Time

/// Writes users as the v1.1 API does.
enum UserWriter {
  /// Returns the JSON of a user.
  /// - Parameter isSelf: whether this is the authenticated user, who also has the `email` member, which is null.
  static func json(_ author: Author, isSelf: Bool = false) -> [UInt8] {
    var dice = SeededRandom(7, UInt64(author.id))
    let picture = "img.example/avatars/\(author.screenName)_normal.png"
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("id", author.id)
      writer.member("id_str", String(author.id))
      writer.member("name", author.name)
      writer.member("screen_name", author.screenName)
      writer.member("location", author.location)
      writer.member("description", author.description)
      writer.member("url", String?.none)
      writer.name("entities")
      writer.object { writer in
        writer.name("description")
        writer.object { $0.member("urls", list: [Int]()) { $0.integer($1) } }
      }
      writer.member("protected", false)
      writer.member("followers_count", dice.roll(90_000))
      writer.member("friends_count", isSelf ? Author.writers.count : dice.roll(2_000))
      writer.member("listed_count", dice.roll(300))
      writer.member(
        "created_at", Timestamp(seconds: 1_241_891_902 + Int64(dice.roll(300_000_000))).twitterDate)
      writer.member("favourites_count", dice.roll(20_000))
      for name in ["utc_offset", "time_zone"] { writer.member(name, String?.none) }
      writer.member("geo_enabled", false)
      writer.member("verified", dice.roll(9) == 0)
      writer.member("statuses_count", isSelf ? 0 : dice.roll(50_000))
      writer.member("lang", String?.none)
      for name in ["contributors_enabled", "is_translator", "is_translation_enabled"] { writer.member(name, false) }
      writer.member("profile_background_color", "F5F8FA")
      writer.member("profile_background_image_url", String?.none)
      writer.member("profile_background_image_url_https", String?.none)
      writer.member("profile_background_tile", false)
      writer.member("profile_image_url", "http://\(picture)")
      writer.member("profile_image_url_https", "https://\(picture)")
      writer.member("profile_link_color", "1F6F5C")
      writer.member("profile_use_background_image", true)
      writer.member("has_extended_profile", false)
      writer.member("default_profile", true)
      writer.member("default_profile_image", false)
      writer.member("following", !isSelf)
      for name in ["follow_request_sent", "notifications"] { writer.member(name, false) }
      writer.member("translator_type", "none")
      if isSelf { writer.member("email", String?.none) }
    }
    return writer.bytes
  }
}
