package import Cryptography
package import Folders
package import Timeline

extension AccountFiles {
  /// Returns the published files of a timeline.
  package func published(of timeline: TimelineName) throws(CryptographyError) -> TimelineFiles {
    TimelineFiles(in: cacheFolder, stem: try timeline.stem(hash: SHA256.digest))
  }
}
