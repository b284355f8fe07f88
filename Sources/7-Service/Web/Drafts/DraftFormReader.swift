internal import HTTP
internal import HTTPServer
internal import Platform

/// Reads the form of a post, as a browser sends it: the fields into memory, and the files into the draft's folder.
struct DraftFormReader {
  /// At most as many parts as the form has: eight fields, the button, and three for each file, with three to spare.
  static let limits = MultipartReader.Limits(parts: 24, header: 4096)
  /// The maximum length of a form with files in bytes. A longer video can be posted with the command.
  static let sizeLimit = 256 << 20
  /// The maximum length of a field in bytes. It is longer than any post.
  static let fieldLimit = 64 * 1024

  /// The values of the fields, by name.
  private(set) var fields: [String: String] = [:]
  /// The files received.
  private(set) var files: [WebDraft.File] = []
  /// What is wrong with the file of a slot, in sentences.
  private(set) var problems: [Int: String] = [:]
  /// Whether a file could not be stored because there is too little space.
  private(set) var lacksSpace = false
  /// Why the form arrived without its files; nil if it did not.
  private(set) var refusal: RequestError?
  /// Whether the form was read to its end. If it was not, the last fields are missing.
  private(set) var isComplete = true
  /// The slots whose files have been created.
  private var created: [Int] = []
  private let place: (id: DraftID, drafts: DraftStore)?

  /// Reads only the fields. Files are left out.
  init(fieldsOf content: WebContent) throws(WebError) {
    place = nil
    try read(content)
  }

  /// Reads the form, and stores its files.
  /// - Throws: status 400, 413 or 415 for content that is not such a form. Nothing is left of its files then.
  init(_ content: WebContent, into id: DraftID, of drafts: DraftStore) throws(WebError) {
    place = (id, drafts)
    lacksSpace = content.refusal == nil && !drafts.hasSpace(for: content.size)
    // Until the whole form has been read, the draft keeps its former files.
    defer { for slot in created { drafts.removeNewFile(slot, of: id) } }
    try read(content)
    for (index, file) in files.enumerated().reversed() {
      do throws(SystemError) { try drafts.adoptFile(file.slot, of: id) } catch {
        fail(file.slot, error)
        files.remove(at: index)
      }
    }
  }

  private mutating func read(_ content: WebContent) throws(WebError) {
    if let refusal = content.refusal { return try read(refusal) }
    guard let type = content.type, var reader = MultipartReader(contentType: type, limits: Self.limits) else {
      throw Self.noForm
    }
    var (field, value): (String?, [UInt8]) = (nil, [])
    var file: WebDraft.File?
    var sink: Descriptor?
    var offset = 0
    while true {
      switch try Self.next(&reader) {
      case .incomplete:
        let piece = try content.piece(at: offset)
        guard !piece.isEmpty else { throw Self.refusal(.incomplete) }
        offset += piece.count
        reader.append(piece)
      case .part(let part):
        field = part.fileName == nil ? part.name : nil
        value = []
        file = try newFile(part)
        sink = nil
        if let slot = file?.slot {
          do throws(SystemError) { sink = try place?.drafts.create(slot, of: place!.id) } catch {
            fail(slot, error)
            file = nil
          }
        }
      case .content(let bytes):
        if field != nil {
          value += bytes
          guard value.count <= Self.fieldLimit else { throw Self.longField }
        } else if let slot = file?.slot {
          do throws(SystemError) {
            try sink?.write(Array(bytes))
            file?.size += bytes.count
          } catch {
            fail(slot, error)
            file = nil
          }
        }
      case .partEnd:
        if let field, fields[field] == nil { fields[field] = Self.text(value) }
        sink = nil
        if let file { take(file) }
      case .end:
        guard offset == content.size else { throw Self.refusal(.trailingBytes) }
        return
      }
    }
  }

  /// Reads what was kept of a form without its files.
  private mutating func read(_ refused: ContentRefusal) throws(WebError) {
    guard let form = refused.extract as? RefusedForm else { throw Self.noForm }
    refusal = refused.error
    isComplete = form.isComplete
    fields = form.fields.mapValues { Self.text($0) }
    let reason = reason(of: refused.error)
    for file in form.files {
      guard let slot = WebDraft.slots.first(where: { file.field == "file-\($0)" }) else { continue }
      // The last file of a form that was not read to its end is longer.
      let atLeast = isComplete || file != form.files.last ? "" : "more than "
      problems[slot] = "\(file.name) (\(atLeast)\(ByteCount.text(file.size))) was not kept\(reason)."
    }
  }

  private func reason(of error: RequestError) -> String {
    switch error.status {
    case .contentTooLarge: ": all files together can have \(ByteCount.text(Self.sizeLimit))"
    case .insufficientStorage: ": files can use \(ByteCount.text(place?.drafts.availableSpace ?? 0)) of the disk"
    default: ""
    }
  }

  private static func next(_ reader: inout MultipartReader) throws(WebError) -> MultipartReader.Event {
    do throws(MultipartError) { return try reader.next() } catch { throw refusal(error) }
  }

  /// Returns the file that a part begins; nil for a part that is not stored.
  private mutating func newFile(_ part: MultipartPart) throws(WebError) -> WebDraft.File? {
    // A browser sends an empty name where no file was chosen.
    guard place != nil, let name = part.fileName, !name.isEmpty else { return nil }
    guard let slot = WebDraft.slots.first(where: { part.name == "file-\($0)" }), !created.contains(slot) else {
      throw Self.refusal(.malformedHeader)
    }
    if lacksSpace { return nil }
    guard !name.contains("/") else {
      problems[slot] = "Its name contains a slash. Rename the file, and choose it again."
      return nil
    }
    created.append(slot)
    return WebDraft.File(slot: slot, name: name, size: 0, description: "")
  }

  private mutating func take(_ file: WebDraft.File) {
    guard file.size == 0 else { return files.append(file) }
    problems[file.slot] = "The file is empty."
  }

  private mutating func fail(_ slot: Int, _ error: SystemError) {
    if error.isOutOfSpace {
      lacksSpace = true
    } else {
      problems[slot] = "The file could not be stored: \(error)."
    }
  }

  /// Returns a field's value with the line breaks that the rest of homeline uses. Browsers send CRLF.
  private static func text(_ value: [UInt8]) -> String {
    String(decoding: value, as: UTF8.self)
      .split(separator: "\r\n" as Character, omittingEmptySubsequences: false).joined(separator: "\n")
  }

  private static func refusal(_ error: MultipartError) -> WebError {
    WebError(.badRequest, "This form cannot be read", "\(error)".sentence, "Go back, and send it again.")
  }

  private static let noForm = WebError(
    StatusCode(415), "This content is not a form", "Use the buttons of homeline's pages.")

  private static let longField = WebError(
    .contentTooLarge, "A field of the form is too long",
    "A field can have at most \(ByteCount.text(fieldLimit)). Go back, shorten it, and send it again.")
}

extension DraftFormReader {
  /// Returns the id of the form, which is its first field.
  static func draftID(in content: WebContent) throws(WebError) -> DraftID {
    if let refusal = content.refusal {
      let form = refusal.extract as? RefusedForm
      guard let value = form?.fields["draft"], let id = DraftID(String(decoding: value, as: UTF8.self)) else {
        throw WebError(refusal.error.status, "This form cannot be read", refusal.error.reason.sentence)
      }
      return id
    }
    guard let type = content.type, var reader = MultipartReader(contentType: type, limits: limits) else {
      throw noForm
    }
    var isField = false
    var value: [UInt8] = []
    var offset = 0
    while true {
      switch try next(&reader) {
      case .incomplete:
        let piece = try content.piece(at: offset)
        guard !piece.isEmpty else { throw refusal(.incomplete) }
        offset += piece.count
        reader.append(piece)
      case .part(let part): isField = part.name == "draft" && part.fileName == nil
      case .content(let bytes) where isField && value.count + bytes.count <= 64: value += bytes
      case .content, .end: throw noForm
      case .partEnd:
        guard isField, let id = DraftID(String(decoding: value, as: UTF8.self)) else { throw noForm }
        return id
      }
    }
  }
}
