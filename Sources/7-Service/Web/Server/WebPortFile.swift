internal import Folders
internal import Platform

/// The file `_web/port`. It exists while the page is to be opened at each start because of `homeline web`, and contains the port.
struct WebPortFile: Sendable {
  private let path: String

  init(_ layout: FileLayout) { path = "\(layout.webFolder)/port" }

  /// The port; nil if there is no file, or if it contains something else.
  var port: UInt16? {
    guard let bytes = try? TrustedFile.read(path, limit: 16) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.last == "\n", let port = UInt16(text.dropLast()), port > 0 else { return nil }
    return port
  }

  func write(_ port: UInt16) throws(SystemError) {
    guard port != self.port else { return }
    try WebFile.write(Array("\(port)\n".utf8), to: path)
  }

  func remove() throws(SystemError) { try File.remove(path) }
}
