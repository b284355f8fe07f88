internal import Platform

/// A file to send with a post: its type, and its content without metadata.
///
/// Copies of this value share the open file, which is closed when the last copy is released.
package struct PostAttachment: Sendable {
  package let file: AttachmentFile
  /// The file's type; nil for a file of unknown type that is sent unchanged.
  package let type: MediaType?
  private let content: ContentPieces
  /// The offset of each piece in the content.
  private let offsets: [Int]

  /// Opens a file and finds its metadata.
  package init(_ path: String, keepsMetadata: Bool = false) throws(AttachmentError) {
    try self.init(try AttachmentFile(path), keepsMetadata: keepsMetadata)
  }

  /// Finds the metadata of an open file. The whole file is examined before any byte of its content can be read.
  /// - Parameter keepsMetadata: whether to send the file unchanged.
  package init(_ file: AttachmentFile, keepsMetadata: Bool) throws(AttachmentError) {
    self.file = file
    let path = file.path
    type = try file.mediaType()
    do throws(ScanError) {
      if keepsMetadata {
        content = try Self.whole(file)
      } else if let type {
        content = try Self.content(of: file, type)
      } else {
        throw .file(.unknownType(path))
      }
    } catch {
      switch error {
      case .file(let error): throw error
      case .malformed(let fault): throw .malformed(path, type!, fault)
      case .unremovable(let reason): throw .mayContainLocation(path, type!, reason)
      }
    }
    var offsets: [Int] = []
    var offset = 0
    for piece in content.pieces {
      offsets.append(offset)
      offset += piece.count
    }
    self.offsets = offsets
  }

  /// The size of the content in bytes.
  package var size: Int { content.size }

  /// The value of `Content-Type`.
  package var mediaType: String { Self.mediaType(of: type) }

  /// Returns the value of `Content-Type` for a file of this type; nil means an unknown type.
  static func mediaType(of type: MediaType?) -> String { type?.rawValue ?? "application/octet-stream" }

  private static func content(of file: AttachmentFile, _ type: MediaType) throws(ScanError) -> ContentPieces {
    var scanner = FileScanner(file)
    switch type {
    case .jpeg: return try JPEGContent.withoutMetadata(&scanner)
    case .png: return try PNGContent.withoutMetadata(&scanner)
    case .gif: return try GIFContent.withoutMetadata(&scanner)
    case .webP: return try WebPContent.withoutMetadata(&scanner)
    case .heic, .heif, .avif, .mp4, .quickTime, .threeGP, .m4a: return try BoxContent.withoutMetadata(scanner)
    case .webM, .matroska: return try MatroskaContent.withoutMetadata(scanner)
    case .mp3, .ogg, .flac, .wav: throw .file(.unsupportedType(file.path, type))
    }
  }

  private static func whole(_ file: AttachmentFile) throws(ScanError) -> ContentPieces {
    var content = ContentPieces()
    try content.append(0..<file.size)
    return content
  }

  // MARK: - Reading

  /// Fills a buffer with bytes of the content.
  /// - Returns: the number of bytes, which is smaller than the buffer only at the end of the content.
  /// - Throws: `.changed` if the file has changed since it was opened.
  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AttachmentError) -> Int {
    let count = max(0, min(buffer.count, size - offset))
    var done = 0
    // The last piece that begins at or before the offset.
    var index = offsets.partitioningIndex { $0 > offset } - 1
    while done < count {
      let skipped = offset + done - offsets[index]
      let piece = content.pieces[index]
      let step = min(piece.count - skipped, count - done)
      let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + step])
      switch piece {
      case .range(let range): try unsafe file.read(at: range.lowerBound + skipped, into: target)
      case .bytes(let bytes): unsafe target.copyBytes(from: bytes[skipped..<skipped + step])
      case .zeros: unsafe target.initializeMemory(as: UInt8.self, repeating: 0)
      }
      done += step
      index += 1
    }
    return count
  }

  /// Returns a part of the content, which is shorter than requested only at the end of the content.
  /// - Throws: `.changed` if the file has changed since it was opened.
  package func bytes(at offset: Int, count: Int) throws(AttachmentError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(0, min(count, size - offset)))
    var failure: AttachmentError?
    unsafe bytes.withUnsafeMutableBytes { buffer in
      do throws(AttachmentError) { _ = try unsafe read(at: offset, into: buffer) } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }
}
