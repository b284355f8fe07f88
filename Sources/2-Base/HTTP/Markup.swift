/// HTML, or XML such as a feed. Every `String` in an interpolation is escaped, so text from outside cannot become markup by mistake:
///
/// ```swift
/// let name = "<script>"
/// let line: Markup = "<p title=\"\(name)\">\(name)</p>"
/// let page: Markup = "<main>\(line)</main>"
/// ```
///
/// Only a literal in the source code is markup as it stands, which includes constants such as a style sheet: `static let style: Markup`.
/// There is no initialiser that takes a `String` unescaped. A value can stand where an escaped `String` is safe: in the content of an
/// element other than `script` and `style`, and in a quoted attribute. Addresses need a check of their own, because `javascript:` survives
/// escaping.
package struct Markup: Hashable, Sendable {
  /// The markup in UTF-8.
  package private(set) var bytes: [UInt8]

  package init() { bytes = [] }

  fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

  /// Creates markup that shows the text. The five special characters become references; characters that XML does not allow (control
  /// characters other than tab, LF and CR, and U+FFFE and U+FFFF) are removed.
  package init(escaping text: String) {
    bytes = []
    MarkupEscape.append(text, to: &bytes)
  }

  package var isEmpty: Bool { bytes.isEmpty }

  /// The markup as a string, for a place that takes no bytes. In an interpolation, this string is escaped once more.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package static func += (markup: inout Markup, more: Markup) { markup.bytes.append(contentsOf: more.bytes) }

  package static func + (first: Markup, second: Markup) -> Markup {
    var both = first
    both += second
    return both
  }
}

extension Markup: ExpressibleByStringInterpolation {
  /// - Parameter literal: a `StaticString`, which only a literal in the source code can create.
  package init(stringLiteral literal: StaticString) {
    self.init()
    literal.appendUTF8(to: &bytes)
  }

  package init(stringInterpolation interpolation: Interpolation) { bytes = interpolation.bytes }

  /// Collects the literals and the values of an interpolation.
  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var bytes: [UInt8] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      bytes.reserveCapacity(literalCapacity + 32 * interpolationCount)
    }

    package mutating func appendLiteral(_ literal: StaticString) { literal.appendUTF8(to: &bytes) }

    /// Appends markup as it is.
    package mutating func appendInterpolation(_ markup: Markup) { bytes.append(contentsOf: markup.bytes) }

    /// Appends text, escaped as by ``Markup/init(escaping:)``.
    package mutating func appendInterpolation(_ text: String) { MarkupEscape.append(text, to: &bytes) }

    package mutating func appendInterpolation(_ text: Substring) { MarkupEscape.append(String(text), to: &bytes) }

    package mutating func appendInterpolation(_ number: some BinaryInteger) {
      bytes.append(contentsOf: String(number).utf8)
    }

    // The general function is not specialised for the other targets.
    package mutating func appendInterpolation(_ number: Int) { bytes.append(contentsOf: String(number).utf8) }
  }
}

extension Sequence<Markup> {
  package func joined(separator: Markup = Markup()) -> Markup {
    var bytes: [UInt8] = []
    var isFirst = true
    for markup in self {
      if !isFirst { bytes.append(contentsOf: separator.bytes) }
      isFirst = false
      bytes.append(contentsOf: markup.bytes)
    }
    return Markup(bytes: bytes)
  }
}

extension DefaultStringInterpolation {
  /// A string that contains markup would be escaped as a whole where it becomes part of a page.
  @available(*, unavailable, message: "declare the literal as Markup, or use the property text")
  package mutating func appendInterpolation(_ markup: Markup) {}
}

extension StaticString {
  fileprivate func appendUTF8(to bytes: inout [UInt8]) {
    withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
  }
}
