internal import HTTP
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// The fields of the search page, as typed, and what they mean.
struct SearchForm: Sendable {
  enum Field: String, Sendable, Hashable, CaseIterable {
    case query = "q"
    /// An account, or one of its timelines; all accounts if it is empty.
    case place = "in"
    case author = "by"
    case since
    case until
  }

  /// What was typed, without the space around it.
  let typed: [Field: String]
  /// What is wrong with a field.
  private(set) var errors: [Field: String] = [:]
  /// What to search for; `nil` if nothing was typed, or if a field has an error.
  private(set) var search: Search?

  struct Search: Sendable {
    var query: SearchQuery
    var account: AccountName?
    var scope: ArchiveScope
    var author: String?
    var since: Timestamp?
    var until: Timestamp?
  }

  /// Reads the form. An error belongs to its field, so that the page can show it beside what was typed.
  init(_ query: WebQuery, _ archives: WebArchives) throws(WebError) {
    var typed: [Field: String] = [:]
    for field in Field.allCases {
      if let text = query[field.rawValue]?.trimmed, !text.isEmpty { typed[field] = text }
    }
    self.typed = typed
    // An empty form has no errors.
    if typed.isEmpty { return }
    var found: SearchQuery?
    do throws(SearchQueryError) { found = try SearchQuery(typed[.query] ?? "") } catch {
      errors[.query] = error.message.sentence
    }
    let place = try place(archives)
    let times = TypedTime(at: archives.data.clock.now, in: .system, toward: .past)
    var moments: [Field: Timestamp] = [:]
    for field in [Field.since, .until] {
      guard let text = typed[field] else { continue }
      moments[field] = times.read(text)
      if moments[field] == nil {
        errors[field] = "This is not a time. Times look like 2026-11-20, 2026-11-20 15:00, yesterday or 7d."
      }
    }
    if let since = moments[.since], let until = moments[.until], since >= until {
      errors[.until] = "This is not after “Since”, so no post can be found."
    }
    guard errors.isEmpty, let found, let place else { return }
    search = Search(
      query: found, account: place.account, scope: place.scope, author: typed[.author], since: moments[.since],
      until: moments[.until])
  }

  /// Reads which posts are searched.
  /// - Returns: `nil` if the field has an error.
  private mutating func place(
    _ archives: WebArchives
  ) throws(WebError) -> (account: AccountName?, scope: ArchiveScope)? {
    guard let text = typed[.place] else { return (nil, .withoutPrivate) }
    let (name, timeline) = TimelineKey.parts(of: text)
    do throws(WebError) {
      let account = try archives.account(named: name)
      guard let timeline else { return (account, .withoutPrivate) }
      return (account, .timeline(try archives.timeline(named: timeline, of: account).timeline))
    } catch {
      guard error.status == .notFound else { throw error }
      errors[.place] = error.title + "."
      return nil
    }
  }

  /// The address of the search's first page.
  var address: WebAddress {
    Field.allCases.reduce(WebAddress("search")) { address, field in
      typed[field].map { address.with(field.rawValue, $0) } ?? address
    }
  }
}
