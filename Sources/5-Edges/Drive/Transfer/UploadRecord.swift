internal import JSON
internal import Platform

/// What is known about an unfinished upload, stored so that a later run can resume it: the file, the target and the session.
struct UploadRecord: Sendable, Hashable {
  let target: String
  /// The local file's size, modification time and identity.
  let fingerprint: String
  let sha1: String
  let session: BlockUpload.Session

  private static let byteLimit = 65_536

  /// Returns the record at a path; nil if there is none, or if it describes an upload to a different target.
  static func read(_ path: String, for target: DrivePath) -> UploadRecord? {
    guard let bytes = try? TrustedFile.read(path, limit: byteLimit), let record = UploadRecord(bytes),
      record.target.utf8.elementsEqual(target.text.utf8)
    else { return nil }
    return record
  }

  init(target: String, fingerprint: String, sha1: String, session: BlockUpload.Session) {
    self.target = target
    self.fingerprint = fingerprint
    self.sha1 = sha1
    self.session = session
  }

  private init?(_ bytes: [UInt8]) {
    var texts: [String: String] = [:]
    var cursor = JSONCursor(bytes)
    let isWhole: Void? = try? cursor.members { cursor, name in
      let name = name.text
      if let text = try cursor.stringOrSkip() { texts[name] = text }
    }
    guard isWhole != nil, let target = texts["target"], let fingerprint = texts["file"], let sha1 = texts["sha1"],
      let server = texts["server"], let session = texts["session"]
    else { return nil }
    self.init(
      target: target, fingerprint: fingerprint, sha1: sha1, session: BlockUpload.Session(server: server, id: session))
  }

  /// Stores the record with mode 0600, because anyone who knows the session can write to the file on the drive.
  func write(to path: String) throws(DriveError) {
    var json = JSONWriter(indented: true)
    json.object { json in
      json.member("target", target)
      json.member("file", fingerprint)
      json.member("sha1", sha1)
      json.member("server", session.server)
      json.member("session", session.id)
    }
    do throws(SystemError) { try AtomicFile.write(json.bytes, to: path, .synced) } catch {
      throw DriveError(.local, "\(error)")
    }
  }
}
