package import HTTP

/// A small page for a browser that returns from the provider.
///
/// The page loads no resources and runs no scripts: its icon is an empty `data:` URL, so that no browser requests `/favicon.ico`. Names and
/// providers' messages may contain control characters, and characters that change the text direction; these are
/// removed.
public struct CallbackPage: Sendable, Equatable {
  /// The heading, which is also the window's title.
  public let title: String
  /// The paragraphs below the heading, as plain text.
  public let paragraphs: [String]

  /// Creates a page from plain text, not HTML.
  public init(_ title: String, _ paragraphs: String...) {
    self.title = title
    self.paragraphs = paragraphs
  }

  /// Returns a response that contains the page.
  /// - Parameter application: the name of your program, shown in the window's title and at the foot of the page.
  package func response(_ status: StatusCode, for application: String) -> Response {
    var headers = Self.pageHeaders
    if status == .methodNotAllowed { headers.set("Allow", "GET, HEAD") }  // RFC 9110 §15.5.6
    return Response(status: status, headers: headers, body: html(application).bytes)
  }

  /// Returns header fields together with those that all of the listener's responses contain.
  static func headers(_ own: HeaderFields) -> HeaderFields {
    var headers = own
    for field in alwaysSent { headers.set(field.name, field.value) }
    return headers
  }

  /// The fields in all responses, created only once because creating a field validates its name and value.
  private static let alwaysSent = [
    HeaderFields.Field(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    HeaderFields.Field("Cache-Control", "no-store"),
    // Without this field, browsers send the whole redirect URL, including its code, as the Referer of their next request.
    HeaderFields.Field("Referrer-Policy", "no-referrer"),
    HeaderFields.Field("X-Content-Type-Options", "nosniff"),
    HeaderFields.Field("Cross-Origin-Opener-Policy", "same-origin"),
  ]

  private static let pageHeaders = headers([.contentType: "text/html; charset=utf-8"])

  /// Returns the page. One literal allocates it once; building it in steps would take a tenth of a callback's time.
  private func html(_ application: String) -> Markup {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(line: title) · \(line: application)</title>
    <link rel="icon" href="data:,">
    <style>
    :root { color-scheme: light dark; }
    body { font: 1.1rem/1.6 system-ui, sans-serif; max-width: 34rem; margin: 18vh auto 0; padding: 0 1.5rem; }
    h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .75rem; }
    p { margin: .4rem 0; overflow-wrap: anywhere; text-wrap: pretty; }
    footer { margin-top: 2.5rem; opacity: .6; font-size: .9rem; }
    </style>
    </head>
    <body>
    <main>
    <h1>\(line: title)</h1>
    \(paragraphs: paragraphs)</main>
    <footer>\(line: application), on this computer</footer>
    </body>
    </html>

    """
  }
}

extension Markup.Interpolation {
  fileprivate mutating func appendInterpolation(paragraphs: [String]) {
    for paragraph in paragraphs {
      appendLiteral("<p>")
      appendInterpolation(line: paragraph)
      appendLiteral("</p>\n")
    }
  }
}
