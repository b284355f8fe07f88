import HTTP
import SandboxSupport
import Testing
import Time

@testable import Sandbox

@Suite("The simulated Weibo's timeline")
struct WeiboTimelineTests {
  private func client(_ change: (inout WeiboQuirks) -> Void = { _ in }) throws -> (WeiboTestClient, String) {
    var client = WeiboTestClient()
    client.weibo.quirks.silentAuthors = nil
    change(&client.weibo.quirks)
    let token = try client.login()
    return (client, token)
  }

  @Test(
    "A Weibo page has 20 posts, or up to 100 on request, newest first, with times in China's time zone"
  )
  func page() throws {
    var (client, token) = try client()
    let page = try client.page(token)
    #expect(page.count(of: "statuses") == 20 && page.ids == page.ids.sorted(by: >))
    #expect(try client.page(token, ["count": "500"]).count(of: "statuses") == 100)
    #expect(page.posts("mid") == page.posts("id") && page.posts("id") == page.posts("idstr"))
    #expect(page.ids.allSatisfy { $0 > 1 << 53 } && page.strings.contains("statuses.0.idstr"))
    #expect(!page.strings.contains("statuses.0.id"))
    let times = page.posts("created_at").compactMap { Timestamp(twitterDate: $0) }
    #expect(times.count == 20 && times.allSatisfy { $0 <= client.now && $0 > client.now - .seconds(3600) })
    #expect(page.posts("created_at").allSatisfy { $0.contains(" +0800 ") })
  }

  @Test("Weibo's max_id is inclusive, and its since_id is exclusive")
  func bounds() throws {
    var (client, token) = try client()
    let ids = try client.page(token, ["count": "50"]).ids
    #expect(try client.page(token, ["max_id": "\(ids[10])", "count": "5"]).ids == Array(ids[10..<15]))
    #expect(try client.page(token, ["since_id": "\(ids[3])"]).ids == Array(ids[..<3]))
    #expect(try client.page(token, ["since_id": "\(ids[9])", "max_id": "\(ids[6])"]).ids == Array(ids[6..<9]))
    #expect(try client.page(token, ["page": "2", "count": "10"]).ids == Array(ids[10..<20]))
  }

  @Test("Weibo's timeline has 150 posts, and a cursor of 0 marks its end")
  func reach() throws {
    var (client, token) = try client()
    let first = try client.page(token, ["count": "100"])
    #expect(first["total_number"] == "150")
    let next = try #require(first["next_cursor"])
    let second = try client.page(token, ["count": "100", "max_id": next])
    #expect(second.count(of: "statuses") == 50 && second["next_cursor"] == "0")
    #expect(Set(first.ids + second.ids).count == 150)
    let below = try client.page(token, ["max_id": "\(second.ids[49] - 1)"])
    #expect(below.count(of: "statuses") == 0 && below["total_number"] == "0")
  }

  @Test("Weibo counts but does not return the posts of authors who have not authorised the application")
  func silentAuthors() throws {
    var (all, everyone) = try client()
    var (client, token) = try client { $0.silentAuthors = 4 }
    let page = try client.page(token, ["count": "100"])
    let whole = try all.page(everyone, ["count": "100"])
    #expect(page.ids.count < 100 && page.ids.count > 20 && Set(page.ids).isSubset(of: Set(whole.ids)))
    #expect(page["total_number"] == "150" && page["next_cursor"] == whole["next_cursor"])
    let users = Set(page.posts("user.idstr").compactMap { Int($0) })
    #expect(users.allSatisfy { $0 % 4 != 0 })
  }

  @Test("A Weibo page without posts can contain a cursor for the next page")
  func emptyPages() throws {
    var (client, token) = try client { $0.emptiesPages = true }
    let page = try client.page(token)
    #expect(page.count(of: "statuses") == 0 && page["total_number"] == "150" && page["next_cursor"] != "0")
  }

  @Test("A Weibo repost contains the whole original and its own text")
  func reposts() throws {
    var (client, token) = try client()
    let page = try client.page(token, ["count": "100"])
    #expect(page.posts("text").contains { $0.hasPrefix("转发微博") })
    #expect(page.posts("text").allSatisfy { !$0.hasPrefix("RT ") })
    #expect(page.posts("retweeted_status.user.idstr").count == page.posts("retweeted_status.idstr").count)
    #expect(page.posts("retweeted_status.idstr").count > 10)
  }

  @Test("A sentence without an author replaces a deleted original, and any post may lack an author")
  func lostAuthors() throws {
    var (client, token) = try client {
      $0.deletesOriginals = 1
      $0.omitsUsers = 2
    }
    let page = try client.page(token, ["count": "100"])
    #expect(Set(page.posts("retweeted_status.deleted")) == ["1"])
    #expect(page.posts("retweeted_status.user.idstr").isEmpty)
    #expect((1..<100).contains(page.posts("user.idstr").count))
  }

  @Test("Weibo's text is escaped, contains #topics# and named emoticons, and is marked if it is truncated")
  func texts() throws {
    var (client, token) = try client()
    var texts: [String] = []
    var cut: [String] = []
    for hour in 0..<4 {
      client.now = WeiboTestClient.start + .seconds(hour * 3600)
      let page = try client.page(token, ["count": "100"])
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

  @Test("Weibo's pictures come in three sizes, and users can be returned as ids only")
  func details() throws {
    var (client, token) = try client()
    let page = try client.page(token, ["count": "100", "trim_user": "1"])
    #expect(page.posts("user.idstr").isEmpty && page.posts("uid").count == 100)
    let originals = page.posts("original_pic")
    #expect(!originals.isEmpty && originals.allSatisfy { $0.contains("/large/") })
    #expect(page.posts("pic_urls.0.thumbnail_pic") == page.posts("thumbnail_pic"))
    #expect(try client.page(token, ["count": "100", "feature": "1"]).posts("retweeted_status.idstr").isEmpty)
  }

  @Test(
    "Requests are refused if a parameter that should be a number is not",
    arguments: ["since_id", "max_id", "count"])
  func badParameters(name: String) throws {
    var (client, token) = try client()
    for value in ["x", "-1", "9223372036854775808"] {
      #expect(client.get(.homeTimeline, ["access_token": token, name: value]).weiboCode == 10008)
    }
  }

  @Test("A Weibo user is looked up either by an id or by a name")
  func users() throws {
    var (client, token) = try client()
    let id = SandboxUser.id
    let user = try ReceivedTable(client.get(.usersShow, ["access_token": token, "uid": id]))
    #expect(user["idstr"] == id && user["id"] == id && user["screen_name"] == SandboxUser.screenName)
    #expect(user["avatar_large"] != nil)
    let other = try ReceivedTable(client.get(.usersShow, ["access_token": token, "screen_name": "lin_tea"]))
    #expect(other["name"] == "林小茶")
    for wrong in [[:], ["uid": id, "screen_name": "lin_tea"]] {
      #expect(client.get(.usersShow, wrong.merging(["access_token": token]) { $1 }).weiboCode == 10008)
    }
    #expect(client.get(.usersShow, ["access_token": token, "uid": "5"]).weiboCode == 20003)
  }
}
