import HomelineOAuth
import Time
import Timeline

@testable import Providers

/// Responses from Weibo, modelled on real ones.
enum WeiboSamples {
  static let weibo = try! Weibo(at: ProviderLocation(.oauth2))!

  static func page(_ body: String, _ query: TimelineQuery = TimelineQuery(count: 100)) throws -> PageResponse.Fetched {
    guard case .page(let fetched) = try weibo.page(from: Samples.respond(body), for: query) else {
      throw Samples.NotAPage()
    }
    return fetched
  }

  /// Returns a page of the given posts, with Weibo's members about other posts.
  static func timeline(_ statuses: [String], next: String = "0", total: String = "50") -> String {
    #"{"statuses":[\#(statuses.joined(separator: ","))],"hasvisible":false,"previous_cursor":0,"next_cursor":\#(next),"#
      + #""total_number":\#(total),"interval":0}"#
  }

  /// Returns the only post on a page with the given members, in addition to its id, time and author.
  static func post(_ members: String) throws -> Post {
    let entries = try page(timeline([status("5230000000000200", members)])).page.entries
    guard entries.count == 1 else { throw Samples.NotAPage() }
    return entries[0].post
  }

  static func status(_ id: String, _ members: String = #""text":"测试""#) -> String {
    #"{"created_at":"\#(date)","id":\#(id),"mid":"\#(id)","idstr":"\#(id)","user":\#(friend),\#(members)}"#
  }

  static let date = "Thu Nov 19 18:15:30 +0800 2026"
  static let time = Timestamp(rfc3339: "2026-11-19T10:15:30Z")!

  static let friend =
    #"{"id":1000000002,"idstr":"1000000002","screen_name":"朋友甲","name":"朋友甲","#
    + #""profile_image_url":"http://img.example/50/2.jpg"}"#

  static let whole = """
    {"created_at":"Thu Nov 19 18:15:30 +0800 2026","id":5230000000000200,"mid":"5230000000000200",\
    "idstr":"5230000000000200","text":"测试 一条微博 &amp; 表情[哈哈]😀 \u{200b}",\
    "source":"<a href=\\"http://app.example/\\" rel=\\"nofollow\\">示例应用</a>","favorited":false,"truncated":false,\
    "in_reply_to_status_id":"","in_reply_to_user_id":"","in_reply_to_screen_name":"",\
    "pic_urls":[{"thumbnail_pic":"http://img.example/t/1.jpg"}],"thumbnail_pic":"http://img.example/t/1.jpg",\
    "bmiddle_pic":"http://img.example/b/1.jpg","original_pic":"http://img.example/l/1.jpg","geo":null,\
    "user":\(friend),"reposts_count":0,"comments_count":1,"attitudes_count":2,"visible":{"type":0,"list_id":0}}
    """

  static let user = """
    {"id":1000000001,"idstr":"1000000001","screen_name":"示例用户","name":"示例 &amp; 用户","province":"11","city":"5",\
    "location":"北京 朝阳区","description":"","url":"","profile_image_url":"http://img.example/50/1.jpg",\
    "avatar_large":"http://img.example/180/1.jpg","gender":"n","followers_count":12,\
    "created_at":"Tue May 31 17:46:55 +0800 2011","following":false,"online_status":0}
    """
}
