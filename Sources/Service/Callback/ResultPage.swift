package import HTTP
internal import Publish

/// The small pages that a person's browser gets from the callback listener.
///
/// They load nothing (the icon is an empty `data:` one, so no browser asks for `/favicon.ico`), run nothing and escape everything. A name or
/// a provider's words are freed of control characters and of what would reorder the text around them.
package struct ResultPage: Sendable, Equatable {
  let title: String
  let sentences: [String]

  package init(_ title: String, _ sentences: String...) {
    self.title = title
    self.sentences = sentences
  }

  package func response(_ status: StatusCode) -> Response {
    Response(status: status, headers: ResultPage.headers(ResultPage.contentFields), body: Array(html.utf8))
  }

  /// The fields that every answer of the callback listener carries.
  static func headers(_ own: HeaderFields) -> HeaderFields {
    var headers = own
    for field in alwaysSent { headers.set(field.name, field.value) }
    return headers
  }

  /// Made once: each name and value is checked when it is made.
  private static let alwaysSent = [
    HeaderFields.Field(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    HeaderFields.Field("Cache-Control", "no-store"),
    // Browsers would else send the whole callback URL, verifier and all, as the Referer of their next request.
    HeaderFields.Field("Referrer-Policy", "no-referrer"),
    HeaderFields.Field("X-Content-Type-Options", "nosniff"),
    HeaderFields.Field("Cross-Origin-Opener-Policy", "same-origin"),
  ]

  private static let contentFields: HeaderFields = [.contentType: "text/html; charset=utf-8"]

  private static func text(_ text: String) -> String { HTML.escaped(SafeText.line(of: text)) }

  private var html: String {
    let paragraphs = sentences.map { "<p>\(Self.text($0))</p>" }.joined(separator: "\n")
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(Self.text(title)) · homeline</title>
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
      <h1>\(Self.text(title))</h1>
      \(paragraphs)
      </main>
      <footer>homeline, on this computer</footer>
      </body>
      </html>

      """
  }
}

/// What a browser that came back is told.
package enum CallbackReply: Sendable, Equatable {
  /// It belongs to this login: the page that says how it ends is the login's own.
  case accepted
  /// No login waits for that token.
  case unknownToken
  /// It says nothing that could be used; the reason as a sentence.
  case unusable(String)
}
