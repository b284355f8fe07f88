import StorageTestSupport
import Testing
import Time
import Timeline

@testable import Storage

/// Timelines in the order of the user's marks, such as bookmarks.
extension OtherTimelinesStorageTests {
  private static let bookmarks = try! TimelineName("bookmarks")

  /// Returns a walk through marked posts that began at a time.
  private func walk(_ numbers: Int..., at time: Timestamp, older: PageCursor? = nil) -> Page {
    let entries = numbers.enumerated().map { index, number in
      entry(number).marked(at: TimedPosition(time, id: String(number), rank: 9999 - index).key)
    }
    return Page(entries: entries, older: older)
  }

  @Test(
    "a mark that moves onto the newest page when another is removed is the oldest one, and not new",
    arguments: StoreKind.allCases)
  func marksMovingUp(kind: StoreKind) throws {
    try StoreUnderTest(kind).timeline { storage in
      try insert(walk(1004, 1009, 1001, 1006, at: noon), Self.bookmarks, into: storage)
      let later = noon + .seconds(60)
      let moved = walk(1004, 1001, 1006, 1002, 1008, at: later, older: PageCursor("below"))
      #expect(try insert(moved, Self.bookmarks, into: storage) == [])
      #expect(try ids(storage, Self.bookmarks) == [1004, 1009, 1001, 1006, 1002, 1008])
      #expect(try storage.spans(of: Self.bookmarks).all.map(\.older) == [PageCursor("below")])
      // The page below continues there, although it belongs to a later walk.
      let next = walk(1003, 1007, at: later + .seconds(60))
      try insert(next, Self.bookmarks, into: storage, as: .continuing(PageCursor("below")))
      #expect(try ids(storage, Self.bookmarks) == [1004, 1009, 1001, 1006, 1002, 1008, 1003, 1007])
      #expect(try storage.spans(of: Self.bookmarks).all.count == 1)
      try expectSound(storage, posts: 8)
    }
  }

  @Test("a post that was marked again stays below none of those marked after it", arguments: StoreKind.allCases)
  func markedBelowOneSetAgain(kind: StoreKind) throws {
    try StoreUnderTest(kind).timeline { storage in
      try insert(walk(1004, 1009, 1001, at: noon), Self.bookmarks, into: storage)
      let later = walk(1009, 1002, 1008, at: noon + .seconds(60), older: PageCursor("below"))
      #expect(try insert(later, Self.bookmarks, into: storage) == [1002, 1008])
      #expect(try ids(storage, Self.bookmarks) == [1009, 1002, 1008, 1004, 1001])
      #expect(try storage.spans(of: Self.bookmarks).gaps.map(\.cursor) == [PageCursor("below")])
    }
  }

  @Test("marks beyond the limits do not come back with the next page", arguments: StoreKind.allCases)
  func marksBeyondLimits(kind: StoreKind) throws {
    try StoreUnderTest(kind).timeline { storage in
      let few = Retention(newest: 2)
      try insert(walk(1004, 1009, 1001, 1006, at: noon), Self.bookmarks, into: storage, keeping: few)
      let again = walk(1004, 1009, 1001, 1006, at: noon + .seconds(60))
      #expect(try insert(again, Self.bookmarks, into: storage, keeping: few) == [])
      #expect(try ids(storage, Self.bookmarks) == [1004, 1009])
      let added = walk(1002, 1004, 1009, 1001, at: noon + .seconds(120))
      #expect(try insert(added, Self.bookmarks, into: storage, keeping: few) == [1002])
      #expect(try ids(storage, Self.bookmarks) == [1002, 1004])
    }
    try StoreUnderTest(kind).timeline { storage in
      let short = Retention(days: 1)
      try insert(walk(1004, 1009, at: noon), Self.bookmarks, into: storage, keeping: short)
      let later = noon + .seconds(2 * 86_400)
      for time in [later, later + .seconds(60)] {
        let page = walk(1004, 1009, at: time)
        #expect(try insert(page, Self.bookmarks, into: storage, at: time, keeping: short) == [])
        #expect(try ids(storage, Self.bookmarks) == [])
      }
      for second in [120, 180] {
        let time = later + .seconds(second)
        let page = walk(1002, 1004, 1009, at: time)
        #expect(
          try insert(page, Self.bookmarks, into: storage, at: time, keeping: short) == (second == 120 ? [1002] : []))
        #expect(try ids(storage, Self.bookmarks) == [1002])
      }
      #expect(try storage.spans(of: Self.bookmarks).all.count == 1)
    }
  }

  @Test("a later walk through marked posts joins the known range", arguments: StoreKind.allCases)
  func marks(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      // The order of the marks is not that of the posts.
      #expect(try insert(walk(1002, 1009, 1001, at: noon), Self.bookmarks, into: storage) == [1002, 1009, 1001])
      let known = try storage.spans(of: Self.bookmarks)
      #expect(try insert(walk(1002, 1009, at: noon + .seconds(60)), Self.bookmarks, into: storage) == [])
      #expect(try storage.spans(of: Self.bookmarks) == known)
      #expect(try insert(walk(1005, 1002, at: noon + .seconds(120)), Self.bookmarks, into: storage) == [1005])
      #expect(try ids(storage, Self.bookmarks) == [1005, 1002, 1009, 1001])
      #expect(try storage.spans(of: Self.bookmarks).all.count == 1)
      // A post that was marked again is at the top, and is not new.
      #expect(try insert(walk(1001, 1005, 1002, at: noon + .seconds(180)), Self.bookmarks, into: storage) == [])
      #expect(try ids(storage, Self.bookmarks) == [1001, 1005, 1002, 1009])
      #expect(try storage.spans(of: Self.bookmarks).all.count == 1)
      // The post itself keeps its own position.
      #expect(try storage.post(PostID("1001"), in: .everything)?.mark == entry(1001).mark)
      #expect(try insert(page(1009, 1009), .home, into: storage) == [1009])
      try expectSound(storage, posts: 4)
    }
  }

  @Test("a marked post is kept however old it is, and a limit removes the oldest marks", arguments: StoreKind.allCases)
  func marksOfOldPosts(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      let later = noon + .seconds(400 * 86_400)
      let retention = Retention(days: 1, newest: 2)
      #expect(
        try insert(walk(1002, 1009, 1001, at: later), Self.bookmarks, into: storage, at: later, keeping: retention)
          == [1002, 1009, 1001])
      #expect(try ids(storage, Self.bookmarks) == [1002, 1009])
      try expectSound(storage, posts: 2)
    }
  }
}
