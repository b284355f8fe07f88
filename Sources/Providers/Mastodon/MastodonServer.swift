package import HomelineOAuth

/// A server as the configuration names it: a bare host, such as `social.example`, or an address. A path does not count, since the
/// API hangs at the root.
package struct MastodonServer: Sendable, Hashable {
  /// Why a text names no server.
  package enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
    case address(RequestURLError)
    /// `http` to another machine would show the token to everyone between.
    case notEncrypted(host: String)

    package var description: String {
      switch self {
      case .address(let error): "The server is neither a host such as social.example nor an https address. \(error)"
      case .notEncrypted(let host):
        "The server \(host) must be asked with https: write https://\(host) or the bare host."
      }
    }
  }

  /// Its root.
  package let url: RequestURL

  package init(_ text: String) throws(Problem) {
    let url: RequestURL
    do throws(RequestURLError) {
      url = try RequestURL(text.contains("://") ? text : "https://" + text)
    } catch { throw .address(error) }
    try self.init(url)
  }

  package init(_ url: RequestURL) throws(Problem) {
    guard url.isHTTPS || url.isLoopback else { throw .notEncrypted(host: url.host) }
    do throws(RequestURLError) { self.url = try RequestURL(url.origin + "/") } catch { throw .address(error) }
  }

  /// Lower-case, without a default port: with a user's id it identifies an account.
  package var origin: String { url.origin }

  /// - Parameter path: of visible ASCII, with a slash in front.
  func endpoint(_ path: String) -> RequestURL {
    do throws(RequestURLError) { return try RequestURL(origin + path) } catch {
      preconditionFailure("a path of the API is not valid: \(error)")
    }
  }
}
