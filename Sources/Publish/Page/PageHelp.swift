/// The keys that the page's script obeys, in a dialog that only the script opens.
enum PageHelp {
  static let html =
    "<dialog id=\"help\" aria-labelledby=\"help-title\">\n<h2 id=\"help-title\">Keys</h2>\n<dl class=\"keys\">\n"
    + keys.map { "<div><dt>\($0.map { "<kbd>\($0)</kbd>" }.joined(separator: " "))</dt><dd>\($1)</dd></div>\n" }
    .joined()
    + "</dl>\n<form method=\"dialog\"><button>Close</button></form>\n</dialog>\n"

  private static let keys = [
    (["j", "k"], "the next post, the one before"),
    (["o", "Enter"], "open the post where it was published"),
    (["g", "G"], "to the top, to the end"),
    (["?"], "this help"),
  ]
}
