internal import HomelineOAuth
package import Bytes

/// Twitter's v1.1 API, which compatible servers still offer: each address can be overridden.
package struct Twitter: TwitterCompatible {
  package static let name = "twitter"

  package let addresses: TwitterAddresses

  /// 15 requests in 15 minutes are allowed for each timeline. With an interval of 90 seconds, a third remains for the user's own refreshes
  /// and for gaps.
  package let traits = ProviderTraits(requestsPerMinute: 120)

  package init?(at place: ProviderLocation) throws(RequestURLError) {
    guard place.version == .oauth1 else { return nil }
    addresses = try TwitterAddresses(place, below: "https://api.twitter.com")
  }

  package var server: String { XServer.identity(addresses.oauth.accessToken.origin) + addresses.folder }

  package func permalink(screenName: String, id: String) -> String? {
    guard isAtX else { return nil }
    // Most posts have such an address, and appending strings takes twice as many instructions.
    let length = 28 + screenName.utf8.count + id.utf8.count
    return unsafe String(unsafeUninitializedCapacity: length) { address in
      var end = 0
      func append(_ part: Span<UInt8>) {
        unsafe part.withUnsafeBufferPointer { part in
          guard let start = part.baseAddress else { return }
          unsafe (address.baseAddress! + end).initialize(from: start, count: part.count)
          end += part.count
        }
      }
      append("https://twitter.com/".utf8.span)
      append(screenName.utf8.span)
      append("/status/".utf8.span)
      append(id.utf8.span)
      return end
    }
  }

  package func refusal(in response: ProviderResponse) -> ProviderFailure? {
    let failure = ProviderFailure(response)
    guard case .closed(let message)? = failure, isAtX, response.status == 403 else { return failure }
    return .closed(
      message
        + " X has closed its v1.1 API to ordinary applications; use the provider 'x', where every post read costs money."
    )
  }

  private var isAtX: Bool { XServer.isOwn(addresses.homeTimeline.host) }
}
