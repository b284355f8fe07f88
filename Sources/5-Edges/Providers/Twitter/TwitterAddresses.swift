internal import Bytes
internal import HomelineOAuth

/// The addresses of Twitter's v1.1 API.
package struct TwitterAddresses: Sendable, Hashable {
  package let oauth: OAuth1Endpoints
  let verifyCredentials: RequestURL
  let homeTimeline: RequestURL

  /// The folder of a GNU social site on a host that can have several, such as `/social`; empty for a site without a folder. Without the
  /// option `fancy`, the site's addresses begin with `index.php`.
  var folder: String {
    let (path, end, script) = (homeTimeline.path, "/api/statuses/home_timeline.json", "/index.php")
    guard path.hasSuffix(end) else { return "" }
    let folder = path.dropLast(end.utf8.count)
    return String(folder.hasSuffix(script) ? folder.dropLast(script.utf8.count) : folder)
  }

  /// Creates the addresses from the API's paths below a server. The account may replace some of them.
  init(_ place: ProviderLocation, below server: String) throws(RequestURLError) {
    oauth = try OAuth1Endpoints(place, below: server, invalidation: "/1.1/oauth/invalidate_token.json")
    verifyCredentials = try place.url(.verifyCredentials, "/1.1/account/verify_credentials.json", below: server)
    homeTimeline = try place.url(.homeTimeline, "/1.1/statuses/home_timeline.json", below: server)
  }

  /// Returns an address of the API, next to the home timeline; `nil` if the home timeline's address does not show where the API is.
  /// - Parameter path: a path such as `statuses/update.json`.
  func endpoint(_ path: String) -> RequestURL? {
    let known = "statuses/home_timeline.json"
    guard homeTimeline.query == nil, homeTimeline.path.hasSuffix("/" + known) else { return nil }
    return try? RequestURL(homeTimeline.text.dropLast(known.count) + path)
  }

  /// The address for publishing a post.
  var update: RequestURL? { endpoint("statuses/update.json") }

  /// The address of the user's own posts.
  var userTimeline: RequestURL? { endpoint("statuses/user_timeline.json") }
}
