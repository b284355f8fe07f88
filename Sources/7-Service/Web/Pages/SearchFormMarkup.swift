internal import HTTP

/// The form of the search page. Each error is beside its field, with what was typed.
struct SearchFormMarkup {
  private let form: SearchForm
  private let places: [String]

  /// - Parameter places: the accounts and timelines that can be chosen.
  init(_ form: SearchForm, _ places: [String]) {
    self.form = form
    self.places = places
  }

  var html: Markup {
    """
    <form class="search" method="get" action="/search" role="search">
    \(input(.query, "Find", "search", form.typed.isEmpty ? " autofocus" : ""))\
    \(choice)\
    \(input(.author, "By", "text", " placeholder=\"name\""))\
    \(input(.since, "Since", "text", " placeholder=\"2026-11-20 or 7d\""))\
    \(input(.until, "Until", "text", " placeholder=\"yesterday 18:00\""))\
    <p class="buttons"><button type="submit">Search</button></p>
    </form>
    <details class="syntax"><summary>What you can search for</summary>
    <dl>\
    \(Self.syntax.map { "<div><dt><code>\($0)</code></dt><dd>\($1)</dd></div>" as Markup }.joined())</dl></details>

    """
  }

  private static let syntax: [(Markup, Markup)] = [
    ("cat dog", "both"), ("&quot;full moon&quot;", "exactly this"), ("cat OR dog", "one of the two"),
    ("cat -dog", "the first without the second"), ("photo*", "all that begin with photo"),
    ("@mia", "only in authors’ names"),
  ]

  private func input(_ field: SearchForm.Field, _ label: Markup, _ type: Markup, _ more: Markup) -> Markup {
    """
    <p class="field"><label for="\(field.rawValue)">\(label)</label> \
    <input id="\(field.rawValue)" name="\(field.rawValue)" type="\(type)" value="\(form.typed[field] ?? "")" dir="auto" \
    autocapitalize="none"\(more)\(reference(field))>\(error(field))</p>

    """
  }

  private var choice: Markup {
    let typed = form.typed[.place] ?? ""
    let known = typed.isEmpty || places.contains(typed) ? places : places + [typed]
    let options = known.map { place -> Markup in
      let mark: Markup = place == typed ? " selected" : ""
      return "<option value=\"\(place)\"\(mark)>\(place)</option>\n"
    }
    return """
      <p class="field"><label for="in">In</label> <select id="in" name="in"\(reference(.place))>
      <option value="">all accounts</option>
      \(options.joined())</select>\(error(.place))</p>

      """
  }

  private func reference(_ field: SearchForm.Field) -> Markup {
    form.errors[field] == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"\(field.rawValue)-error\""
  }

  private func error(_ field: SearchForm.Field) -> Markup {
    form.errors[field].map { " <span class=\"error\" id=\"\(field.rawValue)-error\">\($0)</span>" } ?? ""
  }
}
