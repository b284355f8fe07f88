package import HomelineOAuth
package import Timeline

/// A request to sign and send.
package struct ProviderRequest: Sendable, Hashable {
  /// `GET` or `POST`.
  package let method: String
  /// With the query of a GET in it.
  package let url: RequestURL
  /// The parameters of a POST's form body.
  package let form: [Parameter]
  /// Headers besides those that signing and sending bring.
  package let headers: [Header]

  package struct Header: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The same with a parameter more: in the form of a POST, else in the query.
  package func adding(_ parameter: Parameter) -> ProviderRequest {
    if method == "POST" {
      return ProviderRequest(method: method, url: url, form: form + [parameter], headers: headers)
    }
    return .get(url, query: [parameter], headers: headers)
  }

  /// - Parameter query: appended to the endpoint's own query.
  package static func get(_ endpoint: RequestURL, query: [Parameter], headers: [Header] = []) -> ProviderRequest {
    let parts = [endpoint.query, FormEncoding.encode(query)].compactMap { $0 }.filter { !$0.isEmpty }
    let target = parts.isEmpty ? endpoint.path : endpoint.path + "?" + parts.joined(separator: "&")
    // The endpoint is valid already; a query so long that it no longer is would be refused by every server, so it is left out.
    let url = try? RequestURL(scheme: endpoint.scheme, hostHeader: endpoint.authority, target: target)
    return ProviderRequest(method: "GET", url: url ?? endpoint, form: [], headers: headers)
  }

  package static func post(_ endpoint: RequestURL, form: [Parameter] = []) -> ProviderRequest {
    ProviderRequest(method: "POST", url: endpoint, form: form, headers: [])
  }
}

/// The requested part of a timeline; without bounds its newest posts.
package struct TimelineQuery: Sendable, Hashable {
  /// The user's id, if the timeline's address contains it; `nil` before it is known.
  package let userID: String?
  /// From where on downwards; `nil` from the newest post.
  package let older: PageCursor?
  /// Only posts newer than this one.
  package let since: PostPosition?
  /// How many posts at most; the provider's page size limits it.
  package let count: Int
  /// The tag of the last response to the same query, so that unchanged content need not be sent.
  package let etag: String?

  package init(
    userID: String? = nil, older: PageCursor? = nil, since: PostPosition? = nil, count: Int, etag: String? = nil
  ) {
    self.userID = userID
    self.older = older
    self.since = since
    self.count = count
    self.etag = etag
  }
}
