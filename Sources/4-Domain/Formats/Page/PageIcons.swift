package import HTTP

/// The page's icons, each defined once and referenced by name. They are decorative: the text gives the same information.
package enum PageIcons {
  package static func use(_ name: Markup) -> Markup {
    "<svg class=\"icon\" aria-hidden=\"true\"><use href=\"#icon-\(name)\"/></svg>"
  }

  package static let html: Markup = """
    <svg class="icons" aria-hidden="true">\
    \(drawings.map { "<symbol id=\"icon-\($0)\" viewBox=\"0 0 16 16\"><path d=\"\($1)\"/></symbol>" as Markup }.joined())\
    </svg>

    """

  private static let drawings: [(name: Markup, path: Markup)] = [
    ("reply", "M2.5 4.5a2 2 0 0 1 2-2h7a2 2 0 0 1 2 2v4.5a2 2 0 0 1-2 2H7l-3.5 3v-3.2a2 2 0 0 1-1-1.8z"),
    ("repost", "M3 8V6a2 2 0 0 1 2-2h7.5M10 1.5 12.5 4 10 6.5M13 8v2a2 2 0 0 1-2 2H3.5M6 14.5 3.5 12 6 9.5"),
    ("like", "M8 13.5S2 10 2 6a3.2 3.2 0 0 1 6-1.5A3.2 3.2 0 0 1 14 6c0 4-6 7.5-6 7.5z"),
    ("picture", "M2.5 3.5h11v9h-11zM2.5 11l3.5-3.5 3 3 2-2 2.5 2.5M10.5 6.2v.1"),
    ("also", "M6.5 9.5l5-5M8 4.5h3.5V8M11 10v2.5H3.5V5H6"),
  ]
}
