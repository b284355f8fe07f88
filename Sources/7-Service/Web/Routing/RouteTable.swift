internal import HTTP

/// All pages. Other paths do not exist.
struct RouteTable: Sendable {
  private let routes: [Route]

  enum Match: Sendable {
    case found(Route, parameters: [String: String])
    case notFound
    /// The page exists, but only for these methods (RFC 9110 §15.5.6).
    case otherMethods([RequestMethod])
  }

  init(_ routes: [Route]) { self.routes = routes }

  func match(_ method: RequestMethod, _ path: WebPath) -> Match {
    var others: [RequestMethod] = []
    for route in routes {
      guard let parameters = route.pattern.match(path) else { continue }
      if route.methods.contains(method) { return .found(route, parameters: parameters) }
      others += route.methods
    }
    return others.isEmpty ? .notFound : .otherMethods(others)
  }
}
