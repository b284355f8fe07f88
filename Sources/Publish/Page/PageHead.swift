/// What stands before the page's body: its title, what it may load, how it looks.
enum PageHead {
  static func html(of publication: Publication) -> String {
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

  private static func title(of head: TimelineHead) -> String {
    let unread = head.unread > 0 ? "(\(head.unread)) " : ""
    return unread + PageText.line(head.account) + " · home timeline"
  }

  /// Three lines of a timeline in a rounded square: an SVG whose colour is seen on light and on dark tabs.
  private static let icon =
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E"
    + "%3Crect width='32' height='32' rx='8' fill='%233d63b8'/%3E"
    + "%3Cg fill='%23fff'%3E%3Ccircle cx='9' cy='10' r='2.5'/%3E%3Ccircle cx='9' cy='22' r='2.5'/%3E"
    + "%3Crect x='14' y='8.5' width='11' height='3' rx='1.5'/%3E"
    + "%3Crect x='14' y='20.5' width='11' height='3' rx='1.5'/%3E%3C/g%3E%3C/svg%3E"
}
