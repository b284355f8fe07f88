// Writes the files that are generated from declarations:
//
//   homeline-manual share FOLDER      the manual pages and completion scripts, with the paths of an installation's `share`
//   homeline-manual reference FILE    the reference of the commands
internal import Commands
internal import Glibc
internal import Platform

/// Creates the folders of a file, with the modes that the umask allows. `Folder.create` would refuse a parent that a group can write to, as the
/// build folder with the umask 002.
func createFolders(of path: String) {
  for slash in path.indices.dropFirst() where path[slash] == "/" {
    // If this fails for a reason other than EEXIST, writing the file also fails.
    _ = unsafe mkdir(String(path[..<slash]), 0o777)
  }
}

let files = GeneratedFiles(.standard)
let arguments = ProgramInput.read { arguments, _ in arguments }
do {
  switch (arguments.first, arguments.dropFirst().first) {
  case ("share", let folder?):
    for (name, text) in files.shared {
      let path = "\(folder)/\(name)"
      createFolders(of: path)
      try AtomicFile.write(Array(text.utf8), to: path, .replaced)
    }
  case ("reference", let path?): try AtomicFile.write(Array(files.reference.utf8), to: path, .replaced)
  default:
    Terminal.say("usage: homeline-manual share FOLDER, or homeline-manual reference FILE")
    ExitCode.usage.endProcess()
  }
} catch {
  Terminal.say("homeline-manual: \(error)")
  ExitCode.inputOutput.endProcess()
}
