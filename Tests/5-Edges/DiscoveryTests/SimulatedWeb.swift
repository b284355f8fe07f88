import Bytes
import HTTP

@testable import Discovery

/// Hosts with documents, for a walk from one to another. Everything else is answered with 404 and a web page.
final class SimulatedWeb {
  /// The responses by URL; a URL without a query applies to every query.
  var responses: [String: Response] = [:]
  /// The hosts that are not public, as the connection would show.
  var insideHosts: Set<String> = []
  /// The requests, with the server that named the host.
  private(set) var requests: [(url: String, referrer: String?)] = []

  func add(_ url: String, _ body: String) { responses[url] = Response(status: .ok, body: Array(body.utf8)) }

  func redirect(_ url: String, to target: String, status: Int = 301) {
    var response = Response(status: StatusCode(status))
    if let location = FieldValue(target) { response.headers.set("Location", location) }
    responses[url] = response
  }

  /// Adds a Mastodon-compatible server with one user.
  func addMastodon(_ host: String, users: [String] = []) {
    add("https://\(host)/api/v2/instance", #"{"domain":"\#(host)","title":"Birds","version":"4.5.2"}"#)
    for user in users {
      add(
        "https://\(host)/.well-known/webfinger?resource=acct:\(user)",
        #"{"links":[{"rel":"self","type":"application/activity+json","href":"https://\#(host)/users/robin"}]}"#)
    }
  }

  func discover(_ text: String) throws -> DiscoveredServer {
    guard case .server(let address, let user) = try ServerName(text) else {
      throw DiscoveryError("\(text) is not a server")
    }
    let discovery = ServerDiscovery { [self] (url, referrer) throws(DiscoveryError) in
      requests.append((url.text, referrer))
      if let referrer, insideHosts.contains(url.host) {
        throw DiscoveryError("\(referrer) refers to \(url.authority), which is inside")
      }
      let bare = url.origin + url.path
      return responses[url.text] ?? responses[bare] ?? Response(status: .notFound, body: Array("<html>".utf8))
    }
    return try discovery.server(at: address, user: user)
  }

  func wasAsked(_ url: String) -> Bool { requests.contains { $0.url == url } }
}
