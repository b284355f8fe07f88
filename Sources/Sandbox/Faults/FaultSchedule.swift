package import HTTP

/// The faults of a whole run, as requested by `homeline sandbox --fault NAME=N`.
package struct FaultSchedule: Sendable {
  private var entries: [(name: FaultName, every: Int, seen: Int)] = []

  package init() {}

  /// - Parameter every: the fault affects every Nth request; 1 or more.
  package mutating func add(_ name: FaultName, every: Int = 1) {
    precondition(every >= 1, "a fault affects every request or fewer")
    entries.append((name, every, 0))
  }

  /// The fault for the next response to a request. If several faults are due, the first one wins.
  package mutating func next(for request: Request) -> SandboxFault? {
    let path = request.target.path
    for index in entries.indices where entries[index].name.endpoints.include(path) {
      entries[index].seen += 1
      if entries[index].seen % entries[index].every == 0 { return entries[index].name.fault }
    }
    return nil
  }
}

extension FaultName.Endpoints {
  fileprivate func include(_ path: String) -> Bool {
    switch self {
    // Excludes authorisation, registration and metadata as well as web pages and pictures.
    case .api:
      !path.contains("oauth") && !path.hasSuffix("/apps") && !path.contains("/status/") && !path.hasPrefix("/media/")
    case .tokens:
      path.contains("oauth") && (path.hasSuffix("token") || path.hasSuffix("token2") || path.hasSuffix("access_token"))
    case .requestTokens: path.hasSuffix("/request_token")
    case .blocks: path.hasSuffix("/upload_part")
    case .uploadEnds: path.hasSuffix("/upload_finish")
    case .contents: path.hasPrefix(GokuaiLibrary.contentPath)
    case .userCalls: path.hasPrefix("/m-api/") && !path.contains("oauth") || path.hasSuffix("/upload_init")
    case .driveCalls: (path.hasPrefix("/m-api/") || path.hasPrefix("/m-open/")) && !path.contains("oauth")
    case .folders: path.hasSuffix("/file/ls")
    case .announcements: path.hasSuffix("/create_file")
    case .uploadStarts: path.hasSuffix("/upload_init")
    case .offsets: path.hasSuffix("/upload_req")
    case .posts:
      path == MastodonRoute.statuses.rawValue || path == TwitterRoute.update.path || path == TwitterRoute.tweets.path
        || path == WeiboRoute.share.path
    }
  }
}
