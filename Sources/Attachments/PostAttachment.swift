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

  /// Opens a file and finds its metadata. The whole file is examined before any byte of its content can be read.
  /// - Parameter keepsMetadata: whether to send the file unchanged.
  package init(_ path: String, keepsMetadata: Bool = false) throws(AttachmentError) {
    file = try AttachmentFile(path)
    let beginning = try file.bytes(at: 0, count: min(MediaType.beginningSize, file.size))
    type = MediaType(beginning: beginning)
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
      case .containsLocation: throw .containsLocation(path, type!)
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
  package var mediaType: String { type?.rawValue ?? "application/octet-stream" }

  private static func content(of file: AttachmentFile, _ type: MediaType) throws(ScanError) -> ContentPieces {
    var scanner = FileScanner(file)
    switch type {
    case .jpeg: return try JPEGContent.withoutMetadata(&scanner)
    case .png: return try PNGContent.withoutMetadata(&scanner)
    case .gif: return try GIFContent.withoutMetadata(&scanner)
    case .webP: return try WebPContent.withoutMetadata(&scanner)
    case .heic, .heif, .avif, .mp4, .quickTime, .threeGP, .m4a:
      var boxes = BoxLocation(scanner)
      try boxes.check()
      return try whole(file)
    case .webM, .matroska:
      try MatroskaLocation.check(&scanner)
      return try whole(file)
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

extension [Int] {
  /// Returns the index of the first element for which the predicate is true. The predicate must then also be true for all later elements.
  fileprivate func partitioningIndex(where predicate: (Int) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = (low + high) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
