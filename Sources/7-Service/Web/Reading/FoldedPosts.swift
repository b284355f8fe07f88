internal import Bytes
internal import Cryptography
internal import Formats

/// Posts that earlier pages of a view have left out because they repeat a post there. The address of a page names them, so no state is kept
/// between two pages, and a post on the border of two pages is shown once.
///
/// The address contains digests instead of ids, because each form of the page repeats it.
struct FoldedPosts: Sendable, Hashable {
  /// The name of the value in an address.
  static let name = "folded"
  /// The maximum number of posts. Further ones are shown again.
  static let most = 32
  /// The bytes of a digest. A server that chooses its posts' ids may not find one that hides another server's post.
  private static let bytesOfDigest = 9
  private static let separator: Character = "."

  private var digests: [String] = []

  init() {}

  /// - Throws: status 400 if the value is none that a page has written.
  init(_ query: WebQuery) throws(WebError) {
    guard let text = query[Self.name] else { return }
    guard query["before"] != nil else { throw .badAddress("“\(Self.name)” has no meaning without “before”.") }
    digests = text.split(separator: Self.separator, omittingEmptySubsequences: false).map(String.init)
    guard digests.count <= Self.most, digests.allSatisfy({ Base64URL.decode($0)?.count == Self.bytesOfDigest }) else {
      throw .badAddress("The value of “\(Self.name)” is no list of posts.")
    }
  }

  var isEmpty: Bool { digests.isEmpty }

  func contains(_ post: PublishedPost) -> Bool {
    !isEmpty && Self.digest(of: post).map { digests.contains($0) } ?? false
  }

  /// Adds a post, unless there are too many.
  mutating func insert(_ post: PublishedPost) {
    if digests.count < Self.most, let digest = Self.digest(of: post) { digests.append(digest) }
  }

  /// Returns the address of the page that leaves these posts out.
  func added(to address: WebAddress) -> WebAddress {
    isEmpty ? address : address.with(Self.name, digests.joined(separator: String(Self.separator)))
  }

  private static func digest(of post: PublishedPost) -> String? {
    (try? SHA256.digest(of: Array(PageAnchor.name(of: post).utf8))).map {
      Base64URL.encode(Array($0.prefix(bytesOfDigest)))
    }
  }
}
