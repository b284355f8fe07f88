internal import Glibc

extension Descriptor {
  /// Reads on until there are so many bytes in all, or the file ends (`read(2)`).
  /// - Returns: whether the end was reached.
  package borrowing func fill(_ bytes: inout [UInt8], upTo count: Int) throws(SystemError) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65536)
    while bytes.count < count {
      let number = number
      let wanted = min(chunk.count, count - bytes.count)
      let step = try check("read") {
        unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, wanted) }
      }
      if step == 0 { return true }
      bytes += chunk[..<step]
    }
    return false
  }

  /// Reads so many bytes (`read(2)`), fewer where the file ends before.
  package borrowing func readBeginning(_ count: Int) throws(SystemError) -> [UInt8] {
    // An array without room for anything is one that all threads share, and making it so would write its length.
    guard count > 0 else { return [] }
    let number = number
    var failure: SystemError?
    // Into its place at once: whole published files are read so.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      while done < count {
        do throws(SystemError) {
          let step = try check("read") { unsafe Glibc.read(number, buffer.baseAddress! + done, count - done) }
          if step == 0 { return }
          done += step
        } catch {
          failure = error
          return
        }
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
