internal import Glibc
internal import HTTP
internal import HTTPServer

/// What is kept of a form whose files are too large or cannot be stored: its fields, and the names and sizes of its files.
struct RefusedForm: ContentExtract {
  /// The maximum number of bytes that are read. A browser may need to send a form to its end before it shows the response.
  static let limit = 4 << 30

  struct File: Sendable, Hashable {
    let field: String
    /// The name as sent by the browser.
    let name: String
    /// The number of bytes received.
    var size = 0
  }

  /// The values of the fields, by name.
  private(set) var fields: [String: [UInt8]] = [:]
  private(set) var files: [File] = []
  /// Whether the form was read to its end. If it was not, the last fields are missing.
  private(set) var isComplete = false
  /// The number of bytes that may follow.
  private var rest: Int
  /// Nil after the content turned out not to be such a form.
  private var reader: MultipartReader?
  /// The field whose content is being read.
  private var field: (name: String, value: [UInt8])?
  private var isFile = false
  /// Whether the reader is within a file and holds none of its bytes back.
  private var isWithinFile = false

  /// - Parameter contentType: the value of the request's `Content-Type`.
  init(contentType: String, limit: Int = limit) {
    reader = MultipartReader(contentType: contentType, limits: DraftFormReader.limits)
    rest = limit
  }

  mutating func append(_ bytes: ArraySlice<UInt8>) -> Bool {
    rest -= bytes.count
    // Most of a file contains no boundary, and is only counted. That is much faster.
    if isWithinFile, !Self.hasLineBreak(bytes) {
      files[files.count - 1].size += bytes.count
      return rest > 0
    }
    reader?.append(bytes)
    do throws(MultipartError) { try read() } catch { (reader, isWithinFile) = (nil, false) }
    // The reader may hold back what may be the beginning of a boundary, which has at most 74 bytes.
    if isWithinFile, Self.hasLineBreak(bytes.suffix(80)) || bytes.count < 80 { isWithinFile = false }
    return rest > 0
  }

  /// Returns whether there is a carriage return, with which each boundary begins (memchr(3)).
  private static func hasLineBreak(_ bytes: ArraySlice<UInt8>) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      return unsafe memchr(base, 0x0d, bytes.count) != nil
    }
  }

  private mutating func read() throws(MultipartError) {
    while let event = try reader?.next() {
      switch event {
      case .incomplete: return
      case .part(let part):
        field = part.fileName == nil ? (part.name, []) : nil
        isWithinFile = false
        // A browser sends an empty name where no file was chosen.
        isFile = part.fileName?.isEmpty == false
        if isFile, let name = part.fileName { files.append(File(field: part.name, name: name)) }
      case .content(let bytes):
        if isFile { files[files.count - 1].size += bytes.count }
        isWithinFile = isFile
        // A field that is too long is left out.
        if let value = field?.value, value.count + bytes.count > DraftFormReader.fieldLimit { field = nil }
        field?.value += bytes
      case .partEnd:
        if let field, fields[field.name] == nil { fields[field.name] = field.value }
        (field, isFile, isWithinFile) = (nil, false, false)
      case .end:
        isComplete = true
        return
      }
    }
  }
}
