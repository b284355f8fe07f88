internal import Glibc
internal import JSON
internal import Platform

/// The bytes that a download has received so far, in a file in the target's folder, and the facts needed to resume the download, in a
/// second file.
///
/// Others can compute the files' names, and may have access to the folder. Both files are therefore used only if they belong to this user
/// alone. Nobody else can open the bytes before they are complete: the file has mode 0600 until then.
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
    path = try Self.path(for: target, in: folder)
    factsPath = path + ".json"
    let stored: Facts?
    do throws(SystemError) {
      stored = try Self.facts(in: factsPath)
      descriptor = try Self.locked(path, for: target)
      length = try FileStatus.of(descriptor, path: path).size
    } catch { throw DriveError(error) }
    found = stored?.source == source ? stored : nil
    if found == nil { try empty() }
  }

  private static func path(for target: String, in folder: String) throws(DriveError) -> String {
    "\(folder)/.homeline-\(try TransferHash.name(of: [target])).part"
  }

  /// Returns whether a target is the beginning of this source's partial file. A killed process leaves such a target where only copying can
  /// give the file its name (``FreeName``). The partial file is then complete and still exists.
  static func isCopied(incompletelyTo target: String, from source: String) -> Bool {
    guard let folder = Folder.parent(of: target), let path = try? path(for: target, in: folder),
      let facts = try? OwnFile.read(path + ".json", limit: byteLimit), Facts(facts)?.source == source,
      let part = try? OwnFile.open(path, O_RDONLY), let complete = try? FileStatus.of(part, path: path).size,
      let copy = try? OwnFile.open(target, O_RDONLY), let size = try? FileStatus.of(copy, path: target).size,
      size < complete
    else { return false }
    var rest = size
    while rest > 0 {
      guard let one = try? part.readBeginning(min(rest, piece)), let other = try? copy.readBeginning(one.count),
        !one.isEmpty, one == other
      else { return false }
      rest -= one.count
    }
    return true
  }

  /// Reads the facts that an earlier run stored; nil if there are none, or if they are unreadable.
  private static func facts(in path: String) throws(SystemError) -> Facts? {
    try AtomicFile.removeAbandoned(of: path)
    do throws(SystemError) { return Facts(try OwnFile.read(path, limit: byteLimit)) } catch {
      if error.isNoEntry || error.isTooLarge { return nil }
      throw error
    }
  }

  /// Opens or creates the file with the bytes and locks it.
  private static func locked(_ path: String, for target: String) throws(SystemError) -> Descriptor {
    while true {
      guard let descriptor = try opened(path) else { continue }
      let number = descriptor.number
      do throws(SystemError) { try check("flock", path) { flock(number, LOCK_EX | LOCK_NB) } } catch {
        guard error.isBlocked else { throw error }
        throw SystemError(
          call: "flock", code: error.code, subject: target, finding: "is being downloaded by another process")
      }
      // Another process may have completed the download, and thus renamed the file, before this one locked it.
      guard try isNamed(path, descriptor) else { continue }
      // If others can write to a file, they may have opened it, and its bytes could still change after the check.
      if try FileStatus.of(descriptor, path: path).permissions & 0o022 != 0 {
        try File.remove(path)
        continue
      }
      try descriptor.setMode(0o600)
      return descriptor
    }
  }

  /// Opens the file with the bytes, or creates it; nil if it has just been removed.
  private static func opened(_ path: String) throws(SystemError) -> Descriptor? {
    do throws(SystemError) {
      return try Descriptor.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    } catch { if !error.isExisting { throw error } }
    do throws(SystemError) { return try OwnFile.open(path, O_RDWR) } catch {
      if error.isNoEntry { return nil }
      throw error
    }
  }

  /// Returns whether a path is still the name of an open file.
  private static func isNamed(_ path: String, _ descriptor: borrowing Descriptor) throws(SystemError) -> Bool {
    let identity = try FileStatus.of(descriptor, path: path).identity
    return (try? FileStatus.ofLink(path))?.identity == identity
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
    guard length == 0, (try? Self.isNamed(path, descriptor)) == true else { return }
    try? File.remove(path)
    try? File.remove(factsPath)
  }

  /// Syncs the complete file to disk, gives it the mode of a new file, and renames it to the target's name.
  /// - Parameter replaces: whether an existing file is replaced. Otherwise, a file that has appeared meanwhile is kept.
  /// - Throws: `.exists` if the name is taken.
  func complete(replaces: Bool) throws(DriveError) {
    do throws(SystemError) {
      try descriptor.sync()
      guard try Self.isNamed(path, descriptor) else {
        throw SystemError(call: "rename", code: ENOENT, finding: "\(path) was removed or replaced by another process")
      }
      try descriptor.setMode(0o666 & ~ProcessEnvironment.fileModeMask)
      do throws(SystemError) {
        if replaces { try File.rename(path, to: target) } else { try FreeName.move(path, to: target) }
      } catch {
        try? descriptor.setMode(0o600)
        throw error
      }
      try File.remove(factsPath)
    } catch { throw DriveError(error) }
  }
}

extension DriveError {
  /// Creates the failure of an operation on a local file.
  fileprivate init(_ error: SystemError) {
    // A name that others have taken is treated like an existing target: the user chooses another name.
    self.init(error.isExisting || error.isNotPermitted ? .exists : .local, "\(error)")
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
