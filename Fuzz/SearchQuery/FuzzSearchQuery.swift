internal import Dispatch
internal import Folders
internal import Platform
internal import Storage
internal import StorageSQLite
internal import Time
internal import Timeline

/// The function that libFuzzer calls with each input. The input is a search query for an archive that contains some
/// common words.
///
/// The function checks that nothing crashes and that SQLite accepts every query that homeline accepts. The results must
/// be unique and in order, and must not exceed the requested number.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSearchQuery(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  do throws(SearchQueryError) {
    let query = try SearchQuery(text)
    queue.sync {
      do throws(StorageError) {
        let keys = try unsafe archive.search(query, limit: 3).map(\.mark.key)
        guard keys.count <= 3, keys == keys.sorted(by: >), Set(keys).count == keys.count else {
          fatalError("the results are not in order: \(keys)")
        }
        _ = try unsafe archive.search(query, author: text, limit: 1)
      } catch { fatalError("\(error): \(text)") }
    }
  } catch {
    guard !error.description.isEmpty else { fatalError("rejected without a message") }
  }
  return 0
}

private let queue = DispatchQueue(label: "archive")

private let texts = [
  "apple pie and tea", "the quick brown fox", "苹果手机 今天 很好", "東京タワー と さくら", "café naïve Ångström", "한국어 검색",
  "100% OR \"quoted\" -minus*",
  "👩‍👩‍👧 🇯🇵 ☕️", "https://example.org/a?b=c#d @jack #tag",
]

nonisolated(unsafe) private let archive: AccountDatabase = {
  guard let base = BaseDirectories(environment: ["HOME": "/nonexistent"]),
    let database = try? AccountDatabase.temporaryStorage(for: FileLayout(base).files(of: "fuzz"), queue: queue)
  else { fatalError("the database cannot be opened") }
  let entries = texts.enumerated().map { number, text in
    let post = Post(
      id: PostID(String(100 - number)), createdAt: Timestamp(seconds: Int64(1_800_000_000 - number)),
      author: User(id: "\(number % 2)", screenName: "jack\(number % 2)", name: "Jack"), text: text)
    return Page.Entry(post: post, key: PostKey(decimal: post.id)!)
  }
  guard (try? archiveInsert(entries, into: database)) != nil else { fatalError("the posts cannot be stored") }
  return database
}()

private func archiveInsert(_ entries: [Page.Entry], into database: AccountDatabase) throws {
  let page = PageWrite(
    Page(entries: entries, older: nil), of: .home, as: .head, receivedAt: Timestamp(seconds: 1_800_000_000))
  _ = try database.insert(page, expecting: database.revision())
}
