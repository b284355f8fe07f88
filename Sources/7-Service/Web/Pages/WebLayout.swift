internal import Formats
internal import HTTP

/// What surrounds the content of each page: the head, the navigation and the foot.
struct WebLayout: Sendable {
  let files: StaticFiles
  /// The moment before pages are made; see ``LiveStreams``.
  private var moment = ""

  init(files: StaticFiles) { self.files = files }

  /// Returns the layout of pages that are made after a moment.
  func at(_ moment: String) -> WebLayout {
    var layout = self
    layout.moment = moment
    return layout
  }

  func html(of page: WebPage) -> Markup {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>\(page.unread > 0 ? "(\(page.unread)) " : "")\(page.title) · homeline</title>
    <link rel="icon" href="\(files.icon.address.text)">
    <link rel="stylesheet" href="\(files.style.address.text)">
    \(page.isInside ? script : Markup())\
    </head>
    <body>
    <a class="skip" href="#main">Skip to the content</a>
    \(page.isInside ? Self.navigation(at: page.place) : Markup())\
    <main class="sheet" id="main" tabindex="-1"\(page.live.map(following) ?? Markup())>
    <h1>\(page.title)</h1>
    \(page.message?.html ?? Markup())\
    \(page.content)\
    </main>
    <footer class="foot">homeline, on this computer\(page.isInside ? Self.leaving : Markup())</footer>
    \(page.isInside ? Self.help : Markup())\
    </body>
    </html>

    """
  }

  private var script: Markup { "<script src=\"\(files.script.address.text)\" defer></script>\n" }

  private func following(_ page: WebAddress) -> Markup { " data-live=\"\(page.text)\" data-moment=\"\(moment)\"" }

  private static let help = PageHelp.html([
    (["j", "k"], "next post, previous post"),
    (["o", "Enter"], "open the conversation"),
    (["g", "G"], "first post, last post"),
    (["l", "b"], "like, repost"),
    (["r", "n"], "reply, write a post"),
    (["u"], "read up to here"),
    (["/"], "search"),
    (["?"], "this help"),
  ])

  private static let leaving: Markup =
    " <span id=\"zone\">Times and days are in UTC.</span> <button type=\"button\" id=\"keys\" hidden>Keys <kbd>?</kbd></button> <form method=\"post\" action=\"/leave\"><button>Leave in this browser</button></form>"

  private static func navigation(at place: WebPage.Place?) -> Markup {
    let entries = WebPage.Place.allCases.map { entry -> Markup in
      let mark: Markup = entry == place ? " aria-current=\"page\"" : ""
      return "<li><a href=\"\(entry.address.text)\"\(mark)>\(entry.name)</a></li>\n"
    }
    return "<header class=\"site\"><nav aria-label=\"Pages\"><ul>\n\(entries.joined())</ul></nav></header>\n"
  }
}

extension WebPage.Place {
  fileprivate var name: String {
    switch self {
    case .home: "Home"
    case .search: "Search"
    case .write: "Write"
    case .outbox: "Outbox"
    case .status: "Status"
    case .feeds: "Feeds"
    }
  }

  fileprivate var address: WebAddress {
    switch self {
    case .home: .home
    case .search: WebAddress("search")
    case .write: WebAddress("post")
    case .outbox: WebAddress("outbox")
    case .status: WebAddress("status")
    case .feeds: WebAddress("feeds")
    }
  }
}
