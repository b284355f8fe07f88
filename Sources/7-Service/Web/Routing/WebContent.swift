internal import HTTP
internal import HTTPServer
internal import Platform

/// The content of a request as it was sent: in memory or, if it is longer, in a file. Of refused content, only an extract is left.
package struct WebContent: Sendable {
  /// The media type with its parameters; nil if the request does not name one.
  package let type: String?
  private let bytes: [UInt8]
  private let file: ReceivedFile?
  /// Why the content was refused, and what was kept of it; nil if it is complete.
  let refusal: ContentRefusal?

  private static let pieceSize = 64 * 1024

  init(_ request: Request, _ file: ReceivedFile? = nil, _ refusal: ContentRefusal? = nil) {
    type = request.headers.first(.contentType)
    bytes = request.body
    self.file = file
    self.refusal = refusal
  }

  /// The length in bytes.
  package var size: Int { file?.size ?? bytes.count }

  /// Whether it is a form with files.
  var isMultipart: Bool { type?.hasPrefix("multipart/form-data") ?? false }

  /// Returns the bytes from an offset on, but not too many for memory; empty at the end.
  package func piece(at offset: Int) throws(WebError) -> ArraySlice<UInt8> {
    let count = min(Self.pieceSize, size - offset)
    guard count > 0 else { return [] }
    guard let file else { return bytes[offset..<offset + count] }
    var piece = [UInt8](repeating: 0, count: count)
    var failure: SystemError?
    unsafe piece.withUnsafeMutableBytes { buffer in
      do throws(SystemError) { _ = try unsafe file.read(at: offset, into: buffer) } catch { failure = error }
    }
    if let failure {
      throw WebError(.internalServerError, "What was sent cannot be read again", "\(failure). Send it once more.")
    }
    return piece[...]
  }
}
