internal import Drive
internal import Glibc
internal import JSON
internal import Platform

/// The bytes that a download has received so far, in a file in the target's folder, and the facts needed to resume the download, in a
/// second file.
// Sendable because only one thread at a time uses it: the client's thread during a request, otherwise the thread that waits for the
// request.
final class PartialFile: @unchecked Sendable {
  /// The facts about the complete file.
  struct Facts: Hashable {
    let source: String
    var sha1: String?
    var size: Int?
    var validator: String?
  }

  private(set) var length: Int
  /// The facts that an earlier run stored about this source.
  let found: Facts?
  private let target: String
  private let path: String
  private let factsPath: String
  private let descriptor: Descriptor
  private var hash: SHA1State?

  private static let byteLimit = 65_536
  private static let piece = 256 << 10

  /// Opens or creates the partial file for a target.
  /// - Parameter source: the account and the path of the file in the drive.
  init(of target: String, from source: String) throws(DriveError) {
    guard let folder = Folder.parent(of: target) else { throw DriveError(.local, "\(target) does not name a file") }
    guard File.exists(folder) else { throw DriveError(.local, "there is no folder \(folder)") }
    self.target = target
    path = "\(folder)/.homeline-\(try TransferHash.name(of: [target])).part"
    factsPath = path + ".json"
    do throws(SystemError) {
      descriptor = try TrustedFile.open(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o666)
      let number = descriptor.number
      do throws(SystemError) { try check("flock", path) { flock(number, LOCK_EX | LOCK_NB) } } catch {
        guard error.isBlocked else { throw error }
        throw SystemError(
          call: "flock", code: error.code, subject: target, finding: "is being downloaded by another process")
      }
      length = try FileStatus.of(path).size
    } catch { throw DriveError(.local, "\(error)") }
    let facts = (try? TrustedFile.read(factsPath, limit: Self.byteLimit)).flatMap { Facts($0) }
    found = facts?.source == source ? facts : nil
    if found == nil { try empty() }
  }

  func store(_ facts: Facts) throws(DriveError) {
    do throws(SystemError) { try AtomicFile.write(facts.json, to: factsPath, .replaced) } catch {
      throw DriveError(.local, "\(error)")
    }
  }

  func empty() throws(DriveError) {
    let number = descriptor.number
    do throws(SystemError) { try check("ftruncate", path) { ftruncate(number, 0) } } catch {
      throw DriveError(.local, "\(error)")
    }
    length = 0
    hash = nil
  }

  /// Appends bytes. On the first call, the existing bytes are read first to compute the hash.
  func append(_ bytes: UnsafeRawBufferPointer) throws(DriveError) {
    if hash == nil { try hashExisting() }
    var done = 0
    while done < bytes.count {
      let (number, offset) = (descriptor.number, off_t(length + done))
      do throws(SystemError) {
        done += try check("write", path) {
          unsafe pwrite(number, bytes.baseAddress! + done, bytes.count - done, offset)
        }
      } catch { throw DriveError(.local, "\(error)") }
    }
    length += bytes.count
    unsafe hash!.update(bytes)
  }

  private func hashExisting() throws(DriveError) {
    hash = try TransferHash.begin()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.piece, alignment: 16)
    defer { unsafe buffer.deallocate() }
    var offset = 0
    while offset < length {
      let (number, start) = (descriptor.number, off_t(offset))
      let wanted = min(buffer.count, length - offset)
      let count: Int
      do throws(SystemError) {
        count = try check("read", path) { unsafe pread(number, buffer.baseAddress, wanted, start) }
      } catch { throw DriveError(.local, "\(error)") }
      if count == 0 { throw DriveError(.changed, "\(path) became shorter") }
      unsafe hash!.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += count
    }
  }

  /// Returns the SHA-1 of the bytes so far. After this, bytes can be appended only after `empty()`.
  func sha1() throws(DriveError) -> String {
    if hash == nil { try hashExisting() }
    return hash.take()!.finish()
  }

  /// Removes the partial file if it is empty, so that a failed download leaves nothing behind.
  func removeIfEmpty() {
    guard length == 0 else { return }
    try? File.remove(path)
    try? File.remove(factsPath)
  }

  /// Syncs the complete file to disk, and renames it to the target's name.
  /// - Parameter replaces: whether an existing file is replaced.
  func complete(replaces: Bool) throws(DriveError) {
    do throws(SystemError) {
      try descriptor.sync()
      if !replaces, File.exists(target) { throw SystemError(call: "rename", code: EEXIST, subject: target) }
      try File.rename(path, to: target)
      try File.remove(factsPath)
    } catch { throw DriveError(.local, "\(error)") }
  }
}

extension PartialFile.Facts {
  init?(_ bytes: [UInt8]) {
    var texts: [String: String] = [:]
    var size: Int?
    var cursor = JSONCursor(bytes)
    let isWhole: Void? = try? cursor.members { cursor, name in
      if name == "size" {
        size = try cursor.number().integer(in: DriveEntry.sizes)
        return
      }
      let name = name.text
      if let text = try cursor.stringOrSkip() { texts[name] = text }
    }
    guard isWhole != nil, let source = texts["source"] else { return nil }
    self.init(source: source, sha1: texts["sha1"], size: size, validator: texts["validator"])
  }

  var json: [UInt8] {
    var json = JSONWriter(indented: true)
    json.object { json in
      json.member("source", source)
      json.member("sha1", sha1)
      json.member("size", size)
      json.member("validator", validator)
    }
    return json.bytes
  }
}
