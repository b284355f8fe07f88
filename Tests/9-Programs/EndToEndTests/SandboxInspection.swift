@testable import Sandbox

// The state of the simulated providers, to compare with what a test has sent.

extension MastodonSandbox {
  /// The text of each post that users have published, oldest first.
  var publishedTexts: [String] { api.publications.posts.map(\.fullText) }

  /// The id of the post that each of these posts replies to.
  var publishedReplies: [String?] { api.publications.posts.map { $0.reply.map { String($0.id) } } }

  /// The files that users have uploaded, sorted by id.
  var uploadedFiles: [UploadedFile] {
    api.publications.uploads.entries.sorted { $0.key < $1.key }.map(\.value.file)
  }

  /// The descriptions of the files in each published post.
  var publishedMedia: [[String?]] { api.publications.posts.map(\.descriptions) }

  /// The actions on posts that have not been undone, such as `favourite 115586`, sorted.
  var actions: [String] { api.publications.actions.sorted() }

  /// Sets how often the server reports that a video is still being processed, and whether the processing then fails.
  mutating func processVideos(polls: Int, failing: Bool = false) {
    quirks.processingPolls = polls
    quirks.failsProcessing = failing
  }
}

extension TwitterSandbox {
  /// The text of each post that the user has published, oldest first.
  var publishedTexts: [String] { api.publications.posts.map(\.fullText) }

  /// The files that the user has uploaded, by the start of their uploads.
  var uploadedFiles: [UploadedFile] {
    api.publications.uploads.store.files
  }

  /// The files that the user has uploaded with the v2 API.
  var uploadedV2Files: [UploadedFile] { v2.publications.uploads.store.files }

  /// The descriptions of the files in each published post.
  var publishedMedia: [[String?]] { api.publications.posts.map(\.descriptions) }

  /// The ids of the posts that the user likes.
  var likedPosts: Set<UInt64> { api.publications.liked }

  /// Sets how often the server reports that a video is still being processed, and whether the processing then fails.
  mutating func processVideos(polls: Int, failing: Bool = false) {
    api.publications.uploads.store.processingPolls = polls
    api.publications.uploads.store.failsProcessing = failing
  }
}

extension XSandbox {
  /// The text of each post that the user has published, except reposts, oldest first.
  var publishedTexts: [String] { api.publications.posts.filter(\.isOriginal).map(\.fullText) }

  /// The descriptions of the files in each published post.
  var publishedMedia: [[String?]] { api.publications.posts.filter(\.isOriginal).map(\.descriptions) }

  /// The files that the user has uploaded.
  var uploadedFiles: [UploadedFile] { api.publications.uploads.store.files }

  /// Sets how often the server reports that a video is still being processed, and whether the processing then fails.
  mutating func processVideos(polls: Int, failing: Bool = false) {
    api.publications.uploads.store.processingPolls = polls
    api.publications.uploads.store.failsProcessing = failing
  }

  /// The ids of the posts that the user has bookmarked.
  var bookmarks: Set<UInt64> { api.publications.bookmarks }
}

extension WeiboSandbox {
  /// The text of each post that the user has published, oldest first.
  var publishedTexts: [String] { api.publications.posts.map(\.fullText) }

  /// The pictures of these posts.
  var uploadedFiles: [UploadedFile] { api.publications.pictures }
}

extension SandboxPost {
  fileprivate var fullText: String { pieces.map(\.text).joined() }
  fileprivate var descriptions: [String?] { attachments.map(\.alternativeText) }
}

extension ChunkedUploads {
  /// The uploaded files, by the start of their uploads.
  fileprivate var files: [UploadedFile] { entries.sorted { $0.key < $1.key }.map(\.value.file) }
}
