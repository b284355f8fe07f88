package import HomelineOAuth

/// The embedded provider of the demo and the tests: Twitter's API v1.1, on whatever loopback port it got this time.
package struct SandboxProvider: TwitterDialect {
  package static let name = "sandbox"

  package static func endpoints(at base: RequestURL?) throws(RequestURLError) -> Endpoints? {
    guard let base else { return nil }
    return try Endpoints(twitterPathsAt: base)
  }

  package let endpoints: Endpoints
  package let traits = ProviderTraits(pageSize: 200, reach: 800, overlap: .seconds(10), refreshInterval: .seconds(10))

  /// Not its address, since the port changes from run to run.
  package let server = "sandbox"

  package init(endpoints: Endpoints) { self.endpoints = endpoints }

  /// - Parameter base: such as `http://127.0.0.1:43210`.
  package init(base: String) throws(RequestURLError) {
    self.init(endpoints: try Endpoints(twitterPathsAt: RequestURL(base)))
  }
}
