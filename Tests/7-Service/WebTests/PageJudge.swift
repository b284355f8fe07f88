/// Reads a page's tags and reports what is wrong with them. All markup of the program is written with quoted attributes, and text contains no
/// `<`, so each `<` begins a tag.
struct PageJudge {
  private(set) var faults: [String] = []
  private(set) var ids: Set<String> = []
  private var stack: [String] = []
  private var labelled: Set<String> = []
  private var fields: [String] = []
  private var references: [String] = []
  private var heading = 0

  private static let void: Set<String> = ["meta", "link", "input", "img", "br", "use", "path"]
  private static let elements: Set<String> = [
    "html", "head", "meta", "title", "link", "body", "a", "header", "nav", "ul", "ol", "li", "main", "h1", "h2", "p",
    "footer", "form", "button", "div", "article", "span", "bdi", "time", "svg", "symbol", "path", "use", "img", "br",
    "blockquote", "details", "summary", "section", "strong", "code", "input", "label", "select", "option", "dl", "dt",
    "dd", "dialog", "kbd", "mark", "script",
  ]
  private static let attributes: Set<String> = [
    "charset", "name", "content", "rel", "href", "lang", "class", "id", "tabindex", "aria-current", "aria-label",
    "aria-labelledby", "aria-hidden", "aria-invalid", "aria-describedby", "viewBox", "d", "datetime",
    "title",
    "src", "alt", "loading", "decoding", "dir", "type", "value", "for", "method", "action", "formaction", "role",
    "placeholder",
    "autocapitalize", "spellcheck", "autofocus", "checked", "selected", "open", "hidden", "reversed",
    "defer", "data-live", "data-moment", "data-unread",
  ]

  /// - Parameter html: a whole page, or a part of one.
  init(_ html: String) {
    // A combining character after a tag is part of the text, although Swift counts it with the tag's last character.
    var pieces = html.unicodeScalars.split(separator: "<", omittingEmptySubsequences: false)[...]
    if html.hasPrefix("<!DOCTYPE html>\n") { pieces = pieces.dropFirst(2) } else { pieces = pieces.dropFirst() }
    for piece in pieces {
      guard let end = piece.firstIndex(of: ">") else {
        faults.append("a tag does not end: \(piece.prefix(60))")
        continue
      }
      take(Substring(piece[..<end]))
    }
    if !stack.isEmpty { faults.append("not closed: \(stack)") }
    for field in fields where !labelled.contains(field) { faults.append("the field \(field) has no label") }
    for reference in references where !ids.contains(reference) { faults.append("there is no \(reference)") }
  }

  private mutating func take(_ tag: Substring) {
    if tag.first == "/" {
      let name = String(tag.dropFirst())
      if stack.last == name {
        stack.removeLast()
      } else {
        faults.append("</\(name)> closes \(stack.last ?? "nothing")")
      }
      return
    }
    let isEmpty = tag.last == "/"
    let parts = (isEmpty ? tag.dropLast() : tag).split(separator: "\"", omittingEmptySubsequences: false)
    let names = parts[0].split(separator: " ").map(String.init)
    guard let name = names.first else { return faults.append("a tag without a name") }
    if !Self.elements.contains(name) { faults.append("the element \(name)") }
    var values: [String: String] = [:]
    for index in stride(from: 0, to: parts.count, by: 2) {
      let attributes = parts[index].split(separator: " ").dropFirst(index == 0 ? 1 : 0)
      for attribute in attributes {
        let plain = String(attribute.last == "=" ? attribute.dropLast() : attribute)
        if !Self.attributes.contains(plain) { faults.append("the attribute \(plain) of \(name)") }
        let value = attribute.last == "=" && index + 1 < parts.count ? String(parts[index + 1]) : ""
        if values.updateValue(value, forKey: plain) != nil { faults.append("\(plain) twice") }
      }
    }
    judge(name, values)
    if !Self.void.contains(name), !isEmpty { stack.append(name) }
  }

  private mutating func judge(_ name: String, _ values: [String: String]) {
    if let id = values["id"], !ids.insert(id).inserted { faults.append("the id \(id) twice") }
    for address in [values["href"], values["src"], values["action"], values["formaction"]].compactMap(\.self) {
      let isOwn = address.hasPrefix("/") && !address.hasPrefix("//") || address.hasPrefix("#")
      if !isOwn, !address.hasPrefix("http://"), !address.hasPrefix("https://") || name == "img" {
        faults.append("\(name) leads to \(address)")
      }
      if address.hasPrefix("#") { references.append(String(address.dropFirst())) }
    }
    if name == "script", values["src"]?.hasPrefix("/x/") != true { faults.append("a script within the page") }
    if let label = values["for"] { labelled.insert(label) }
    if name == "input" && values["type"] != "hidden" || name == "select" {
      fields.append(values["id"] ?? "(without an id)")
    }
    for attribute in ["aria-labelledby", "aria-describedby"] {
      if let id = values[attribute] { references.append(id) }
    }
    if name == "img", values["alt"] == nil { faults.append("a picture without a text") }
    if name.count == 2, name.hasPrefix("h"), let level = Int(name.dropFirst()) {
      if level > heading + 1 { faults.append("\(name) follows a heading of level \(heading)") }
      heading = level
    }
  }
}
