internal import Providers
internal import Storage
internal import Time
internal import Timeline

/// A walk through the posts that the user has marked on the server, such as bookmarks, from the newest mark down to where the stored ones
/// end. A removed mark leaves no other trace.
///
/// A walk lasts for several jobs, among which the newest page is refreshed as usual. Its last step is to read the newest page again, because
/// a post that was marked again in the meantime has moved there. An interrupted walk changes nothing.
struct MarkWalk {
  enum Step: Sendable, Hashable {
    /// Request the page below the last one.
    case below(PageCursor)
    /// Request the newest page, and remove what the walk has not found.
    case newest
  }

  /// The minimum time between the ends of two walks.
  static let interval = Duration.seconds(7 * 86_400)
  /// The pause after a walk that could not be finished.
  static let pause = Duration.seconds(86_400)

  /// The maximum number of pages in a round for a waiting user.
  static let mostPages = 25

  private(set) var step = Step.newest
  /// The posts on the pages of the walk, by the server's ids.
  private var passed: Set<PostID> = []
  private var found: Set<PostID> = []
  private var isComplete = false
  /// Whether a page repeated a post. The server then sends something else than its list, and proves nothing.
  private var isBroken = false

  /// Begins a walk with the newest page. The parameters are those of `take(_:isLast:found:stored:)`.
  init(from page: Page, isLast: Bool, found: Set<PostID>, stored: Int) {
    take(page, isLast: isLast, found: found, stored: stored)
  }

  /// Takes the page of the last step.
  /// - Parameters:
  ///   - isLast: whether the response shows that nothing is below the page.
  ///   - ids: the stored ids of the posts on the page that the timeline contains.
  ///   - stored: the number of posts that the timeline contains.
  mutating func take(_ page: Page, isLast: Bool, found ids: Set<PostID>, stored: Int) {
    let known = passed.count
    passed.formUnion(page.entries.map(\.post.id))
    if passed.count < known + page.entries.count { isBroken = true }
    found.formUnion(ids)
    isComplete = isLast
    // After as many posts as are stored, a page without any of them is below all of them.
    let isBelow = ids.isEmpty && passed.count >= stored
    if let older = page.older, !isBroken, found.count < stored, !isBelow {
      step = .below(older)
    } else {
      step = .newest
    }
  }

  /// Notes a newest page that arrived during the walk.
  /// - Returns: whether it joins the walk. If not, posts between them may have been missed.
  mutating func note(newest ids: Set<PostID>) -> Bool {
    guard found.isEmpty || !found.isDisjoint(with: ids) else { return false }
    found.formUnion(ids)
    return true
  }

  /// Returns the number of pages that the walk needs at most, if the server fills them: down to the last stored post, one without any, and
  /// the newest one.
  func pagesLeft(stored: Int, pageSize: Int) -> Int {
    step == .newest ? 1 : (max(stored - passed.count, 0) + pageSize - 1) / pageSize + 2
  }

  /// The result, to be applied with the newest page; `nil` if there is none.
  var result: WalkedMarks? { isBroken ? nil : WalkedMarks(found: found, isComplete: isComplete) }
}
