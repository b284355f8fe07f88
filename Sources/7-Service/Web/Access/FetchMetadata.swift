internal import HTTP

/// What a browser says about the origin and the purpose of a request (W3C Fetch Metadata). Programs other than browsers say nothing.
struct FetchMetadata: Sendable, Hashable {
  /// Where the request comes from.
  enum Site: Sendable, Hashable {
    /// A page of the same origin, or the user: a bookmark, a typed address, another program.
    case own
    /// A page of another origin. Another port of this machine is one (`same-site`).
    case other
    /// The browser does not say.
    case unknown
  }

  let site: Site
  /// Whether the user will see the response as a page. Prefetched pages, frames, pictures and requests of scripts are none.
  let isNavigation: Bool
  /// Whether a script has sent the request and may read the response.
  let isFromScript: Bool

  init(_ headers: HeaderFields) {
    site =
      switch headers.all("Sec-Fetch-Site") {
      case []: .unknown
      case ["same-origin"], ["none"]: .own
      default: .other
      }
    isNavigation =
      Self.allows(headers.all("Sec-Fetch-Mode"), "navigate") && Self.allows(headers.all("Sec-Fetch-Dest"), "document")
      && Navigation.isPossible(headers)
    isFromScript =
      Self.allows(headers.all("Sec-Fetch-Mode"), "cors") && Self.allows(headers.all("Sec-Fetch-Dest"), "empty")
  }

  private static func allows(_ values: [String], _ expected: String) -> Bool { values.allSatisfy { $0 == expected } }
}
