package import CivilTime
package import HomelineOAuth
package import Timeline

/// A request to sign and send.
package struct ProviderRequest: Sendable, Hashable {
  /// `GET`, `POST` or `DELETE`.
  package let method: String
  /// The URL, including the query of a GET request.
  package let url: RequestURL
  /// The parameters in a POST request's form body.
  package let form: [Parameter]
  /// Headers in addition to those added when signing and sending.
  package let headers: [Header]
  /// A body instead of the form; `nil` for the form, or for none.
  package var body: Body?

  /// A body that is not signed (RFC 5849 §3.4.1.3.1).
  package enum Body: Sendable, Hashable {
    case json([UInt8])
    /// A form with text fields and a file (`multipart/form-data`).
    case multipart([Parameter], MultipartFile)
  }

  package struct Header: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Returns the same request with an additional parameter: in the form of a POST request, otherwise in the query.
  package func adding(_ parameter: Parameter) -> ProviderRequest {
    switch (method, body) {
    case ("POST", .multipart(let fields, let file)):
      return ProviderRequest(
        method: method, url: url, form: form, headers: headers, body: .multipart(fields + [parameter], file))
    case ("POST", nil): return ProviderRequest(method: method, url: url, form: form + [parameter], headers: headers)
    default:
      let url = ProviderRequest.get(url, query: [parameter]).url
      return ProviderRequest(method: method, url: url, form: form, headers: headers, body: body)
    }
  }

  /// Returns a GET request.
  /// - Parameter query: appended to the endpoint's own query.
  package static func get(_ endpoint: RequestURL, query: [Parameter], headers: [Header] = []) -> ProviderRequest {
    let parts = [endpoint.query, FormEncoding.encode(query)].compactMap { $0 }.filter { !$0.isEmpty }
    let target = parts.isEmpty ? endpoint.path : endpoint.path + "?" + parts.joined(separator: "&")
    // The endpoint is valid. The URL is invalid only if the query is too long; every server would reject such a query, so it is left out.
    let url = try? RequestURL(scheme: endpoint.scheme, hostHeader: endpoint.authority, target: target)
    return ProviderRequest(method: "GET", url: url ?? endpoint, form: [], headers: headers)
  }

  package static func post(_ endpoint: RequestURL, form: [Parameter] = []) -> ProviderRequest {
    ProviderRequest(method: "POST", url: endpoint, form: form, headers: [])
  }

  /// Returns a POST request with a JSON body.
  static func post(_ endpoint: RequestURL, json: [UInt8]) -> ProviderRequest {
    ProviderRequest(method: "POST", url: endpoint, form: [], headers: [], body: .json(json))
  }

  /// Returns a POST request with a form that contains a file.
  static func upload(to endpoint: RequestURL, _ fields: [Parameter], _ file: MultipartFile) -> ProviderRequest {
    ProviderRequest(method: "POST", url: endpoint, form: [], headers: [], body: .multipart(fields, file))
  }

  static func delete(_ endpoint: RequestURL) -> ProviderRequest {
    ProviderRequest(method: "DELETE", url: endpoint, form: [], headers: [])
  }
}

/// The file of a multipart form: one of the post's files, or a part of one.
package struct MultipartFile: Sendable, Hashable {
  /// The field's name.
  package let field: String
  /// The position of the file among the post's files. It is ignored in uploads, which concern only one file.
  package let index: Int
  /// The range of bytes in the file's content.
  package let range: Range<Int>
  /// The media type.
  package let type: String

  package init(field: String, index: Int = 0, range: Range<Int>, type: String) {
    self.field = field
    self.index = index
    self.range = range
    self.type = type
  }
}

/// The requested part of a timeline; without bounds, its newest posts.
package struct TimelineQuery: Sendable, Hashable {
  /// The user's id, if the timeline's address contains it; `nil` before it is known.
  package let userID: String?
  /// The position below which posts are requested; `nil` for the newest posts.
  package let older: PageCursor?
  /// The post above which posts are requested.
  package let since: PostPosition?
  /// The maximum number of posts; the provider's page size limits it further.
  package let count: Int
  /// The entity tag of the last response to the same query, so that unchanged content need not be sent.
  package let etag: String?
  /// The current time, for a provider whose first page begins at a time.
  package let time: Timestamp?

  package init(
    userID: String? = nil, older: PageCursor? = nil, since: PostPosition? = nil, count: Int, etag: String? = nil,
    time: Timestamp? = nil
  ) {
    self.time = time
    self.userID = userID
    self.older = older
    self.since = since
    self.count = count
    self.etag = etag
  }
}
