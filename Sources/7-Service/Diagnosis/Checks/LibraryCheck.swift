internal import Bytes
internal import Cryptography
internal import HTTPClient
internal import StorageSQLite

/// Reports the libraries that the program uses.
struct LibraryCheck: DiagnosticCheck {
  let name = "libraries"

  func findings(in context: DiagnosticContext) -> [Finding] {
    let linked = "SQLite \(SQLiteLibrary.version), \(CryptographyLibrary.version)"
    let names = DomainName.libraryFault.map { fault in
      Finding.warning(
        "libidn2 cannot be loaded, so the names of servers must be written in ASCII: \(foreign: fault)",
        next: "Install the package libidn2-0")
    }
    let others = [names].compactMap(\.self)
    switch CurlLibrary.version {
    case .success(let version): return [.ok("\(harmless: linked), \(harmless: version)")] + others
    case .failure(let error):
      let fault = Finding.fault(
        "libcurl cannot be loaded: \(foreign: "\(error)")", next: "Install the package libcurl4")
      return [.ok("\(harmless: linked)"), fault] + others
    }
  }
}
