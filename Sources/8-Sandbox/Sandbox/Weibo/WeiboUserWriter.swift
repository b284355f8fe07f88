internal import JSON
internal import Time

/// Writes users as Weibo does.
enum WeiboUserWriter {
  static func write(_ author: Author, to writer: inout JSONWriter) {
    var dice = SeededRandom(17, UInt64(author.id))
    writer.object { writer in
      writer.member("id", author.id)
      writer.member("idstr", String(author.id))
      writer.member("screen_name", author.screenName)
      writer.member("name", author.name)
      writer.member("province", "11")
      writer.member("city", "5")
      writer.member("location", author.location)
      writer.member("description", author.description)
      writer.member("url", "")
      writer.member("profile_image_url", "http://img.example/50/\(author.screenName).png")
      writer.member("avatar_large", "http://img.example/180/\(author.screenName).png")
      writer.member("avatar_hd", "http://img.example/1024/\(author.screenName).png")
      writer.member("domain", "")
      writer.member("gender", "n")
      writer.member("followers_count", dice.roll(90_000))
      writer.member("friends_count", dice.roll(2_000))
      writer.member("statuses_count", dice.roll(50_000))
      writer.member("favourites_count", dice.roll(500))
      writer.member("created_at", Timestamp(seconds: 1_281_891_902 + Int64(dice.roll(300_000_000))).weiboDate)
      for name in ["following", "allow_all_act_msg", "geo_enabled", "verified", "follow_me"] {
        writer.member(name, false)
      }
      writer.member("verified_type", -1)
      writer.member("online_status", 0)
      writer.member("bi_followers_count", dice.roll(90))
      writer.member("lang", "zh-cn")
    }
  }
}
