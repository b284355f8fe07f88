import Folders
import Formats
import Platform
import PublishedFiles
import Storage
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

@testable import Settings

@Suite struct ViewPublisherTests {
  private let folder = TemporaryFolder()
  private var layout: FileLayout { StorageHome(folder).layout }
  private let bird = AccountName("bird")!
  private let cat = AccountName("cat")!

  private func keep(_ account: AccountName, _ posts: (Int, String)..., readUpTo read: Int? = nil) throws {
    let database = try AccountDatabase.open(layout.files(of: account.text), at: noon)
    defer { database.close() }
    let entries = posts.map { number, text in entry(number, text: text) }
    try database.insert(Page(entries: entries, older: nil), as: .head) { state in
      state[.home].refreshedAt = noon
      state[.home].nextRefreshAt = noon + .seconds(90)
      state[.home].readUpTo = read.map { entry($0).mark }
    }
  }

  private func published(_ view: ViewSettings) throws -> TimelineFile {
    try ViewPublisher(view, layout: layout, storage: FileStorage(layout)).publish(at: noon)
    return try TimelineFile.read(
      File.read("\(layout.viewFolder(of: view.name.text))/home_timeline.json", limit: 10_000_000))
  }

  private func view(_ change: (inout ViewSettings) -> Void = { _ in }) -> ViewSettings {
    var view = ViewSettings(
      name: AccountName("all")!, timelines: [.home(of: bird), .home(of: cat)], foldsCrossPosts: false)
    change(&view)
    return view
  }

  @Test("a view merges the posts of several accounts by time, each with its account and its unread state")
  func merged() throws {
    try keep(bird, (5, "e"), (3, "c"), (1, "a"), readUpTo: 3)
    try keep(cat, (4, "d"), (2, "b"))
    let file = try published(view())
    #expect(file.posts.map(\.text) == ["e", "d", "c", "b", "a"])
    let fragments = file.fragments.map { String(decoding: $0, as: UTF8.self) }
    #expect(fragments[0].hasSuffix(#","account":"bird","unread":true}"#))
    #expect(fragments[2].hasSuffix(#","account":"bird","unread":false}"#))
    #expect(file.head.unread == 3 && file.head.account == "all" && file.head.provider == "view")
  }

  @Test("a view's posts that do not fit in one batch are merged in order, up to the limit")
  func many() throws {
    let database = try AccountDatabase.open(layout.files(of: bird.text), at: noon)
    try database.insert(page(1000, 1), as: .head)
    database.close()
    try keep(cat, (500, "the cat's"))
    let file = try published(view { $0.keepPosts = 700 })
    #expect(file.posts.count == 700)
    #expect(file.posts.map(\.createdAt) == file.posts.map(\.createdAt).sorted(by: >))
    #expect(file.posts.contains { $0.text == "the cat's" })
  }

  @Test("a view of home and notifications contains each event beside its post, at the time of the event")
  func events() throws {
    try keep(bird, (5, "e"), (3, "c"), (1, "a"))
    let notifications = try TimelineName("notifications")
    let entries = [(9002, 4), (9001, 2)].map { number, minute in
      let actor = User(id: "eve", screenName: "eve", name: "Eve")
      let time = entry(minute).post.createdAt
      let notice = Notice(id: PostID(String(number)), kind: "favourite", actors: [actor], at: time)
      return entry(1, text: "a").noticed(notice, at: PostKey(decimal: notice.id)!)
    }
    let database = try AccountDatabase.open(layout.files(of: bird.text), at: noon)
    let write = PageWrite(Page(entries: entries, older: nil), of: notifications, as: .head, receivedAt: noon)
    _ = try database.insert(write, expecting: database.revision())
    database.close()
    let file = try published(
      view { $0.timelines = [.home(of: bird), TimelineKey(account: bird, timeline: notifications)] })
    #expect(file.posts.map(\.entryID.text) == ["5", "9002", "3", "9001", "1"])
  }

  @Test("a view keeps reading as long as its filter hides posts")
  func filtered() throws {
    let database = try AccountDatabase.open(layout.files(of: bird.text), at: noon)
    try database.insert(page(1000, 1), as: .head)
    database.close()
    try keep(cat, (1, "a needle"))
    let file = try published(view { $0.filter.words = ["needle"] })
    #expect(file.posts.map(\.text) == ["a needle"])
  }

  @Test("a view shows a cross-post only once, with the addresses of the omitted copies")
  func folded() throws {
    let text = "a sentence that is long enough to be the same"
    for (account, number) in [(bird, 7), (cat, 8)] {
      let database = try AccountDatabase.open(layout.files(of: account.text), at: noon)
      var post = entry(number, text: text).post
      post.url = "https://\(account.text).example/\(number)"
      try database.insert(
        Page(entries: [Page.Entry(post: post, key: entry(number).key)], older: nil), as: .head)
      database.close()
    }
    let file = try published(view { $0.foldsCrossPosts = true })
    #expect(file.posts.map(\.url) == ["https://cat.example/8"])
    #expect(String(decoding: file.fragments[0], as: UTF8.self).contains(#""also_at":["https://bird.example/7"]"#))
  }

  @Test("a view leaves out an account without posts, and a stale account makes the view stale")
  func stale() throws {
    let database = try AccountDatabase.open(layout.files(of: cat.text), at: noon)
    try database.update {
      $0[.home].staleSince = noon
      $0[.home].problem = Problem(code: .network, message: "no route")
    }
    database.close()
    let file = try published(view())
    #expect(file.posts.isEmpty && file.head.staleSince == noon && file.head.problem?.message == "cat: no route")
  }
}
