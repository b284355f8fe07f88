import CivilTime
import HTTP
import HomelineOAuth
import Sandbox
import Testing

@Suite("The sandbox's Weibo: the timeline")
struct WeiboTimelineTests {
  private func walk(_ change: (inout WeiboQuirks) -> Void = { _ in }) throws -> (WeiboWalk, String) {
    var walk = WeiboWalk()
    walk.weibo.quirks.silentAuthors = nil
    change(&walk.weibo.quirks)
    let token = try walk.login()
    return (walk, token)
  }

  @Test("a page has 20 posts, newest first, and 100 at most, with Chinese times and ids above 2^53 in three ways")
  func page() throws {
    var (walk, token) = try walk()
    let page = try walk.page(token)
    #expect(page.count(of: "statuses") == 20 && page.ids == page.ids.sorted(by: >))
    #expect(try walk.page(token, ["count": "500"]).count(of: "statuses") == 100)
    #expect(page.posts("mid") == page.posts("id") && page.posts("id") == page.posts("idstr"))
    #expect(page.ids.allSatisfy { $0 > 1 << 53 } && page.strings.contains("statuses.0.idstr"))
    #expect(!page.strings.contains("statuses.0.id"))
    let times = page.posts("created_at").compactMap { Timestamp(twitterDate: $0) }
    #expect(times.count == 20 && times.allSatisfy { $0 <= walk.now && $0 > walk.now - .seconds(3600) })
    #expect(page.posts("created_at").allSatisfy { $0.contains(" +0800 ") })
  }

  @Test("max_id includes its post, since_id leaves its post out")
  func bounds() throws {
    var (walk, token) = try walk()
    let ids = try walk.page(token, ["count": "50"]).ids
    #expect(try walk.page(token, ["max_id": "\(ids[10])", "count": "5"]).ids == Array(ids[10..<15]))
    #expect(try walk.page(token, ["since_id": "\(ids[3])"]).ids == Array(ids[..<3]))
    #expect(try walk.page(token, ["since_id": "\(ids[9])", "max_id": "\(ids[6])"]).ids == Array(ids[6..<9]))
    #expect(try walk.page(token, ["page": "2", "count": "10"]).ids == Array(ids[10..<20]))
  }

  @Test("150 posts are within reach, and the end is said by a cursor of 0")
  func reach() throws {
    var (walk, token) = try walk()
    let first = try walk.page(token, ["count": "100"])
    #expect(first["total_number"] == "150")
    let next = try #require(first["next_cursor"])
    let second = try walk.page(token, ["count": "100", "max_id": next])
    #expect(second.count(of: "statuses") == 50 && second["next_cursor"] == "0")
    #expect(Set(first.ids + second.ids).count == 150)
    let below = try walk.page(token, ["max_id": "\(second.ids[49] - 1)"])
    #expect(below.count(of: "statuses") == 0 && below["total_number"] == "0")
  }

  @Test("who has not authorised the application is counted and not shown, so that pages are short in the middle")
  func silentAuthors() throws {
    var (all, everyone) = try walk()
    var (walk, token) = try walk { $0.silentAuthors = 4 }
    let page = try walk.page(token, ["count": "100"])
    let whole = try all.page(everyone, ["count": "100"])
    #expect(page.ids.count < 100 && page.ids.count > 20 && Set(page.ids).isSubset(of: Set(whole.ids)))
    #expect(page["total_number"] == "150" && page["next_cursor"] == whole["next_cursor"])
    let users = Set(page.posts("user.idstr").compactMap { Int($0) })
    #expect(users.allSatisfy { $0 % 4 != 0 })
  }

  @Test("a page may have no posts and a next one nevertheless")
  func emptyPages() throws {
    var (walk, token) = try walk { $0.emptiesPages = true }
    let page = try walk.page(token)
    #expect(page.count(of: "statuses") == 0 && page["total_number"] == "150" && page["next_cursor"] != "0")
  }

  @Test("what is passed on comes whole inside, under words of whoever passes it on")
  func reposts() throws {
    var (walk, token) = try walk()
    let page = try walk.page(token, ["count": "100"])
    #expect(page.posts("text").contains { $0.hasPrefix("转发微博") })
    #expect(page.posts("text").allSatisfy { !$0.hasPrefix("RT ") })
    #expect(page.posts("retweeted_status.user.idstr").count == page.posts("retweeted_status.idstr").count)
    #expect(page.posts("retweeted_status.idstr").count > 10)
  }

  @Test("of a deleted original a sentence is left, and no author; and a post may lack its own")
  func lostAuthors() throws {
    var (walk, token) = try walk {
      $0.deletesOriginals = 1
      $0.omitsUsers = 2
    }
    let page = try walk.page(token, ["count": "100"])
    #expect(Set(page.posts("retweeted_status.deleted")) == ["1"])
    #expect(page.posts("retweeted_status.user.idstr").isEmpty)
    #expect((1..<100).contains(page.posts("user.idstr").count))
  }

  @Test("texts are escaped, topics stand between two marks, emoticons have names, long texts are cut and say so")
  func texts() throws {
    var (walk, token) = try walk()
    var texts: [String] = []
    var cut: [String] = []
    for hour in 0..<4 {
      walk.now = WeiboWalk.start + .seconds(hour * 3600)
      let page = try walk.page(token, ["count": "100"])
      texts += page.posts("text")
      for (text, isLong) in zip(page.posts("text"), page.posts("isLongText")) where isLong == "true" {
        cut.append(text)
      }
    }
    #expect(texts.contains { $0.contains("[哈哈]") } && texts.contains { $0.contains("http://t.cn/") })
    #expect(texts.contains { $0.contains("#") } && texts.allSatisfy { !$0.contains("<") && !$0.contains(">") })
    #expect(texts.contains { $0.unicodeScalars.contains { $0.value > 0xffff } }, "emoji outside the BMP")
    #expect(!cut.isEmpty && cut.allSatisfy { $0.contains("...") })
  }

  @Test("pictures come in three sizes, users by their ids alone when that is asked for")
  func details() throws {
    var (walk, token) = try walk()
    let page = try walk.page(token, ["count": "100", "trim_user": "1"])
    #expect(page.posts("user.idstr").isEmpty && page.posts("uid").count == 100)
    let originals = page.posts("original_pic")
    #expect(!originals.isEmpty && originals.allSatisfy { $0.contains("/large/") })
    #expect(page.posts("pic_urls.0.thumbnail_pic") == page.posts("thumbnail_pic"))
    #expect(try walk.page(token, ["count": "100", "feature": "1"]).posts("retweeted_status.idstr").isEmpty)
  }

  @Test("parameters that are no numbers are refused", arguments: ["since_id", "max_id", "count"])
  func badParameters(name: String) throws {
    var (walk, token) = try walk()
    for value in ["x", "-1", "9223372036854775808"] {
      #expect(walk.get(.homeTimeline, ["access_token": token, name: value]).weiboCode == 10008)
    }
  }

  @Test("a user is shown by exactly one of id and name")
  func users() throws {
    var (walk, token) = try walk()
    let id = SandboxProvider.userID
    let user = try WeiboOnTheWire(walk.get(.usersShow, ["access_token": token, "uid": id]))
    #expect(user["idstr"] == id && user["id"] == id && user["screen_name"] == SandboxProvider.userScreenName)
    #expect(user["avatar_large"] != nil)
    let other = try WeiboOnTheWire(walk.get(.usersShow, ["access_token": token, "screen_name": "lin_tea"]))
    #expect(other["name"] == "林小茶")
    for wrong in [[:], ["uid": id, "screen_name": "lin_tea"]] {
      #expect(walk.get(.usersShow, wrong.merging(["access_token": token]) { $1 }).weiboCode == 10008)
    }
    #expect(walk.get(.usersShow, ["access_token": token, "uid": "5"]).weiboCode == 20003)
  }
}
