internal import Platform

/// Runs tar(1) and gzip(1), which write and read a backup's archive.
///
/// They never open the backup by its name, and everything they write or read passes through this process. Thus they use exactly the checked
/// file, end with this process, and cannot unpack more than a limit.
struct TarProgram {
  let environment: [String: String]

  /// The time limit for tar. A large archive on a slow disk can take hours.
  private static let timeout = Duration.seconds(86_400)

  /// The largest size of an unpacked backup: this many bytes or, for a large file, this multiple of its size. A backup's databases are
  /// usually three to ten times as large as the file; gzip can make a file of zeros a thousand times smaller.
  private static let (smallLimit, largestRatio) = (1 << 30, 200)

  /// Returns the number of bytes that a compressed file of this size may unpack to.
  static func limit(ofSize size: Int) -> Int {
    let (product, isTooLarge) = size.multipliedReportingOverflow(by: largestRatio)
    return isTooLarge ? Int.max : max(smallLimit, product)
  }

  /// Writes a folder as a compressed tar archive into an open, empty file.
  func create(_ file: borrowing Descriptor, of folder: String, in parent: String) throws(BackupError) {
    let program = Child.Program(
      "tar",
      [
        "--create", "--gzip", "--file", "-", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=",
        "--directory", parent, folder,
      ])
    let status: Int32
    do throws(SystemError) {
      status = try Child.run(program, environment: environment, timeout: Self.timeout) { piece throws(SystemError) in
        do throws(SystemError) { try file.write(piece) } catch {
          throw SystemError(call: "write", code: error.code, finding: "the backup could not be written: \(error)")
        }
      }
    } catch { throw Self.failure(error) }
    guard status == 0 else {
      throw BackupError(.inputOutput, "the backup could not be written; see tar's message (status \(status))")
    }
  }

  /// Unpacks a compressed tar archive into an empty private folder. tar itself does not write outside this folder, even if the archive
  /// contains absolute paths or paths with `..`.
  /// - Parameter limit: the maximum size of the uncompressed archive in bytes.
  func extract(_ file: borrowing Descriptor, limit: Int, into folder: String) throws(BackupError) {
    let unpacking = Child.Program("gzip", ["--decompress", "--stdout"])
    let reading = Child.Program(
      "tar",
      ["--extract", "--file", "-", "--no-same-owner", "--no-same-permissions", "--directory", folder])
    let statuses: (filter: Int32, reader: Int32)
    do throws(SystemError) {
      statuses = try Child.run(
        file, through: unpacking, into: reading, environment: environment, limit: limit, timeout: Self.timeout)
    } catch {
      guard error.isTooLarge else { throw Self.failure(error) }
      throw BackupError(
        .badData,
        "it unpacks to more than \(limit >> 20) MiB, as no backup of its size does, so unpacking was stopped")
    }
    for (name, status) in [("gzip", statuses.filter), ("tar", statuses.reader)] where status != 0 {
      throw BackupError(
        .badData, "the backup could not be unpacked; see \(name)'s message (status \(status))")
    }
  }

  private static func failure(_ error: SystemError) -> BackupError {
    if error.isNoEntry {
      return BackupError(.software, "could not run tar: \(error). Install the packages tar and gzip")
    }
    return BackupError(error)
  }
}
