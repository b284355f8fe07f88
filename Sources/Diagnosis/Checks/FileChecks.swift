internal import ConfigurationStore
internal import Files
internal import Platform
internal import Settings
internal import StorageSQLite

/// Checks whether other users can read or change files that contain secrets.
struct PermissionCheck: DiagnosticCheck {
  let name = "permissions"

  func findings(in context: DiagnosticContext) -> [Finding] {
    var checked = 0
    var problems: [Finding] = []
    func check(_ path: String, mustBePrivate: Bool) {
      guard let status = try? FileStatus.of(path) else { return }
      checked += 1
      let mode = String(status.permissions, radix: 8)
      if !status.isOwn {
        problems.append(.fault("\(path: path) belongs to another user", next: "Check who wrote it, and remove it"))
      } else if mustBePrivate, !status.isPrivate {
        problems.append(
          .fault(
            "other users can read or change \(path: path) (mode \(harmless: mode)), which contains secrets",
            next: "Run: chmod 600 '\(path: path)'"))
      } else if status.permissions & 0o022 != 0 {
        problems.append(
          .warning(
            "other users can change \(path: path) (mode \(harmless: mode))",
            next: "Run: chmod go-w '\(path: path)'"))
      }
    }
    let withSecrets = (context.configuration?.accounts ?? []).filter { $0.credentials.keyOfSecretInFile != nil }
    let secretFiles = Set(withSecrets.map { context.files.file(of: $0.name) })
    check(context.files.path, mustBePrivate: secretFiles.contains(context.files.path))
    for account in context.accounts {
      let file = context.files.ownFile(of: account.name)
      check(file, mustBePrivate: secretFiles.contains(file))
    }
    for account in context.accounts {
      let files = context.layout.files(of: account.name.text)
      check(files.token, mustBePrivate: true)
      check(files.database, mustBePrivate: true)
    }
    for server in (try? context.layout.knownServers()) ?? [] { check(server.clients, mustBePrivate: true) }
    guard problems.isEmpty else { return problems }
    if checked == 0 { return [.ok("there are no files yet")] }
    return [.ok("\(checked) \(harmless: checked == 1 ? "file is" : "files are") safe from other users")]
  }
}

/// Checks whether there is disk space for tokens, posts and published files.
struct DiskSpaceCheck: DiagnosticCheck {
  let name = "disk space"

  /// The free space in bytes below which a login or a refresh is about to fail.
  private static let least: Int64 = 16 << 20
  /// The free space in bytes below which there is a warning.
  private static let low: Int64 = 200 << 20

  func findings(in context: DiagnosticContext) -> [Finding] {
    let layout = context.layout
    var seen: Set<FreeSpace> = []
    return [layout.stateFolder, layout.dataFolder, layout.cacheFolder].compactMap { folder in
      let existing = Self.nearestFolder(to: folder)
      do throws(SystemError) {
        let space = try FreeSpace.of(existing)
        // Folders on the same file system have the same free space.
        return seen.insert(space).inserted ? Self.finding(about: space, in: existing) : nil
      } catch { return .warning("\(foreign: "\(error)")") }
    }
  }

  static func finding(about space: FreeSpace, in folder: String) -> Finding {
    let advice: DiagnosticText = "Free some space; homeline purge removes old posts"
    let amount: DiagnosticText = "\(space.bytes >> 20) MiB are free in \(path: folder)"
    if space.files == 0 { return .fault("no more files can be created in \(path: folder)", next: advice) }
    if space.bytes < least { return .fault(amount, next: advice) }
    return space.bytes < low ? .warning(amount, next: advice) : .ok(amount)
  }

  /// Returns the folder itself if it exists, and otherwise the nearest folder above it that does.
  private static func nearestFolder(to path: String) -> String {
    var path = path
    while !File.exists(path) {
      guard let parent = Folder.parent(of: path) else { return "/" }
      path = parent
    }
    return path
  }
}
