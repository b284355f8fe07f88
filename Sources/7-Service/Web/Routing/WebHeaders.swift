internal import HTTP

/// The header fields of all responses.
enum WebHeaders {
  /// How long browsers may keep a response.
  enum Keeping {
    /// Not at all: it may contain posts.
    case never
    /// For ever: the content of this address never changes.
    case forever
    /// As long as the server confirms the response by its `ETag`.
    case whileConfirmed

    fileprivate var value: FieldValue {
      switch self {
      case .never: "no-store"
      case .forever: "private, max-age=31536000, immutable"
      case .whileConfirmed: "private, no-cache"
      }
    }
  }

  /// Returns the fields of a response.
  /// - Parameter type: the media type; nil for a response without content.
  static func fields(_ type: FieldValue?, keeping: Keeping) -> HeaderFields {
    var headers = HeaderFields(always)
    if let type { headers.append(.contentType, type) }
    headers.append("Cache-Control", keeping.value)
    return headers
  }

  /// Created only once, because creating a field validates its name and value.
  private static let always = [
    // Nothing from elsewhere is loaded, and no other page may frame this one (CSP Level 3). The script turns no string into HTML (Trusted
    // Types).
    HeaderFields.Field(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    // With `no-referrer`, browsers send `Origin: null` with our own forms. Other origins get no referrer.
    HeaderFields.Field("Referrer-Policy", "same-origin"),
    HeaderFields.Field("X-Content-Type-Options", "nosniff"),
    HeaderFields.Field("Cross-Origin-Opener-Policy", "same-origin"),
    HeaderFields.Field("Cross-Origin-Resource-Policy", "same-origin"),
  ]
}
