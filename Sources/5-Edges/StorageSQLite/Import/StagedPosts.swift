internal import Glibc
internal import Platform
package import Storage

/// The posts that ``ImportFile`` has written to a file, read in batches. The file is not kept open in between.
package final class StagedPosts: ImportSource {
  private let path: String
  private var offset = 0
  private var line = 0

  package init(_ path: String) { self.path = path }

  /// Counts the lines; each contains a post.
  package func count() throws(StorageError) -> Int {
    do throws(SystemError) {
      let file = try Descriptor.open(path, O_RDONLY)
      var lines = 0
      var isAtEnd = false
      while !isAtEnd {
        var bytes: [UInt8] = []
        isAtEnd = try file.fill(&bytes, upTo: 256 << 10)
        for byte in bytes where byte == UInt8(ascii: "\n") { lines += 1 }
      }
      return lines
    } catch { throw StorageError(error.about(path)) }
  }

  package func next(_ count: Int) throws(StorageError) -> [ImportedPost] {
    do throws(ImportError) { return try read(count) } catch { throw StorageError(error) }
  }

  package func remove() { try? File.remove(path) }

  private func read(_ count: Int) throws(ImportError) -> [ImportedPost] {
    var lines = try reader()
    var posts: [ImportedPost] = []
    while posts.count < count, let post = try lines.next() { posts.append(post) }
    (offset, line) = (lines.offset, lines.number)
    return posts
  }

  private func reader() throws(ImportError) -> ImportLines {
    do throws(SystemError) {
      let reader = try LineReader(Descriptor.open(path, O_RDONLY), limit: ImportLines.stagedLimit, from: offset)
      return ImportLines(reader, file: path, after: line)
    } catch { throw .system(error.about(path)) }
  }
}
