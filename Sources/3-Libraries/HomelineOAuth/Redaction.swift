internal import Bytes
public import OAuthValues

extension OAuth {
  /// Removes secrets from a provider's text before it is shown. Servers may repeat secrets from a request: GNU social, for example, sends
  /// `Invalid access token: TOKEN`.
  ///
  /// A secret of at least ``minimumLength`` bytes is found in any text, unchanged or percent-encoded once or twice, in whole or in part. It
  /// is also found in base64 or base64url, alone or among other bytes, as in an HTTP Basic header. A shorter secret, such as a PIN, could
  /// be part of any sentence, so it is searched for only in the response to the request that contained it.
  public struct Redaction: Sendable, Hashable {
    /// The replacement for a secret.
    public static let mark = "[secret]"

    /// The minimum length, in bytes, of secrets to search for in any text.
    public static let minimumLength = SecretSearch.minimumLength

    /// A redaction that removes nothing.
    public static let nothing = Redaction([])

    private let secrets: Set<Secret>

    /// - Parameters:
    ///   - secrets: the secrets to search for. Secrets shorter than ``minimumLength`` are ignored.
    ///   - sent: the secrets, of any length, in the request that the response belongs to.
    public init(_ secrets: some Sequence<Secret>, sent: some Sequence<Secret> = []) {
      self.init(
        Set(secrets.filter { $0.withExposed { $0.count >= Self.minimumLength } }).union(sent.filter { !$0.isEmpty }))
    }

    private init(_ secrets: Set<Secret>) { self.secrets = secrets }

    /// Returns a redaction that removes the secrets of both redactions.
    public func union(_ other: Redaction) -> Redaction { Redaction(secrets.union(other.secrets)) }

    /// Replaces each secret in the text with ``mark``.
    public func applied(to text: String) -> String {
      if secrets.isEmpty { return text }
      let bytes = Array(text.utf8)
      var found: [Range<Int>] = []
      for secret in secrets { secret.withExposed { found += SecretSearch($0).ranges(in: bytes) } }
      if found.isEmpty { return text }
      found.sort { $0.lowerBound < $1.lowerBound }
      var shown: [UInt8] = []
      var end = 0
      for range in found {
        // Two secrets, or two forms of a secret, may overlap.
        if range.lowerBound >= end { shown += bytes[end..<range.lowerBound] + Self.mark.utf8 }
        end = max(end, range.upperBound)
      }
      return String(decoding: shown + bytes[end...], as: UTF8.self)
    }
  }
}

extension OAuth.Redaction: CustomStringConvertible, CustomReflectable {
  /// The number of secrets.
  public var description: String { "\(secrets.count) secrets" }

  /// An empty mirror, so that `dump` shows no secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

// A short name for this package's other targets. Other packages use the name in the `OAuth` namespace.
package typealias Redaction = OAuth.Redaction
