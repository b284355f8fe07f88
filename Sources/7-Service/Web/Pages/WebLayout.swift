internal import HTTP

/// What surrounds the content of each page: the head, the navigation and the foot.
struct WebLayout: Sendable {
  let files: StaticFiles

  func html(of page: WebPage) -> Markup {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>\(page.title) · homeline</title>
    <link rel="icon" href="\(files.icon.address.text)">
    <link rel="stylesheet" href="\(files.style.address.text)">
    </head>
    <body>
    <a class="skip" href="#main">Skip to the content</a>
    \(page.isInside ? Self.navigation(at: page.place) : Markup())\
    <main class="sheet" id="main" tabindex="-1">
    <h1>\(page.title)</h1>
    \(page.content)\
    </main>
    <footer class="foot">homeline, on this computer\(page.isInside ? Self.leaving : Markup())</footer>
    </body>
    </html>

    """
  }

  private static let leaving: Markup =
    " <form method=\"post\" action=\"/leave\"><button>Leave in this browser</button></form>"

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
    case .status: "Status"
    case .feeds: "Feeds"
    }
  }

  fileprivate var address: WebAddress {
    switch self {
    case .home: .home
    case .search: WebAddress("search")
    case .status: WebAddress("status")
    case .feeds: WebAddress("feeds")
    }
  }
}
