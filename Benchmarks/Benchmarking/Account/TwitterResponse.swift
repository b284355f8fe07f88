import HomelineOAuth
internal import Providers
package import Time
package import Timeline

/// A response of Twitter's API v1.1, which the service's provider code reads.
package struct TwitterResponse {
  private static let provider = try? ProviderRegistry.named("twitter")

  private let provider: any Provider
  private let response: ProviderResponse
  private let query = TimelineQuery(count: 200)

  package init(_ body: [UInt8], receivedAt: Timestamp = WallClock.system.now) throws {
    guard let provider = Self.provider else { preconditionFailure("twitter is a provider") }
    self.provider = provider
    response = ProviderResponse(status: 200, body: body, receivedAt: receivedAt, hiding: .nothing)
  }

  package func page() throws -> Page {
    guard case .page(let fetched) = try provider.page(from: response, for: query) else {
      throw BenchFailure.wrongResult("the response is not a page")
    }
    guard fetched.skipped == 0 else {
      throw BenchFailure.wrongResult("\(fetched.skipped) posts in the response could not be read")
    }
    return fetched.page
  }
}
