/// HTML, or XML such as a feed. Every `String` in an interpolation is escaped, so text from outside cannot become markup by mistake:
///
/// ```swift
/// let name = "<script>"
/// let line: Markup = "<p title=\"\(name)\">\(name)</p>"
/// let page: Markup = "<main>\(line)</main>"
/// ```
///
/// Only a literal in the source code is used unchanged, including constants such as a style sheet: `static let style: Markup`. No
/// initialiser takes a `String` without escaping it.
///
/// Escaped text is safe in the content of elements other than `script` and `style`, and in quoted attributes. Addresses need their own
/// check, because `javascript:` contains nothing to escape.
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
      bytes.reserveCapacity(literalCapacity + 64 * interpolationCount)
    }

    package mutating func appendLiteral(_ literal: StaticString) { literal.appendUTF8(to: &bytes) }

    /// Appends text that contains nothing to escape.
    mutating func appendPlain(_ text: String) { bytes.append(contentsOf: text.utf8) }

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
  /// A `String` that contains markup would be escaped as a whole where it enters a page. All warnings are errors, so this is never called; if
  /// it were unavailable, the compiler would choose the standard library's function for any type.
  @available(*, deprecated, message: "declare the literal as Markup, or use the property text")
  package mutating func appendInterpolation(_ markup: Markup) { appendInterpolation(markup.text) }
}

extension StaticString {
  fileprivate func appendUTF8(to bytes: inout [UInt8]) {
    withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
  }
}
