internal import CYAML

/// A node of a YAML document. Scalars are kept as written, whatever type YAML gives them.
indirect enum YAMLNode {
  case scalar(String)
  case mapping([(key: String, value: YAMLNode)])
  case sequence([YAMLNode])
  /// A node that is not supported, with the reason. The rest of the document can still be read.
  case unusable(ForeignFileError)

  /// The value of a key; nil if there is none, or if the node is not a mapping.
  subscript(key: String) -> YAMLNode? {
    guard case .mapping(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The members of a mapping; nil for any other node.
  var members: [(key: String, value: YAMLNode)]? { if case .mapping(let members) = self { members } else { nil } }

  /// Returns the node.
  /// - Throws: the reason if it is not usable.
  func usable() throws(ForeignFileError) -> YAMLNode {
    if case .unusable(let reason) = self { throw reason }
    return self
  }

  /// The text of a scalar; nil for any other node.
  var text: String? { if case .scalar(let text) = self { text } else { nil } }
}

extension YAMLNode {
  /// The maximum number of nested mappings and sequences.
  private static let mostLevels = 16

  /// Reads text that contains one document. Empty text is an empty mapping. Aliases are not supported, because a few of them can expand to
  /// a huge document.
  init(_ bytes: [UInt8]) throws(ForeignFileError) {
    if let failure = unsafe cyaml_start() {
      throw ForeignFileError(
        "libyaml could not be loaded (\(unsafe String(cString: failure))). Install the package libyaml-0-2, or its equivalent on "
          + "your system")
    }
    guard let parser = unsafe bytes.withUnsafeBytes({ text in unsafe cyaml_open(text.baseAddress, text.count) }) else {
      throw ForeignFileError("there is no memory to read it")
    }
    defer { unsafe cyaml_close(parser) }
    var reader = unsafe YAMLReader(parser: parser)
    self = try reader.document()
  }

  /// Reads the events of a document.
  @safe private struct YAMLReader {
    let parser: OpaquePointer

    /// An event whose text has been copied.
    private struct Event {
      let kind: cyaml_kind
      let text: String
      let line: Int
    }

    mutating func document() throws(ForeignFileError) -> YAMLNode {
      var event = try next()
      if event.kind == cyaml_end { return .mapping([]) }
      event = try next()
      let root = try node(event, levels: YAMLNode.mostLevels)
      event = try next()
      guard event.kind == cyaml_end else {
        throw ForeignFileError("a second document begins", line: event.line)
      }
      return root
    }

    private func next() throws(ForeignFileError) -> Event {
      let event = unsafe cyaml_next(parser)
      let bytes = unsafe UnsafeRawBufferPointer(start: event.text, count: event.length)
      let line = unsafe Int(event.line)
      guard let text = unsafe String(validating: bytes, as: UTF8.self) else {
        throw ForeignFileError("the text is not UTF-8", line: line)
      }
      if unsafe event.kind == cyaml_error { throw ForeignFileError(text, line: line) }
      return unsafe Event(kind: event.kind, text: text, line: line)
    }

    private mutating func node(_ event: Event, levels: Int) throws(ForeignFileError) -> YAMLNode {
      switch event.kind {
      case cyaml_scalar: return .scalar(event.text)
      case cyaml_alias: return .unusable(ForeignFileError("aliases (*NAME) are not supported", line: event.line))
      case cyaml_mapping, cyaml_sequence:
        guard levels > 0 else {
          throw ForeignFileError("more than \(YAMLNode.mostLevels) levels are nested", line: event.line)
        }
        return event.kind == cyaml_mapping ? try mapping(levels: levels - 1) : try sequence(levels: levels - 1)
      default: throw ForeignFileError("there is no value", line: event.line)
      }
    }

    private mutating func mapping(levels: Int) throws(ForeignFileError) -> YAMLNode {
      var members: [(key: String, value: YAMLNode)] = []
      var keys: Set<String> = []
      var problem: ForeignFileError?
      while true {
        let key = try next()
        if key.kind == cyaml_mapping_end { return problem.map { .unusable($0) } ?? .mapping(members) }
        if key.kind != cyaml_scalar {
          problem = problem ?? ForeignFileError("a key is not a string", line: key.line)
          _ = try node(key, levels: levels)
        } else if !keys.insert(key.text).inserted {
          problem = problem ?? ForeignFileError("a key appears twice", line: key.line)
        }
        members.append((key.text, try node(try next(), levels: levels)))
      }
    }

    private mutating func sequence(levels: Int) throws(ForeignFileError) -> YAMLNode {
      var elements: [YAMLNode] = []
      while true {
        let event = try next()
        if event.kind == cyaml_sequence_end { return .sequence(elements) }
        elements.append(try node(event, levels: levels))
      }
    }
  }
}
