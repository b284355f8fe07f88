internal import Formats
package import Storage
package import Time
internal import Timeline

extension AccountDatabase {
  package func importPosts(
    _ posts: [ImportedPost], at now: Timestamp, expecting revision: Revision
  ) throws(StorageError) -> Written<Int> {
    let written = try write(expecting: revision) { () throws(StorageError) in
      var table = PostTable(connection)
      var new = 0
      for post in posts where try table.importPost(post, at: now) { new += 1 }
      try table.close()
      return (new, table.changes)
    }
    observer?.postsChanged(written.value.1, in: .home)
    return Written(written.value.0, written.revision)
  }
}
