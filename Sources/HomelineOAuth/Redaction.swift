/// Takes secrets out of a provider's words before these are shown: servers repeat what they were sent, as GNU social does with
/// `Invalid access token: TOKEN`.
///
/// A secret of 8 bytes or more is found wherever it stands: as it is, percent-encoded in whole or in part, once or twice, and in base64 or
/// base64url, by itself or amid other bytes, as the `Authorization` header of HTTP Basic has it. What is shorter, such as a PIN, could be part
/// of any sentence; it is looked for only in the answer to the request that it was sent with.
public struct Redaction: Sendable, Hashable {
  /// What stands in the place of a secret.
  public static let mark = "[secret]"

  /// How many bytes a secret has that is looked for everywhere.
  public static let leastBytes = SecretSearch.leastBytes

  /// Takes nothing out.
  public static let nothing = Redaction([])

  private let secrets: Set<Secret>

  /// - Parameters:
  ///   - secrets: those shorter than ``leastBytes`` are left aside.
  ///   - sent: what went along with the request whose answer is shown, of any length.
  public init(_ secrets: some Sequence<Secret>, sent: some Sequence<Secret> = []) {
    self.init(
      Set(secrets.filter { $0.withExposed { $0.count >= Self.leastBytes } }).union(sent.filter { !$0.isEmpty }))
  }

  private init(_ secrets: Set<Secret>) { self.secrets = secrets }

  /// Takes out what either of the two does.
  public func union(_ other: Redaction) -> Redaction { Redaction(secrets.union(other.secrets)) }

  /// The text with ``mark`` in the place of each secret.
  public func applied(to text: String) -> String {
    if secrets.isEmpty { return text }
    let bytes = Array(text.utf8)
    var found: [Range<Int>] = []
    for secret in secrets { secret.withExposed { found += SecretSearch($0).places(in: bytes) } }
    if found.isEmpty { return text }
    found.sort { $0.lowerBound < $1.lowerBound }
    var shown: [UInt8] = []
    var end = 0
    for place in found {
      // Two forms of a secret, or two secrets, may overlap.
      if place.lowerBound >= end { shown += bytes[end..<place.lowerBound] + Self.mark.utf8 }
      end = max(end, place.upperBound)
    }
    return String(decoding: shown + bytes[end...], as: UTF8.self)
  }
}

extension Redaction: CustomStringConvertible, CustomReflectable {
  /// How many secrets it knows.
  public var description: String { "\(secrets.count) secrets" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
