internal import Commands
internal import ControlProtocol
internal import Folders
internal import HTTPServer
internal import Platform

/// The socket that the state owner receives requests on.
struct ControlSocket: ~Copyable {
  let sockets: ListeningSockets
  let path: String
  /// A folder created only for this socket and removed with it; nil if there is none.
  let temporaryFolder: String?

  /// Listens on the default path, otherwise next to the state, otherwise in a temporary folder, so that commands work even if the runtime
  /// folder is missing or the path is too long for a socket.
  /// - Parameter warn: Called with the reason if the default path is not used.
  /// - Throws: 73 if no path works.
  static func listen(_ layout: FileLayout, warn: (String) -> Void) throws(CommandError) -> ControlSocket {
    var reasons: [String] = []
    for path in layout.controlSocket == layout.stateSocket ? [] : [layout.controlSocket] {
      // The system creates the runtime folder; homeline does not.
      if let above = Folder.parent(of: layout.controlFolder), !File.exists(above) { break }
      if ControlClient.isListening(at: path) {
        reasons.append("a homeline with a different state is listening on \(path)")
      } else {
        do throws(ListenError) {
          return ControlSocket(sockets: try ListeningSockets.unix(path: path), path: path, temporaryFolder: nil)
        } catch { reasons.append("\(error)") }
      }
    }
    do throws(ListenError) {
      let sockets = try ListeningSockets.unix(path: layout.stateSocket)
      for reason in reasons { warn("\(reason): using the control socket \(layout.stateSocket) instead") }
      return ControlSocket(sockets: sockets, path: layout.stateSocket, temporaryFolder: nil)
    } catch { reasons.append("\(error)") }
    let socket = try listenApart(reasons)
    for reason in reasons { warn("\(reason): using the control socket \(socket.path) instead") }
    return socket
  }

  /// Listens again after the socket's file was removed: on the same path if it is free, otherwise next to the state, otherwise in a
  /// temporary folder. Never replaces another process's socket.
  static func listenAgain(at path: String, _ layout: FileLayout) throws(CommandError) -> ControlSocket {
    var reasons: [String] = []
    for path in path == layout.stateSocket ? [path] : [path, layout.stateSocket] {
      do throws(ListenError) {
        // The system creates the runtime folder; homeline does not.
        if path == layout.controlSocket, let above = Folder.parent(of: layout.controlFolder), !File.exists(above) {
          reasons.append("\(above) does not exist")
          continue
        }
        // Only the holder of the lock listens next to the state. Other paths may belong to other processes.
        let isLeftover = path == layout.stateSocket && !ControlClient.isListening(at: path)
        return ControlSocket(
          sockets: try ListeningSockets.unix(path: path, isToReplace: isLeftover), path: path, temporaryFolder: nil)
      } catch { reasons.append("\(error)") }
    }
    return try listenApart(reasons)
  }

  private static func listenApart(_ reasons: [String]) throws(CommandError) -> ControlSocket {
    var reasons = reasons
    do throws(SystemError) {
      let folder = try Folder.createUnique("/tmp/homeline-")
      let path = "\(folder)/control.socket"
      do throws(ListenError) {
        return ControlSocket(sockets: try ListeningSockets.unix(path: path), path: path, temporaryFolder: folder)
      } catch {
        reasons.append("\(error)")
        try Folder.remove(folder)
      }
    } catch { reasons.append("\(error)") }
    throw CommandError(
      .cannotCreate, "could not create a control socket:\n" + reasons.map { "  \($0)" }.joined(separator: "\n"))
  }
}
