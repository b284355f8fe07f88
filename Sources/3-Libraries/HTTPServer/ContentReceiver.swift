internal import HTTP

/// Receives the content of a request that is too long for memory: into a file or, if it is refused, into its extract.
///
/// A browser reads no response before it has sent most of a form. So refused content is read to its end, and the form is answered like any
/// other.
struct ContentReceiver: ~Copyable {
  /// What a handler gets.
  struct Received: Sendable {
    var file: ReceivedFile?
    var refusal: ContentRefusal?
  }

  private let limit: Int
  private let makeExtract: (@Sendable () -> any ContentExtract)?
  private var writer: ContentWriter?
  private var refusal: (error: RequestError, extract: any ContentExtract)?
  private var size = 0

  /// - Parameters:
  ///   - length: the length of the content in bytes, if the client has announced it.
  ///   - isAsked: whether the client waits for permission to send the content, which it then learns is refused instead.
  /// - Throws: 413, 500 or 507 if the content is refused and nothing of it is kept.
  init(_ rule: ContentRule, length: Int?, isAsked: Bool) throws(RequestError) {
    guard let folder = rule.folder else { preconditionFailure("content without a folder stays in the request") }
    limit = rule.limit
    makeExtract = isAsked ? nil : rule.extract
    do throws(RequestError) {
      guard length ?? 0 <= limit else { throw Self.tooLarge(limit) }
      writer = try ContentWriter(in: folder, length: length ?? limit)
    } catch { try refuse(error) }
  }

  /// - Returns: whether more may follow.
  /// - Throws: 413, 500 or 507 if the content is refused and nothing of it is kept.
  mutating func append(_ piece: [UInt8]) throws(RequestError) -> Bool {
    size += piece.count
    if refusal == nil {
      do throws(RequestError) {
        guard size <= limit else { throw Self.tooLarge(limit) }
        try writer?.append(piece)
        return true
      } catch { try refuse(error) }
    }
    return refusal?.extract.append(piece[...]) ?? true
  }

  /// Has the extract look at what the file has, and removes the file.
  private mutating func refuse(_ error: RequestError) throws(RequestError) {
    guard var extract = makeExtract?() else { throw error }
    if let file = writer.take()?.finish() {
      // What cannot be read again is missing in the extract.
      try? file.forEachPiece { _ = extract.append($0) }
    }
    refusal = (error, extract)
  }

  consuming func finish() -> Received {
    Received(
      file: writer.take()?.finish(), refusal: refusal.map { ContentRefusal(error: $0.error, extract: $0.extract) })
  }

  private static func tooLarge(_ limit: Int) -> RequestError {
    RequestError(.contentTooLarge, "the content is larger than \(ByteCount.text(limit))")
  }
}
