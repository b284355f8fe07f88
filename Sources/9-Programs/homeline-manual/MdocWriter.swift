internal import Commands

/// Writes manual pages in mdoc(7), which pass `mandoc -Tlint`.
struct MdocWriter {
  private var lines: [String] = []
  /// The text that is not in `lines` yet.
  private var line = ""
  private static let columns = 78

  static func text(of page: ManualPage, date: String) -> String {
    var writer = MdocWriter()
    writer.write(page, date: date)
    return writer.lines.joined(separator: "\n") + "\n"
  }

  private mutating func write(_ page: ManualPage, date: String) {
    macro("Dd", date)
    macro("Dt", page.name.uppercased(), "\(page.section)")
    macro("Os")
    macro("Sh", "NAME")
    macro("Nm", page.name)
    macro("Nd", page.summary)
    if !page.synopsis.isEmpty { macro("Sh", "SYNOPSIS") }
    for synopsis in page.synopsis { write(synopsis) }
    // The sections are written in the order that mdoc(7) requires.
    let last = page.sections.firstIndex { ["STANDARDS", "HISTORY"].contains($0.title) } ?? page.sections.endIndex
    write(page.sections[..<last])
    write(page.references)
    write(page.sections[last...])
  }

  private mutating func write(_ sections: ArraySlice<ManualPage.Section>) {
    for section in sections {
      macro("Sh", section.title)
      write(section.parts)
    }
  }

  private mutating func write(_ references: [ManualPage.Reference]) {
    let references = references.sorted { ($0.section, $0.name) < ($1.section, $1.name) }
    if !references.isEmpty { macro("Sh", "SEE ALSO") }
    for (index, reference) in references.enumerated() {
      let comma = index < references.count - 1 ? [","] : []
      macro("Xr", [reference.name, "\(reference.section)"] + comma)
    }
  }

  private mutating func write(_ synopsis: ManualPage.Synopsis) {
    macro("Nm", synopsis.command.split(separator: " ").map(String.init))
    for operand in synopsis.operands {
      let pieces = ["Ar", operand.placeholder.lowercased()] + (operand.count.isRepeated ? ["..."] : [])
      if operand.count.isRequired { macro(pieces[0], Array(pieces.dropFirst())) } else { macro("Op", pieces) }
    }
    for option in synopsis.options { macro("Op", Self.macros(of: option)) }
  }

  private static func macros(of option: OptionDescription) -> [String] {
    ["Fl", escaped(String(option.name.dropFirst()))] + (option.placeholder.map { ["Ar", $0.lowercased()] } ?? [])
  }

  private mutating func write(_ parts: [ManualPage.Part]) {
    var isFirst = true
    for part in parts {
      switch part {
      case .heading(let title):
        macro("Ss", title)
        isFirst = true
        continue
      case .text(let block): write(block, isFirst: isFirst)
      case .options(let options):
        list("-tag -width Ds", options) { writer, option in
          writer.macro("It", Self.macros(of: option))
          writer.write(sentence: option.helpWithDefault)
        }
      case .commands(let commands):
        list("-tag -width Ds", commands) { writer, command in
          writer.macro("It", ["Xr", command.page.name, "\(command.page.section)"])
          writer.write(sentence: command.summary)
        }
      case .exitCodes(let codes):
        list("-tag -width Ds -compact", codes) { writer, code in
          writer.macro("It", "\(code.code)")
          writer.write(sentence: code.meaning)
        }
      case .definitions(let definitions):
        list("-tag -width Ds", definitions) { writer, definition in
          writer.item(definition.term)
          for (index, block) in definition.blocks.enumerated() { writer.write(block, isFirst: index == 0) }
        }
      }
      isFirst = false
    }
  }

  private mutating func write(_ block: TextBlock, isFirst: Bool) {
    switch block {
    case .paragraph(let text):
      if !isFirst { macro("Pp") }
      write(text)
    case .terms(let terms):
      list("-tag -width Ds", terms) { writer, term in
        writer.item(term.term)
        writer.write(sentence: term.explanation)
      }
    case .code(let text):
      macro("Bd", "-literal -offset indent")
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        lines.append(Self.textLine(String(line)))
      }
      macro("Ed")
    }
  }

  private mutating func list<Element>(
    _ form: String, _ elements: [Element], _ write: (inout MdocWriter, Element) -> Void
  ) {
    flush()
    lines.append(".Bl \(form)")
    for element in elements { write(&self, element) }
    macro("El")
  }

  private mutating func item(_ term: String) {
    macro("It", ["Cm"] + term.split(separator: " ").map { Self.argument(String($0)) })
  }

  // MARK: Text

  /// Writes a sentence given without a capital letter and a full stop, such as a summary.
  private mutating func write(sentence: String) {
    let first = sentence.first.map { String($0).uppercased() } ?? ""
    write(first + sentence.dropFirst() + (sentence.hasSuffix(".") ? "" : "."))
  }

  /// Writes text where literals are between backquotes. Each sentence begins on a new line.
  private mutating func write(_ text: String) {
    let pieces = text.split(whereSeparator: { $0 == " " || $0 == "\n" }).map(String.init)
    var index = 0
    while index < pieces.count {
      var word = pieces[index]
      // A literal may contain spaces.
      while word.filter({ $0 == "`" }).count == 1, index + 1 < pieces.count {
        index += 1
        word += " " + pieces[index]
      }
      index += 1
      if word.contains("`") { writeLiteral(word) } else { writePlain(word) }
    }
    flush()
  }

  private mutating func writePlain(_ word: String) {
    if !line.isEmpty, line.count + 1 + word.count > Self.columns { flush() }
    line += line.isEmpty ? word : " \(word)"
    if Self.endsSentence(word) { flush() }
  }

  private mutating func writeLiteral(_ word: String) {
    flush()
    let parts = word.split(separator: "`", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    precondition(parts.count == 3, "a literal is between two backquotes: \(word)")
    let (before, literal, after) = (parts[0], parts[1], parts[2])
    let macros = Self.literal(literal)
    let opening = before.allSatisfy { "([".contains($0) }
    let closing = after.allSatisfy { ".,:;)]?!".contains($0) }
    precondition(opening && closing, "only punctuation touches a literal: \(word)")
    macro(macros[0], before.map { String($0) } + macros.dropFirst() + after.map { String($0) })
  }

  /// Returns the macro for a literal, and its arguments.
  private static func literal(_ text: String) -> [String] {
    let pieces = text.split(separator: " ").map { argument(String($0)) }
    if let open = text.firstIndex(of: "("), text.hasSuffix(")"), !text.contains(" "),
      let section = Int(text[text.index(after: open)...].dropLast())
    {
      return ["Xr", String(text[..<open]), "\(section)"]
    }
    if pieces.count == 1, text.hasPrefix("-"), text.count > 1, text != "--" {
      return ["Fl", String(pieces[0].dropFirst())]
    }
    if pieces.count == 1, text.hasPrefix("$"), text.dropFirst().allSatisfy({ $0.isUppercase || $0 == "_" }) {
      return ["Ev", String(text.dropFirst())]
    }
    if pieces.count == 1, ["/", "~/", "$"].contains(where: text.hasPrefix) { return ["Pa", pieces[0]] }
    let isWord = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return [isWord ? "Cm" : "Ql"] + pieces
  }

  private static func endsSentence(_ word: String) -> Bool {
    [".", "?", "!", ".)"].contains(where: word.hasSuffix) && !word.hasSuffix("...")
  }

  private mutating func flush() {
    guard !line.isEmpty else { return }
    lines.append(Self.textLine(line))
    line = ""
  }

  private mutating func macro(_ name: String, _ arguments: String...) { macro(name, arguments) }

  private mutating func macro(_ name: String, _ arguments: [String]) {
    flush()
    lines.append(([".\(name)"] + arguments).joined(separator: " "))
  }

  // MARK: Escapes

  private static func textLine(_ text: String) -> String {
    let text = escaped(text)
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&\(text)" : text
  }

  private static func escaped(_ text: String) -> String { text.replacing("\\", with: "\\e") }

  /// Returns an argument that a macro uses literally.
  private static func argument(_ text: String) -> String {
    let text = escaped(text).replacing("\"", with: "\\(dq")
    let isMacro = (2...3).contains(text.count) && text.first?.isUppercase == true
    let isDelimiter = text.count == 1 && ".,:;()[]?!|".contains(text)
    return isMacro || isDelimiter ? "\\&\(text)" : text
  }
}
