/// The stage of a file's upload. Each stage is stored, so that the next process continues from it.
package enum MediaStage: Sendable, Hashable {
  /// Nothing has been uploaded, or it must be uploaded again.
  case missing
  /// The server expects the file in parts and has confirmed the first `sent` bytes.
  case partial(id: String, sent: Int)
  /// The server has the whole file, but is still processing it.
  case processing(id: String)
  /// The file can be published, but its description has not been sent.
  case undescribed(id: String)
  /// The file can be published.
  case ready(id: String)

  /// The file's id on the server.
  package var id: String? {
    switch self {
    case .missing: nil
    case .partial(let id, _), .processing(let id), .undescribed(let id), .ready(let id): id
    }
  }

  /// Returns how many bytes of a file of this size the server has.
  package func sent(of size: Int) -> Int {
    switch self {
    case .missing: 0
    case .partial(_, let sent): min(sent, size)
    case .processing, .undescribed, .ready: size
    }
  }
}
