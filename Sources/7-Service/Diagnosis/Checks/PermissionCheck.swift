internal import Folders
internal import Platform
internal import Settings
internal import StorageFiles

/// Checks whether other users can read or change files that contain secrets.
struct PermissionCheck: DiagnosticCheck {
  let name = "permissions"
  let isQuick = true

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
