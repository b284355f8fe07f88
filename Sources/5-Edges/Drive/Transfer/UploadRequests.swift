internal import Bytes
internal import HTTP
internal import HomelineOAuth

/// Creates the requests to an upload server.
package struct UploadRequests: Sendable {
  private let key: DriveKey
  private let content: FileContent
  private let name: String

  /// - Parameter name: the file's name, without its folder.
  package init(_ key: DriveKey, name: String, _ content: FileContent) {
    self.key = key
    self.name = name
    self.content = content
  }

  /// Returns the request that begins a session. Only this request contains the token.
  package func initialize(server: String, pathID: String) -> DriveRequest {
    var headers = [
      DriveRequest.Header(name: "x-gk-upload-pathhash", value: pathID),
      // Header fields must be ASCII (RFC 9110 §5.5), but file names may contain other characters.
      DriveRequest.Header(name: "x-gk-upload-filename", value: PercentEncoding.encode(name)),
      DriveRequest.Header(name: "x-gk-upload-filehash", value: content.sha1),
      DriveRequest.Header(name: "x-gk-upload-filesize", value: "\(content.size)"),
    ]
    var query = ""
    switch key {
    case .user(let token, let library):
      headers.append(DriveRequest.Header(name: "x-gk-token", value: token.withExposedText { $0 }))
      if let library { headers.append(DriveRequest.Header(name: "x-gk-upload-mountid", value: library)) }
    case .library(let id), .enterprise(let id):
      query = "?" + FormEncoding.encode([Parameter("org_client_id", id)])
    }
    return DriveRequest(.post, "\(server)/upload_init\(query)", headers: headers)
  }

  /// Returns the request for the offset of the next block.
  package func ask(_ session: BlockUpload.Session) -> DriveRequest {
    DriveRequest(.get, "\(session.server)/upload_req", headers: [Self.header(of: session)])
  }

  /// Returns the request that sends a block, which is the body of the request.
  /// - Parameter checksum: the CRC-32 of the block.
  package func send(_ range: Range<Int>, checksum: UInt32, _ session: BlockUpload.Session) -> DriveRequest {
    DriveRequest(
      .put, "\(session.server)/upload_part",
      headers: [
        Self.header(of: session),
        DriveRequest.Header(name: "x-gk-upload-range", value: Self.text(of: range)),
        DriveRequest.Header(name: "x-gk-upload-crc", value: "\(checksum)"),
      ])
  }

  package func finish(_ session: BlockUpload.Session) -> DriveRequest {
    DriveRequest(.post, "\(session.server)/upload_finish", headers: [Self.header(of: session)])
  }

  /// Returns the offsets of the first and the last byte of a range as text.
  static func text(of range: Range<Int>) -> String { "\(range.lowerBound)-\(range.upperBound - 1)" }

  private static func header(of session: BlockUpload.Session) -> DriveRequest.Header {
    DriveRequest.Header(name: "x-gk-upload-session", value: session.id)
  }
}
