package import HTTP

/// The timeline as one HTML file to open from disk. It loads only the stored pictures next to it.
enum TimelinePage {
  static func bytes(of publication: Publication) -> [UInt8] {
    let html: Markup = """
      <!DOCTYPE html>
      <html lang="en">
      \(PageHead.html(of: publication))<body>
      \(PageIcons.html)<a class="skip" href="#posts">Skip to posts</a>
      <div class="page">
      \(PageOverview.html(of: publication))\(PageFeed.html(of: publication))</div>
      \(PageHelp.html)<script>\(PageScript.text)</script>
      </body>
      </html>

      """
    return html.bytes
  }
}

/// The head element: title, content security policy and style sheet.
enum PageHead {
  static func html(of publication: Publication) -> Markup {
    """
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(PagePolicy.text)">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="no-referrer">
    <meta name="robots" content="noindex">
    <title>\(title(of: publication.head))</title>
    <link rel="icon" href="\(icon)">
    <style>\(PageStyle.text)</style>
    </head>

    """
  }

  private static func title(of head: TimelineHead) -> Markup {
    let unread: Markup = head.unread > 0 ? "(\(head.unread)) " : ""
    return "\(unread)\(PageText.line(head.account)) · \(PageText.line(TimelineTitle.of(head.timeline)))"
  }

  /// The icon: the three lines of a timeline in a rounded square, as an SVG in a colour that is visible on light and dark tabs.
  private static let icon: Markup =
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E"
    + "%3Crect width='32' height='32' rx='8' fill='%233d63b8'/%3E"
    + "%3Cg fill='%23fff'%3E%3Ccircle cx='9' cy='10' r='2.5'/%3E%3Ccircle cx='9' cy='22' r='2.5'/%3E"
    + "%3Crect x='14' y='8.5' width='11' height='3' rx='1.5'/%3E"
    + "%3Crect x='14' y='20.5' width='11' height='3' rx='1.5'/%3E%3C/g%3E%3C/svg%3E"
}

/// The page's content security policy (CSP Level 3): its own style sheet and script, identified by their digests, and local pictures.
///
/// Scripts and styles that a post injects match no digest and are ignored. Nothing is loaded from the network; `file:` is honoured only for
/// pages opened from a file.
enum PagePolicy {
  static let text: Markup = """
    default-src 'none'; img-src 'self' file: data:; style-src '\(styleDigest)'; script-src '\(scriptDigest)'; \
    base-uri 'none'; form-action 'none'
    """

  /// The SHA-256 of `PageStyle.text`. After a change, a failing test prints the new digest.
  static let styleDigest = "sha256-Ni55J2Z58nvP43DLZFpAZFqEcdnjtHjeETZ0xNIeCWc="
  /// The SHA-256 of `PageScript.text`.
  static let scriptDigest = "sha256-p/erqgrh8ZcophAB8mh7hvHceohc7CAf74YMA6gM5aw="
}

/// The list of keys that the script handles, in a dialog that only the script opens.
package enum PageHelp {
  static let html = html([
    (["j", "k"], "next post, previous post"),
    (["o", "Enter"], "open the original post"),
    (["g", "G"], "first post, last post"),
    (["?"], "this help"),
  ])

  /// - Parameter keys: the keys of each row, and what they do.
  package static func html(_ keys: [([Markup], Markup)]) -> Markup {
    """
    <dialog id="help" aria-labelledby="help-title">
    <h2 id="help-title">Keys</h2>
    <dl class="keys">
    \(keys.map(row).joined())</dl>
    <form method="dialog"><button>Close</button></form>
    </dialog>

    """
  }

  private static func row(_ keys: [Markup], _ effect: Markup) -> Markup {
    "<div><dt>\(keys.map { "<kbd>\($0)</kbd>" as Markup }.joined(separator: " "))</dt><dd>\(effect)</dd></div>\n"
  }
}
