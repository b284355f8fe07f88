internal import Commands
internal import Control
internal import Files
internal import HTTPServer
internal import Platform

/// Where the owner of the state listens for commands.
struct ControlSocket: ~Copyable {
  let sockets: ListeningSockets
  let path: String
  /// Made for the socket alone; to be removed after it.
  let temporaryFolder: String?

  /// Listens at the usual place; where that cannot be, beside the state, and at last in a folder of its own, so that a missing
  /// runtime folder, or a path that is too long for a socket, keeps nobody from working.
  /// - Parameter warn: told why it is not the usual place.
  static func listen(_ layout: FileLayout, warn: (String) -> Void) throws(CommandFailure) -> ControlSocket {
    var reasons: [String] = []
    for path in layout.controlSocket == layout.stateSocket ? [] : [layout.controlSocket] {
      // The runtime folder is the system's: one that is missing is not made here.
      if let above = Folder.parent(of: layout.controlFolder), !File.exists(above) { break }
      if ControlClient.isListening(at: path) {
        reasons.append("another homeline, with another state, listens at \(path)")
      } else {
        do throws(ListenError) {
          return ControlSocket(sockets: try ListeningSockets.unix(path: path), path: path, temporaryFolder: nil)
        } catch { reasons.append("\(error)") }
      }
    }
    do throws(ListenError) {
      let sockets = try ListeningSockets.unix(path: layout.stateSocket)
      for reason in reasons { warn("\(reason): the control socket is \(layout.stateSocket) instead") }
      return ControlSocket(sockets: sockets, path: layout.stateSocket, temporaryFolder: nil)
    } catch { reasons.append("\(error)") }
    let socket = try listenApart(reasons)
    for reason in reasons { warn("\(reason): the control socket is \(socket.path) instead") }
    return socket
  }

  /// Listens anew after the socket's file was removed: at the same place if nothing lies there now, else beside the state, and at last in a
  /// folder of its own. What another process listens at is left alone.
  static func listenAgain(at path: String, _ layout: FileLayout) throws(CommandFailure) -> ControlSocket {
    var reasons: [String] = []
    for path in path == layout.stateSocket ? [path] : [path, layout.stateSocket] {
      do throws(ListenError) {
        // The runtime folder is the system's: one that is missing is not made here.
        if path == layout.controlSocket, let above = Folder.parent(of: layout.controlFolder), !File.exists(above) {
          reasons.append("\(above) is not there")
          continue
        }
        // Beside the state only its owner listens, who holds the lock; at other places it may be anybody.
        let isLeftover = path == layout.stateSocket && !ControlClient.isListening(at: path)
        return ControlSocket(
          sockets: try ListeningSockets.unix(path: path, isToReplace: isLeftover), path: path, temporaryFolder: nil)
      } catch { reasons.append("\(error)") }
    }
    return try listenApart(reasons)
  }

  private static func listenApart(_ reasons: [String]) throws(CommandFailure) -> ControlSocket {
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
    throw CommandFailure(
      .cannotCreate, "there is no place for the control socket:\n" + reasons.map { "  \($0)" }.joined(separator: "\n"))
  }
}
