/// Why a line that is JSON is no post.
enum ImportedPostError: Error, Hashable, CustomStringConvertible {
  case missing(String)
  case meaninglessID
  case meaninglessKey
  case meaninglessTime(String)
  /// Neither a `key` nor a decimal id.
  case noPlace

  var description: String {
    switch self {
    case .missing(let name): "\(name) is missing"
    case .meaninglessID: "'id' should be a text of 1 to 200 bytes"
    case .meaninglessKey: "'key' should be a text of 1 to 200 ASCII characters without spaces"
    case .meaninglessTime(let name): "'\(name)' should be a time such as 2026-11-20T16:00:00Z"
    case .noPlace: "the post's place is not known: it has no 'key', and its id is no decimal number"
    }
  }
}
