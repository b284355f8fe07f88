package import HTTP

/// A form with text fields and a file, or a part of one (`multipart/form-data`). The file is read while the request is sent.
package struct FileForm: Sendable {
  package struct Field: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The text fields, which are sent before the file.
  package var fields: [Field]
  /// The name of the file's field.
  package let field: String
  /// The range of bytes in the file's content.
  package let range: Range<Int>
  /// The media type.
  package let type: String
  /// The open file; nil until the form is about to be sent.
  package var file: OpenFile?

  package init(_ fields: [Field] = [], field: String, range: Range<Int>, type: String) {
    self.fields = fields
    self.field = field
    self.range = range
    self.type = type
  }

  /// A file that can be read.
  package struct OpenFile: Sendable {
    let content: MultipartForm.File
    /// Receives the number of body bytes that have been sent; see ``StreamedBody``.
    let progress: @Sendable (Int) -> Void

    package init(content: MultipartForm.File, progress: @escaping @Sendable (Int) -> Void = { _ in }) {
      self.content = content
      self.progress = progress
    }
  }

  /// The longest time without progress while a form is sent.
  static let idleTimeout = Duration.seconds(60)

  /// Returns the form as the body of one request, and its media type.
  func encoded() -> (body: StreamedBody, type: FieldValue) {
    guard let file else { preconditionFailure("a form's file is not open") }
    var generator = SystemRandomNumberGenerator()
    let form = MultipartForm(fields: fields.map { ($0.name, $0.value) }, file: file.content, using: &generator)
    return (StreamedBody(form, progress: file.progress), form.contentType)
  }
}
