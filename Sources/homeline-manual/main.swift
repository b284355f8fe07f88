// Writes the manual pages and the command reference into the repository: `make manual`.
internal import Commands
internal import Manual
internal import Platform

let root = ProcessEnvironment.arguments().first ?? "."
do {
  let contents = GeneratedFiles(.standard).contents
  for folder in [GeneratedFiles.manualFolder, GeneratedFiles.referenceFolder] {
    try Folder.create("\(root)/\(folder)")
    for name in try Folder.names(in: "\(root)/\(folder)") where contents[folder + name] == nil {
      try File.remove("\(root)/\(folder)\(name)")
    }
  }
  for (path, text) in contents {
    try AtomicFile.write(Array(text.utf8), to: "\(root)/\(path)", .replaced)
  }
} catch {
  Terminal.say("homeline-manual: \(error)")
  ExitCode.inputOutput.endProcess()
}
