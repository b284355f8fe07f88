package import Folders
internal import Platform
package import Posting
package import Storage
package import Time

/// One account's outbox: a file for each intent in the `outbox` folder, written as a whole and synced before the post is sent. Only the
/// state owner writes it.
///
/// When a post is restored from a backup, its files are next to its record. If it was written on the web page, they are in the folder of
/// drafts. They are removed once the post is published or discarded.
package struct OutboxStore: OutboxStorage {
  /// The maximum size of a record, far larger than the longest escaped text with the ids of known posts.
  private static let sizeLimit = 1 << 20
  private static let suffix = ".json"
  private static let damagedMark = "corrupt"

  private let folder: String
  private let draftFolder: String

  package init(_ files: AccountFiles) {
    folder = files.outboxFolder
    draftFolder = files.draftFolder
  }

  package func load(at now: Timestamp) throws(StorageError) -> OutboxContent {
    guard File.exists(folder) else { return OutboxContent(intents: []) }
    var intents: [PostIntent] = []
    var aside: [String] = []
    do throws(SystemError) {
      for id in try Folder.names(in: folder).compactMap(Self.id) {
        do throws(PostIntent.FormatError) {
          intents.append(try PostIntent(json: try bytes(of: id), id: id))
        } catch {
          // The post may have been published, so it must not be sent. A record from a newer version is not moved.
          if case .newerSchema = error { continue }
          let place = FreePath.beside(path(id), Self.damagedMark, at: now)
          try File.rename(path(id), to: place)
          try Folder.sync(folder)
          aside.append(place)
        }
      }
    } catch { throw StorageError(error) }
    return OutboxContent(intents: intents.sorted(by: PostIntent.isInOrder), setAside: aside)
  }

  package func damaged() throws(StorageError) -> [String] {
    guard File.exists(folder) else { return [] }
    do throws(SystemError) {
      return try Folder.names(in: folder).filter { name in
        // Their names are `out-….json.corrupt-TIME`.
        guard let end = name.firstRange(of: "\(Self.suffix).\(Self.damagedMark)-") else { return false }
        return IntentID(String(name[..<end.lowerBound])) != nil
      }.sorted().map { "\(folder)/\($0)" }
    } catch { throw StorageError(error) }
  }

  package func intent(_ id: IntentID) -> PostIntent? {
    guard let bytes = try? bytes(of: id) else { return nil }
    return try? PostIntent(json: bytes, id: id)
  }

  package func readable() throws(StorageError) -> [PostIntent] {
    guard File.exists(folder) else { return [] }
    do throws(SystemError) {
      return try Folder.names(in: folder).compactMap { Self.id(ofFile: $0).flatMap(intent) }.sorted(
        by: PostIntent.isInOrder)
    } catch { throw StorageError(error) }
  }

  package func write(_ intent: PostIntent) throws(StorageError) {
    do throws(SystemError) {
      if !File.exists(folder) {
        try Folder.create(folder)
        // Without this, a power failure could lose the folder with the synced file.
        if let parent = Folder.parent(of: folder) { try Folder.sync(parent) }
      }
      try AtomicFile.removeLeftovers(of: path(intent.id))
      try AtomicFile.write(intent.json, to: path(intent.id), .synced)
      if intent.isPosted { try removeAttachments(of: intent) }
    } catch { throw StorageError(error) }
  }

  package func remove(_ id: IntentID) throws(StorageError) {
    guard File.exists(folder) else { return }
    do throws(SystemError) {
      try AtomicFile.removeLeftovers(of: path(id))
      // The record comes last, so that a killed process leaves no file without a record.
      if let intent = intent(id) { try removeDraftFiles(of: intent) }
      try removeAttachments(of: id)
      try File.remove(path(id))
      try Folder.sync(folder)
    } catch { throw StorageError(error) }
  }

  private func path(_ id: IntentID) -> String { "\(folder)/\(Self.name(ofFile: id))" }

  /// Returns the file name of a post's record.
  package static func name(ofFile id: IntentID) -> String { "\(id)\(suffix)" }

  private func removeAttachments(of intent: PostIntent) throws(SystemError) {
    try removeAttachments(of: intent.id)
    try removeDraftFiles(of: intent)
  }

  /// Removes the files of a post that was written on the web page, and their folder. Files in other folders belong to the user.
  private func removeDraftFiles(of intent: PostIntent) throws(SystemError) {
    for media in intent.draft.media where media.path.hasPrefix(draftFolder + "/") {
      try File.remove(media.path)
      if let folder = Folder.parent(of: media.path), folder != draftFolder { try? Folder.remove(folder) }
    }
  }

  private func removeAttachments(of id: IntentID) throws(SystemError) {
    for name in try Folder.names(in: folder) where Self.attachment(ofFile: name)?.id == id {
      try File.remove("\(folder)/\(name)")
    }
  }

  private func bytes(of id: IntentID) throws(PostIntent.FormatError) -> [UInt8] {
    do throws(PrivateFileError) { return try TrustedFile.readPrivate(path(id), limit: Self.sizeLimit) } catch {
      throw .corrupt(error.description)
    }
  }

  /// Returns the post whose record has this file name; nil for other files.
  package static func id(ofFile name: String) -> IntentID? {
    name.hasSuffix(suffix) ? IntentID(String(name.dropLast(suffix.count))) : nil
  }

  /// Returns the name of a post's file in the folder.
  /// - Parameter number: counted from 1, in the order of the post's files.
  package static func name(ofAttachment number: Int, of id: IntentID) -> String { "\(id)-\(number)" }

  /// Returns the post that a file with this name belongs to, and the file's number; nil for other files.
  package static func attachment(ofFile name: String) -> (id: IntentID, number: Int)? {
    guard let hyphen = name.lastIndex(of: "-"), let id = IntentID(String(name[..<hyphen])),
      let number = Int(name[hyphen...].dropFirst()), name == Self.name(ofAttachment: number, of: id)
    else { return nil }
    return (id, number)
  }
}
