internal import Timeline

/// The timeline as one HTML file that a browser shows from the disk: it loads nothing but the pictures that are kept beside it.
enum TimelinePage {
  static func bytes(of publication: Publication) -> [UInt8] {
    var html = "<!DOCTYPE html>\n<html lang=\"en\">\n"
    html += PageHead.html(of: publication)
    html += "<body>\n\(PageIcons.html)<a class=\"skip\" href=\"#posts\">To the posts</a>\n<div class=\"page\">\n"
    html += PageOverview.html(of: publication)
    html += PageFeed.html(of: publication)
    html += "</div>\n\(PageHelp.html)<script>\(PageScript.text)</script>\n</body>\n</html>\n"
    return Array(html.utf8)
  }
}
