import HomelineOAuth
@testable import Providers

/// Answers with every number that the providers' servers send, modelled on real ones.
enum NumberAnswers {
  enum Kind { case page, upload, instance, other }

  static let all: [(name: String, kind: Kind, provider: any Provider, body: String)] = [
    ("a page of the v1.1 API", .page, Samples.other, twitterPage),
    ("an upload of the v1.1 API", .upload, Samples.other, twitterUpload),
    ("a page of X", .page, Samples.x, xPage), ("an upload of X", .upload, Samples.x, xUpload),
    (
      "an error of X", .other, Samples.x,
      #"{"title":"Too Many Requests","status":429,"errors":[{"code":88,"message":"limit"}]}"#
    ),
    ("a page of Mastodon", .page, MastodonSamples.mastodon, mastodonPage),
    ("an instance of Mastodon", .instance, MastodonSamples.mastodon, mastodonInstance),
    ("an upload of Mastodon", .upload, MastodonSamples.mastodon, mastodonUpload),
    ("a page of Weibo", .page, WeiboSamples.weibo, weiboPage),
    ("a token of Weibo", .other, WeiboSamples.weibo, weiboToken),
    (
      "an error of Weibo", .other, WeiboSamples.weibo,
      #"{"error":"expired","error_code":21327,"request":"/2/statuses/home_timeline.json"}"#
    ),
    ("changes of a drive", .page, gokuai, driveChanges),
    ("an error of a drive", .other, gokuai, #"{"error_code":40101,"error_msg":"expired"}"#),
  ]

  static let gokuai: any Provider = {
    var library = ProviderLocation(.oauth2)
    library.driveAccess = .library
    return try! Gokuai(at: library)!
  }()

  private static let twitterUser =
    #"{"id":14000001,"id_str":"14000001","screen_name":"mira","name":"Mira","followers_count":12}"#
  private static let twitterPage = """
    [{"id":1850000000025165849,"id_str":"1850000000025165849","created_at":"Fri Nov 20 15:59:58 +0000 2026",
      "full_text":"see https://t.co/a and more","display_text_range":[4,20],"user":\(twitterUser),
      "in_reply_to_status_id":1850000000025165000,"in_reply_to_user_id":14000001,"reply_count":1,"retweet_count":2,
      "favorite_count":3,
      "entities":{"urls":[{"url":"https://t.co/a","expanded_url":"https://a.example/b","indices":[4,18]}],
        "user_mentions":[{"id":14000002,"screen_name":"kai","indices":[0,4]}],"hashtags":[{"text":"x","indices":[0,2]}]},
      "extended_entities":{"media":[{"id":7,"type":"video","indices":[19,27],"url":"https://t.co/m",
        "media_url_https":"https://img.example/m.jpg","sizes":{"large":{"w":1200,"h":800}},
        "video_info":{"aspect_ratio":[16,9],"duration_millis":12000,
          "variants":[{"bitrate":832000,"content_type":"video/mp4","url":"https://img.example/v.mp4"},
            {"bitrate":256000,"content_type":"video/mp4","url":"https://img.example/w.mp4"}]}}]},
      "quoted_status":{"id":1850000000025165001,"created_at":"Fri Nov 20 15:59:58 +0000 2026","full_text":"q",
        "user":\(twitterUser)}},
     {"id":1850000000025165002,"created_at":"Fri Nov 20 15:58:58 +0000 2026","full_text":"r","user":\(twitterUser),
      "retweeted_status":{"id":1850000000025165003,"created_at":"Fri Nov 20 15:57:58 +0000 2026","full_text":"s",
        "user":\(twitterUser),"retweet_count":4}}]
    """
  private static let twitterUpload = """
    {"media_id":710511363345354753,"media_id_string":"710511363345354753","size":11065,"expires_after_secs":86400,
     "image":{"image_type":"image/jpeg","w":800,"h":320},
     "processing_info":{"state":"pending","check_after_secs":5,"progress_percent":8}}
    """
  private static let xPage = """
    {"data":[{"id":"1991542330000000000","text":"see https://t.co/a","created_at":"2026-11-20T15:59:58.000Z","author_id":"1",
      "edit_history_tweet_ids":["1991542330000000000"],
      "public_metrics":{"reply_count":1,"retweet_count":2,"like_count":3,"quote_count":4,"impression_count":5},
      "entities":{"urls":[{"start":4,"end":18,"url":"https://t.co/a","expanded_url":"https://a.example/b","status":200,
        "images":[{"url":"https://img.example/p","width":100,"height":50}]}]},
      "attachments":{"media_keys":["7_1"]},"referenced_tweets":[{"type":"quoted","id":"1991542330000000001"}]}],
     "includes":{"users":[{"id":"1","name":"Mira","username":"mira"}],
      "media":[{"media_key":"7_1","type":"video","duration_ms":12000,"height":100,"width":200,
        "preview_image_url":"https://img.example/m.jpg",
        "variants":[{"bit_rate":832000,"content_type":"video/mp4","url":"https://img.example/v.mp4"},
          {"bit_rate":256000,"content_type":"video/mp4","url":"https://img.example/w.mp4"}]}],
      "tweets":[{"id":"1991542330000000001","text":"q","author_id":"1","created_at":"2026-11-20T15:58:58.000Z"}]},
     "meta":{"result_count":1,"newest_id":"1991542330000000000","oldest_id":"1991542330000000000","next_token":"7140"}}
    """
  private static let xUpload = """
    {"data":{"id":"710511363345354753","media_key":"7_710511363345354753","size":11065,"expires_after_secs":86400,
     "processing_info":{"state":"in_progress","check_after_secs":5,"progress_percent":8}}}
    """
  private static let mastodonAccount =
    #"{"id":"14715","username":"mira","acct":"mira","display_name":"Mira","followers_count":3,"statuses_count":4}"#
  private static let mastodonPage = """
    [{"id":"115600000000000001","created_at":"2026-11-20T15:59:58.123Z","account":\(mastodonAccount),
      "content":"<ol start=\\"2147483647\\"><li>a</li><li>b</li></ol>","in_reply_to_id":"115600000000000000",
      "in_reply_to_account_id":"22","edited_at":"2026-11-20T16:59:58.123Z","replies_count":1,"reblogs_count":2,
      "favourites_count":3,
      "media_attachments":[{"id":"5","type":"image","url":"https://img.example/a.png","description":"a",
        "meta":{"original":{"width":640,"height":480,"size":"640x480","aspect":1.33},"focus":{"x":0.5,"y":-0.5}}}],
      "poll":{"id":"9","expires_at":"2026-11-21T15:59:58.123Z","votes_count":10,"voters_count":9,
        "options":[{"title":"a","votes_count":4},{"title":"b","votes_count":6}]},
      "card":{"url":"https://a.example","title":"t","width":400,"height":300}}]
    """
  static let mastodonInstance = """
    {"domain":"social.example","version":"4.5.0","usage":{"users":{"active_month":12}},"max_toot_chars":500,
     "configuration":{"statuses":{"max_characters":500,"max_media_attachments":4,"characters_reserved_per_url":23},
      "media_attachments":{"supported_mime_types":["image/png"],"description_limit":1500,"image_size_limit":16777216,
        "image_matrix_limit":33177600,"video_size_limit":103809024,"video_frame_rate_limit":120},
      "polls":{"max_options":4,"max_characters_per_option":50,"min_expiration":300,"max_expiration":2629746}}}
    """
  private static let mastodonUpload = """
    {"id":"22348641","type":"image","url":"https://img.example/a.png","blurhash":"x",
     "meta":{"original":{"width":640,"height":480,"aspect":1.33}}}
    """
  private static let weiboUser = #"{"id":1404376560,"idstr":"1404376560","screen_name":"zaku","name":"zaku"}"#
  private static let weiboPage = """
    {"statuses":[{"created_at":"Fri Nov 20 15:59:58 +0800 2026","id":11488058246,"mid":"11488058246",
      "idstr":"11488058246","text":"求关注。","user":\(weiboUser),"reposts_count":8,"comments_count":9,
      "attitudes_count":10,"in_reply_to_status_id":"11488058245","pic_num":1,"isLongText":1,"textLength":12,
      "pic_urls":[{"thumbnail_pic":"https://img.example/thumbnail/a.jpg"}],
      "retweeted_status":{"created_at":"Fri Nov 20 14:59:58 +0800 2026","id":11142488790,"text":"a","deleted":0,
        "user":\(weiboUser)}}],
     "next_cursor":11488013766,"previous_cursor":0,"total_number":81655}
    """
  private static let weiboToken =
    #"{"uid":1073880650,"appkey":"1352222456","create_at":1352267591,"expire_in":157679471}"#
  static let driveChanges = """
    {"fetch_dateline":1795694400123,"list":[
     {"cmd":1,"hash":"h1","dir":0,"fullpath":"in/memo.txt","filename":"memo.txt",
      "filehash":"2ef7bde608ce5404e97d5f042f95f89f1c232871","filesize":12,"create_member_name":"Kim",
      "create_dateline":1795690000,"last_member_name":"Kim","last_dateline":1795694400,"mount_id":7},
     {"cmd":0,"hash":"h2","dir":1,"fullpath":"in/old","last_member_name":"Kim","last_dateline":"1795694300"}]}
    """
}
