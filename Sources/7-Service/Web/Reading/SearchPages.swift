internal import Formats
internal import Settings
internal import Storage
internal import StorageSQLite
internal import Time
internal import Timeline

/// Finds posts page by page in one archive or in all of them, latest first.
struct SearchPages {
  let search: SearchForm.Search
  /// Where the page begins; `nil` for the beginning.
  let place: SharedPlace?
  let address: WebAddress

  /// The hits of a page, with the places that match, and what could not be searched.
  struct Page {
    var posts: [PublishedPost] = []
    var matches: [PostMatches] = []
    var older: WebAddress?
    /// The accounts whose archives could not be searched, each with a sentence.
    var problems: [String] = []
  }

  private struct Hit {
    let timed: TimedPost
    let account: AccountName
    var source: String { account.text }
  }

  func page(_ archives: WebArchives) throws(WebError) -> Page {
    var page = Page()
    var hits: [Hit] = []
    let accounts = if let account = search.account { [account] } else { try archives.accounts() }
    for account in accounts {
      do throws(StorageError) { hits += try self.hits(in: account, archives) } catch {
        // An archive that cannot be read does not prevent searching the others.
        if search.account != nil { throw WebError(error, of: account) }
        page.problems.append("\(account) could not be searched: \(error).")
      }
    }
    hits.sort { SharedPlace.isLater($0.timed, of: $0.source, than: $1.timed, of: $1.source) }
    if hits.count > PostPage.size, case let last = hits[PostPage.size - 1] {
      page.older = SharedPlace(last.timed, of: last.source).added(to: address)
    }
    page.posts = hits.prefix(PostPage.size).compactMap { hit in
      (try? PostJSON.read(hit.timed.post.json)).map {
        PublishedPost(post: $0, json: hit.timed.post.json, account: hit.account.text, isUnread: false)
      }
    }
    do throws(StorageError) {
      page.matches = try MatchFinder.matches(of: search.query, in: page.posts.map(\.post))
    } catch { page.matches = page.posts.map { _ in PostMatches() } }
    return page
  }

  /// Returns an account's hits: one more than a page needs, which shows whether there is another page.
  private func hits(in account: AccountName, _ archives: WebArchives) throws(StorageError) -> [Hit] {
    guard let archive = try archives.data.storage.openArchive(.home(of: account)) else { return [] }
    defer { archive.close() }
    return try archive.search(
      search.query, since: search.since, until: search.until, author: search.author, in: search.scope,
      below: place?.moment(for: account.text), limit: PostPage.size + 1
    ).map { Hit(timed: $0, account: account) }
  }
}
