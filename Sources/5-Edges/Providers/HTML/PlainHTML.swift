internal import JSON

/// Converts a post's HTML to plain text: no tags, no scripts, full links.
///
/// Paragraphs are separated by an empty line; quotations begin with `> `, and list items with `- ` or their number. Links show their
/// target, because their text may be truncated or misleading. Control characters are kept, because each output format escapes them as
/// needed.
struct PlainHTML {
  /// The maximum number of HTML bytes to read: about fifty times the length that servers allow. The rest is cut off.
  static let byteLimit = 262_144

  /// The maximum nesting of quotations, lists and items. Content nested more deeply is treated as part of the enclosing element.
  private static let depthLimit = 16
  /// The numbers that a list can begin with.
  private static let listNumbers = -1_000_000_000...1_000_000_000

  /// Returns the text to show for a link or a name.
  typealias Anchor = (_ tag: HTMLTag, _ inner: String) -> String

  private enum Block {
    case quotation
    case list(next: Int?)
    case item
  }

  private let anchor: Anchor
  /// Elements of this class are left out with their content; `nil` for none.
  private let omitted: String?
  private var writer = PlainTextWriter()
  private var blocks: [(block: Block, prefix: String)] = []
  private var preformatted = 0
  private var link: (tag: HTMLTag, start: Int)?
  /// The element that is being left out, and the number of open elements of its name.
  private var omission: (name: String, depth: Int)?

  /// Returns the plain text of a post's HTML.
  /// - Parameters:
  ///   - html: any text, which need not be valid HTML.
  ///   - omitted: a class whose elements are left out.
  ///   - anchor: returns the text to show for a link.
  static func text(
    _ html: String, omitting omitted: String? = nil, anchor: @escaping Anchor = PlainHTML.shown
  ) -> String {
    var plain = PlainHTML(omitted: omitted, anchor: anchor)
    let isCut = html.utf8.count > byteLimit
    var tokenizer = HTMLTokenizer(Array(html.utf8.prefix(byteLimit)))
    while let token = tokenizer.next() { plain.take(token) }
    plain.endLink()
    return plain.writer.result + (isCut ? "…" : "")
  }

  /// Returns the text for a link: its address, preceded by the link's text if that text is different.
  static func shown(_ tag: HTMLTag, _ inner: String) -> String {
    guard let address = tag.attributes["href"], WebAddress.isOne(address) else { return inner }
    let seen = withoutScheme(inner.hasSuffix("…") ? String(inner.dropLast()) : inner)
    return withoutScheme(address).starts(with: seen) ? address : "\(inner) (\(address))"
  }

  /// Returns the part of an address that is usually shown.
  private static func withoutScheme(_ text: String) -> Substring.UTF8View {
    var rest = text[...]
    for beginning in ["https://", "http://", "www."] where rest.hasPrefix(beginning) {
      rest = rest.dropFirst(beginning.utf8.count)
    }
    return rest.utf8
  }

  private init(omitted: String?, anchor: @escaping Anchor) {
    self.omitted = omitted
    self.anchor = anchor
  }

  private mutating func take(_ token: HTMLTokenizer.Token) {
    if omission != nil { return omit(token) }
    switch token {
    case .text(let bytes):
      let text = HTMLReferences.decoded(bytes)
      if preformatted > 0 { writer.write(preformatted: text) } else { writer.write(text) }
    case .tag(let tag) where tag.isEnd: end(tag.name)
    case .tag(let tag):
      if let omitted, tag.hasClass(omitted) { omission = (tag.name, 1) } else { begin(tag) }
    }
  }

  private mutating func omit(_ token: HTMLTokenizer.Token) {
    guard case .tag(let tag) = token, tag.name == omission?.name else { return }
    omission?.depth += tag.isEnd ? -1 : 1
    if omission?.depth == 0 { omission = nil }
  }

  private mutating func begin(_ tag: HTMLTag) {
    switch tag.name {
    case "br": writer.lineBreak()
    case "a":
      endLink()
      link = (tag, writer.place())
    case "img": writer.write(tag.attributes["alt"] ?? "")
    case "blockquote":
      writer.block(breaks: 2)
      open(.quotation, prefix: writer.prefix + "> ")
    case "ul", "ol":
      writer.block(breaks: blocks.isEmpty ? 2 : 1)
      let first =
        tag.name == "ol"
        ? tag.attributes["start"].flatMap { JSONNumber(text: $0).integer(in: Self.listNumbers) } ?? 1 : nil
      open(.list(next: first), prefix: writer.prefix)
    case "li": beginItem()
    case "pre":
      writer.block(breaks: 2)
      preformatted += 1
    default: if let breaks = Self.breaks(around: tag.name) { writer.block(breaks: breaks) }
    }
  }

  private mutating func end(_ name: String) {
    switch name {
    case "a": endLink()
    case "blockquote": close { if case .quotation = $0 { true } else { false } }
    case "ul", "ol": close { if case .list = $0 { true } else { false } }
    case "li": if case .item? = blocks.last?.block { close { _ in true } }
    case "pre":
      preformatted = max(0, preformatted - 1)
      writer.block(breaks: 2)
    default: if let breaks = Self.breaks(around: name) { writer.block(breaks: breaks) }
    }
  }

  private mutating func open(_ block: Block, prefix: String, marker: String = "") {
    guard blocks.count < Self.depthLimit else { return }
    blocks.append((block, writer.prefix))
    writer.begin(prefix: prefix, marker: marker)
  }

  /// Closes the innermost block of a kind and all open blocks within that block; has no effect if no such block is open.
  private mutating func close(_ isMeant: (Block) -> Bool) {
    guard let index = blocks.lastIndex(where: { isMeant($0.block) }) else { return }
    let closed = blocks[index]
    blocks.removeSubrange(index...)
    writer.begin(prefix: closed.prefix)
    if case .item = closed.block { writer.block(breaks: 1) } else { writer.block(breaks: blocks.isEmpty ? 2 : 1) }
  }

  private mutating func beginItem() {
    if case .item? = blocks.last?.block { close { _ in true } }
    writer.block(breaks: 1)
    var marker = "- "
    if case .list(let next?)? = blocks.last?.block {
      marker = "\(next). "
      blocks[blocks.count - 1].block = .list(next: next &+ 1)
    }
    open(.item, prefix: writer.prefix, marker: marker)
  }

  private mutating func endLink() {
    guard let link else { return }
    self.link = nil
    writer.replace(from: link.start, by: anchor(link.tag, writer.text(from: link.start)))
  }

  /// Returns the number of line breaks around an element; `nil` for inline elements.
  private static func breaks(around name: String) -> Int? {
    switch name {
    case "p", "h1", "h2", "h3", "h4", "h5", "h6", "dl", "table", "hr", "figure", "details": 2
    case "div", "dt", "dd", "tr", "figcaption", "summary", "section", "article": 1
    default: nil
    }
  }
}
