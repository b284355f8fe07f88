import HTTP
import HomelineOAuth
import SandboxSupport
import Testing

@testable import Sandbox

@Suite("Lists, hashtags and accounts on a simulated Mastodon server")
struct MastodonListTests {
  private static let all = "/api/v1/timelines/"

  @Test(
    "The user has five lists, of which two have the same title and one is exclusive",
    arguments: MastodonFlavour.allCases)
  func lists(flavour: MastodonFlavour) throws {
    var client = try MastodonTestClient.loggedIn(flavour)
    let ids = try client.column("id", "/api/v1/lists")
    #expect(Set(ids).count == 5)
    let length = [MastodonFlavour.goToSocial: 26, .snac: 10][flavour] ?? 4
    #expect(ids.allSatisfy { $0.count == length }, "\(ids)")
    #expect(
      try client.column("title", "/api/v1/lists") == ["Friends", "Freunde & Co", "Reading", "Reading", "Night shift"])
    #expect(try client.column("exclusive", "/api/v1/lists") == ["false", "false", "false", "false", "true"])
    let one = try client.table("/api/v1/lists/\(ids[1])")
    #expect(one["title"] == "Freunde & Co" && one["replies_policy"] == "followed")
    let members = try client.column("username", "/api/v1/lists/\(ids[0])/accounts")
    #expect(members == ["kai_demo", "ana_forno", "haru_neko"])
    #expect(try client.column("username", "/api/v1/lists/\(ids[0])/accounts?limit=2").count == 2)
  }

  @Test(
    "A list contains its members' posts from the home timeline; paging misses none", arguments: MastodonFlavour.allCases
  )
  func members(flavour: MastodonFlavour) throws {
    var client = try MastodonTestClient.loggedIn(flavour)
    let path = Self.all + "list/" + (try client.column("id", "/api/v1/lists")[0])
    var ids = try client.column("id", path + "?limit=7")
    if flavour == .snac {
      #expect(client.get(path).headers.first("Link") == nil, "snac has links only for the home timeline")
      while let last = ids.last {
        let page = try client.column("id", path + "?limit=7&max_id=\(last)")
        if page.isEmpty { break }
        ids += page
      }
    } else {
      ids = try client.whole("id", path + "?limit=7")
    }
    #expect(Set(ids).count == ids.count && ids.count > 40)
    var home = try client.ids("?limit=40")
    while let last = home.last {
      let page = try client.ids("?limit=40&max_id=\(last)")
      if page.isEmpty { break }
      home += page
    }
    #expect(home.filter { ids.contains($0) } == ids)
    let authors = Set(try client.column("account.username", path + "?limit=40"))
    #expect(authors == ["kai_demo", "ana_forno", "haru_neko"])
  }

  @Test("The posts of an exclusive list are never in the home timeline, and can be requested by their ids")
  func exclusive() throws {
    var client = try MastodonTestClient.loggedIn()
    let list = try client.column("id", "/api/v1/lists")[4]
    let ids = try client.whole("id", Self.all + "list/\(list)?limit=40")
    #expect(ids.count > 100)
    #expect(Set(try client.column("account.username", Self.all + "list/\(list)")) == ["tide_table", "nachtradio"])
    let home = try client.whole("account.username", Self.all + "home?limit=40").prefix(400)
    #expect(home.count == 400 && !home.contains("tide_table") && !home.contains("nachtradio"))
    #expect(try client.table("/api/v1/statuses/\(ids[3])")["id"] == ids[3])
  }

  @Test("The list's policy decides which replies it contains")
  func replies() throws {
    var client = try MastodonTestClient.loggedIn()
    let lists = try client.column("id", "/api/v1/lists")
    func replies(_ list: String) throws -> Set<String> {
      Set(try client.whole("in_reply_to_account_id", Self.all + "list/\(list)?limit=40")).subtracting([""])
    }
    let friends: Set = ["14000102", "14000107", "14000202"]
    #expect(try replies(lists[0]).isSubset(of: friends))
    #expect(try !replies(lists[1]).isEmpty)
    #expect(try replies(lists[2]).isEmpty)
  }

  @Test("An unknown list is not found, but on snac, it is an empty timeline")
  func unknown() throws {
    for flavour in MastodonFlavour.allCases {
      var client = try MastodonTestClient.loggedIn(flavour)
      let response = client.get(Self.all + "list/99")
      #expect(response.status == (flavour == .snac ? .ok : .notFound))
      #expect(flavour != .snac || response.text == "[]")
      #expect(client.get("/api/v1/lists/99").status == .notFound)
    }
  }

  @Test("A hashtag's timeline has posts from inside and outside the home timeline, and no reposts")
  func tags() throws {
    var client = try MastodonTestClient.loggedIn()
    let ids = try client.whole("id", Self.all + "tag/astronomy?limit=9")
    #expect(ids == ids.sorted(by: >) && Set(ids).count == ids.count)
    #expect(try client.column("id", Self.all + "tag/ASTRONOMY?limit=3") == Array(ids.prefix(3)))
    let authors = try client.whole("account.username", Self.all + "tag/astronomy?limit=40")
    #expect(Set(authors) == ["hill_observatory", "comet_hunter"])
    let contents = try client.whole("content", Self.all + "tag/astronomy?limit=40")
    #expect(contents.allSatisfy { $0.contains("/tags/astronomy") })
    #expect(Set(try client.whole("reblog.id", Self.all + "tag/astronomy?limit=40")) == [""])
    #expect(try client.column("account.username", Self.all + "tag/%E7%8C%AB").contains("haru_neko"))
    #expect(try client.column("id", Self.all + "tag/nothing").isEmpty)
    var snac = try MastodonTestClient.loggedIn(.snac)
    #expect(try snac.column("id", Self.all + "tag/%E7%8C%AB").isEmpty, "snac finds only ASCII tags")
    #expect(try client.column("name", "/api/v1/followed_tags") == ["astronomy", "猫"])
  }

  @Test("A published post with a hashtag is in the hashtag's timeline if it is public")
  func ownTags() throws {
    var client = try MastodonTestClient.loggedIn()
    for (text, visibility) in [("public #owls", "public"), ("secret #owls", "private")] {
      let post = client.post(
        "/api/v1/statuses", form: [Parameter("status", text), Parameter("visibility", visibility)])
      #expect(post.status == .ok)
    }
    #expect(try client.column("visibility", Self.all + "tag/owls") == ["public"])
    #expect(try client.column("visibility", "/api/v1/accounts/14000001/statuses?tagged=owls") == ["private", "public"])
  }

  @Test("An account's posts can be filtered, and are found by the account's address")
  func account() throws {
    var client = try MastodonTestClient.loggedIn()
    let account = try client.table("/api/v1/accounts/lookup?acct=kai_demo@far.example")
    #expect(account["id"] == "14000102")
    #expect(try client.table("/api/v1/accounts/lookup?acct=mira_demo@127.0.0.1:4000")["username"] == "mira_demo")
    #expect(client.get("/api/v1/accounts/lookup?acct=nobody").status == .notFound)
    let path = "/api/v1/accounts/14000102/statuses?limit=40"
    #expect(Set(try client.whole("account.username", path)) == ["kai_demo"])
    #expect(try client.whole("reblog.id", path).contains { !$0.isEmpty })
    #expect(try client.whole("reblog.id", path + "&exclude_reblogs=true").allSatisfy(\.isEmpty))
    #expect(try client.whole("in_reply_to_id", path + "&exclude_replies=True").allSatisfy(\.isEmpty))
    #expect(try client.whole("media_attachments.0.id", path + "&only_media=1").allSatisfy { !$0.isEmpty })
    #expect(try client.column("id", path + "&pinned=true").isEmpty)
    let link = client.get(path + "&only_media=1").headers.first("Link") ?? ""
    #expect(link.contains("statuses?limit=40&only_media=1&max_id="), "links repeat the filters")
    #expect(client.get("/api/v1/accounts/7/statuses").status == .notFound)
  }

  @Test("GoToSocial and snac have their own rules for an account's posts")
  func accountElsewhere() throws {
    var social = try MastodonTestClient.loggedIn(.goToSocial)
    let path = "/api/v1/accounts/14000102/statuses"
    #expect(try social.column("id", path).count == 30)
    #expect(social.get("/api/v1/accounts/7/statuses").text == "[]")
    var snac = try MastodonTestClient.loggedIn(.snac)
    let all = try snac.column("id", path + "?limit=2")
    #expect(all.count > 20, "snac ignores the limit")
    #expect(try snac.column("id", path + "?min_id=\(all[3])") == Array(all.prefix(3)))
  }

  private static let scoped = [
    ("read:lists", "/api/v1/lists"), ("read:lists", "/api/v1/lists/4201"),
    ("read:lists", "/api/v1/lists/4201/accounts"),
    ("read:lists", "/api/v1/timelines/list/4201"), ("read:statuses", "/api/v1/timelines/tag/trains"),
    ("read:statuses", "/api/v1/accounts/14000102/statuses"), ("read:follows", "/api/v1/followed_tags"),
    ("read:notifications", "/api/v1/notifications"), ("read:notifications", "/api/v1/notifications/unread_count"),
    ("read:bookmarks", "/api/v1/bookmarks"), ("read:favourites", "/api/v1/favourites"),
    ("read:statuses", "/api/v1/markers"),
  ]

  @Test("Each timeline requires its own scope", arguments: scoped)
  func scopes(scope: String, path: String) throws {
    for granted in [scope, "read"] {
      var client = try MastodonTestClient.loggedIn(scopes: granted)
      #expect(client.get(path).status == .ok, "\(granted)")
    }
    var client = try MastodonTestClient.loggedIn(scopes: "write read:search")
    let refused = client.get(path)
    #expect(refused.status == .forbidden)
    #expect(try MastodonTestClient.members(refused)["error"] == "This action is outside the authorized scopes")
    client.server.quirks.refusesScopesAsUnauthorized = true
    #expect(client.get(path).status == .unauthorized, "as WordPress answers")
    #expect(client.get("/api/v1/accounts/lookup?acct=mira_demo").status == .ok, "every token may look up accounts")
  }

  @Test("The server's description states that hashtag timelines are switched off, and they are then empty")
  func switchedOff() throws {
    var client = try MastodonTestClient.loggedIn()
    let access = "configuration.timelines_access.hashtag_feeds.local"
    #expect(try client.table("/api/v2/instance")[access] == "public")
    client.server.quirks.disablesTags = true
    #expect(try client.table("/api/v2/instance")[access] == "disabled")
    #expect(client.get(Self.all + "tag/astronomy").text == "[]")
  }
}
