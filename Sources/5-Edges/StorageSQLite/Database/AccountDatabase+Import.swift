internal import Formats
package import Storage
package import Time
internal import Timeline

extension AccountDatabase {
  package func importPosts(
    _ posts: [ImportedPost], at now: Timestamp, expecting revision: Revision
  ) throws(StorageError) -> Written<Int> {
    let written = try write(expecting: revision) { () throws(StorageError) in
      var numbers: [TimelineName: Int64] = [:]
      for name in Set(posts.flatMap { $0.timelines.map(\.name) }) where name != .home {
        numbers[name] = try newNumber(of: name)
      }
      var table = postTable()
      var new = 0
      for post in posts where try table.importPost(post, into: numbers, at: now) { new += 1 }
      try table.close()
      return (new, try table.changesByTimeline())
    }
    notify(written.value.1)
    return Written(written.value.0, written.revision)
  }
}
