import CivilTime
import Store
import Timeline

extension Place {
  func database() throws -> AccountDatabase { try AccountDatabase.open(files, at: noon) }
}

/// The post of this number; number 1 is one second younger than number 0.
func entry(_ number: Int, text: String? = nil) -> Page.Entry {
  let id = PostID(String(number))
  let author = User(id: "1", screenName: "a", name: "A")
  return Page.Entry(
    post: Post(id: id, createdAt: Timestamp(seconds: Int64(number)), author: author, text: text ?? "post \(number)"),
    key: PostKey(decimal: id)!)
}

/// The posts from `newest` down to `oldest`, whose cursor is the oldest one's number.
func page(_ newest: Int, _ oldest: Int) -> Page {
  Page(entries: (oldest...newest).map { entry($0) }, older: PageCursor(String(oldest)))
}
