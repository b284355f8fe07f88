internal import Bytes
package import HTTP
internal import HomelineOAuth

/// The layout of the sandbox's pages. They are small and load no resources.
enum SandboxPage {
  static func response(
    title: Markup, status: StatusCode = .ok, body: Markup, formTargets: String = "'none'"
  ) -> Response {
    let policy =
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'; "
      + "form-action \(formTargets)"
    let html: Markup = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <link rel="icon" href="data:,">
      <style>\(style)</style>
      </head>
      <body>
      <main>
      <h1>\(title)</h1>
      \(body)
      <footer>This is the sandbox: it runs on this computer only, and all people in it are invented.</footer>
      </main>
      </body>
      </html>

      """
    var response = Response(
      status: status, headers: [.contentType: "text/html; charset=utf-8"], body: html.bytes)
    response.headers.set("Cache-Control", "no-store")
    // The server checks the `Origin` of its own forms, which `no-referrer` would replace with `null` (Fetch §3.2).
    response.headers.set("Referrer-Policy", "same-origin")
    response.headers.set("X-Content-Type-Options", "nosniff")
    if let policy = FieldValue(policy) { response.headers.set("Content-Security-Policy", policy) }
    return response
  }

  /// Returns the CSP source that allows the redirect after a form is submitted: Chromium applies `form-action` to redirects too. A source
  /// cannot contain an IPv6 address (CSP3 §2.3.1), so for such addresses it is only the scheme.
  static func formTarget(of callback: RequestURL?) -> String {
    guard let callback else { return "" }
    return callback.host.hasPrefix("[") ? "http:" : callback.origin
  }

  private static let style: Markup = """
    :root{color-scheme:light dark;--ink:#1c2430;--paper:#f4f6f9;--card:#fff;--line:#d9dfe7;--soft:#5b6878;--accent:#1f6f5c}
    @media(prefers-color-scheme:dark){:root{--ink:#e8edf3;--paper:#12171d;--card:#1b222b;--line:#303a46;--soft:#9aa7b6;\
    --accent:#257c66}}
    body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--paper);color:var(--ink);\
    font:16px/1.55 system-ui,sans-serif}
    main{box-sizing:border-box;width:min(27rem,calc(100vw - 2rem));margin:1rem;padding:2rem;background:var(--card);\
    border:1px solid var(--line);border-radius:14px}
    h1{margin:0 0 1rem;font-size:1.45rem;line-height:1.25}
    code{overflow-wrap:anywhere}
    .who{display:flex;gap:.8rem;align-items:center}
    .face{display:grid;place-items:center;width:2.8rem;height:2.8rem;border-radius:50%;background:var(--accent);\
    color:#fff;font-size:1.3rem}
    form{display:flex;gap:.7rem;margin:1.5rem 0}
    button{flex:1;padding:.7rem;font:inherit;color:inherit;background:none;border:1px solid var(--line);\
    border-radius:9px;cursor:pointer}
    .yes{background:var(--accent);border-color:var(--accent);color:#fff;font-weight:600}
    button:focus-visible{outline:3px solid var(--soft);outline-offset:2px}
    .pin{font-size:2.2rem;letter-spacing:.12em;text-align:center}
    footer{font-size:.85rem;color:var(--soft)}
    """
}

extension Request {
  /// Whether the form was sent by a page of this server, or by a program other than a browser. Browsers send the page's `Origin` (RFC 6454
  /// §7).
  var isOwnForm: Bool {
    guard let origin = headers.first("Origin") else { return true }
    return origin == "http://\(headers.first(.host) ?? "")"
  }
}

extension Response {
  init(json: [UInt8], status: StatusCode = .ok) {
    self.init(status: status, headers: [.contentType: "application/json; charset=utf-8"], body: json)
  }

  /// Creates form data with the type `text/html`, as sent by Twitter's OAuth 1.0a endpoints. Clients must not rely on the type.
  init(form: [Parameter]) {
    self.init(
      status: .ok, headers: [.contentType: "text/html;charset=utf-8", "Cache-Control": "no-store"],
      body: Array(FormEncoding.encode(form).utf8))
  }

  package init(status: StatusCode, type: FieldValue, text: String) {
    self.init(status: status, headers: [.contentType: type], body: Array(text.utf8))
  }
}

extension Response {
  /// Creates a redirect to a client, with parameters appended to the existing query (RFC 5849 §2.2, RFC 6749 §4.1.2). Fails if the address
  /// is not a valid header value.
  /// - Parameter query: the parameters, percent-encoded.
  init?(redirectTo address: String, adding query: String, status: StatusCode = .found) {
    let joint =
      switch address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first {
      case nil: "?"
      case "": ""
      default: "&"
      }
    guard let location = FieldValue(address + joint + query) else { return nil }
    self.init(
      status: status,
      headers: ["Location": location, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"])
  }
}
