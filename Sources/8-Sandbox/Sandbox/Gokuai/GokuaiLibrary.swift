internal import HTTP
internal import HomelineOAuth
internal import JSON
internal import Time

/// The files and folders of a library, in memory.
struct GokuaiLibrary: Sendable {
  struct Item: Sendable {
    /// The content of a file; nil for a folder.
    var content: Content?
    let created: Int64
    var changed: Int64
  }

  struct Content: Sendable {
    let bytes: [UInt8]
    let sha1: String
  }

  /// The path that file contents are downloaded under.
  static let contentPath = "/content/"

  /// The items, keyed by the bytes of their paths, because `String` treats canonically equivalent names as equal.
  private var items: [[UInt8]: Item] = [:]
  private var changes = GokuaiChanges<Item>()
  private let secret = (0..<16).map { _ in UInt8.random(in: 0...255) }

  // MARK: Reading

  func list(_ form: GokuaiForm) throws(GokuaiError) -> Response {
    let folder = Array(try form.path("fullpath").utf8)
    try checkFolder(folder)
    let start = form.value("start").flatMap { Int($0) } ?? 0
    let size = min(100, form.value("size").flatMap { Int($0) } ?? 100)
    let all = items.filter { Self.parent(of: $0.key) == folder }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    return .json { json in
      json.member("count", all.count)
      json.name("list")
      json.array { json in
        for (path, item) in all.dropFirst(max(0, start)).prefix(max(0, size)) {
          json.object { Self.write(item, at: path, to: &$0) }
        }
      }
    }
  }

  func information(_ form: GokuaiForm) throws(GokuaiError) -> Response {
    let path = Array(try form.path("fullpath").utf8)
    let item = try item(at: path)
    return .json { Self.write(item, at: path, to: &$0) }
  }

  /// Handles the call `updates`, which returns the changes after a time.
  mutating func updates(_ form: GokuaiForm, at now: Timestamp) throws(GokuaiError) -> Response {
    let start = form.value("fetch_dateline").flatMap { Int64($0) } ?? 0
    let includesRemovals = form.value("mode") == "compare"
    let page = changes.page(after: start, includesRemovals: includesRemovals, at: now)
    return .json { json in
      json.member("fetch_dateline", page.next)
      json.name("list")
      json.array { json in
        for change in page.changes {
          json.object { json in
            Self.write(change.item, at: change.path, to: &json)
            if includesRemovals { json.member("cmd", change.isRemoval ? 0 : 1) }
          }
        }
      }
    }
  }

  private static func write(_ item: Item, at path: [UInt8], to json: inout JSONWriter) {
    json.member("hash", SandboxHash.sha1(path))
    json.member("fullpath", String(decoding: path, as: UTF8.self))
    json.member("filename", String(decoding: name(of: path), as: UTF8.self))
    // Some versions of the service write numbers as strings.
    json.member("dir", item.content == nil ? "1" : "0")
    json.member("create_dateline", item.created)
    json.member("last_dateline", item.changed)
    json.member("last_member_name", "mira")
    if let content = item.content {
      json.member("filehash", content.sha1)
      json.member("filesize", "\(content.bytes.count)")
    }
  }

  func link(_ form: GokuaiForm, _ authority: String) throws(GokuaiError) -> Response {
    let path = Array(try form.path("fullpath").utf8)
    _ = try item(at: path)
    return .json { $0.member("link", "http://\(authority)/file/\(SandboxHash.sha1(path))") }
  }

  /// Returns a file's download addresses to a client with the library's key.
  func addresses(_ form: GokuaiForm, _ authority: String, until end: Timestamp) throws(GokuaiError) -> Response {
    let path = Array(try form.path("fullpath").utf8)
    let address = try address(of: path, authority, until: end)
    return .json { json in
      json.name("urls")
      json.array { $0.string(address) }
    }
  }

  /// Returns a file's download addresses, hash and size to a user.
  func open(_ form: GokuaiForm, _ authority: String, until end: Timestamp) throws(GokuaiError) -> Response {
    let path = Array(try form.path("fullpath").utf8)
    let address = try address(of: path, authority, until: end)
    let content = try item(at: path).content
    return .json { json in
      json.name("uris")
      json.array { $0.string(address) }
      json.member("filehash", content?.sha1)
      json.member("filesize", content?.bytes.count)
    }
  }

  private func address(
    of path: [UInt8], _ authority: String, until end: Timestamp
  ) throws(GokuaiError) -> String {
    guard try item(at: path).content != nil else { throw .invalid("a folder has no content") }
    let query = FormEncoding.encode([
      Parameter(name: Array("path".utf8), value: path), Parameter("until", "\(end.seconds)"),
    ])
    let address = "http://\(authority)\(Self.contentPath)\(SandboxHash.sha1(secret + Array(query.utf8)))?\(query)"
    return address
  }

  /// Returns the content at a download address, or a range of it (RFC 9110 §14).
  func content(for request: Request, at now: Timestamp) throws(GokuaiError) -> Response {
    let query = request.target.query ?? ""
    guard request.target.path.dropFirst(Self.contentPath.count) == SandboxHash.sha1(secret + Array(query.utf8)),
      let parameters = try? FormEncoding.decode(query), let path = parameters.first(where: { $0.isNamed("path") }),
      let end = parameters.first(where: { $0.isNamed("until") })?.valueText.flatMap({ Int64($0) }), now.seconds < end
    else { throw GokuaiError(code: 40310, message: "the address is no longer valid") }
    guard let content = try item(at: path.value).content else { throw .invalid("a folder has no content") }
    let tag = "\"\(content.sha1)\""
    var headers: HeaderFields = [.contentType: "application/octet-stream", "Accept-Ranges": "bytes"]
    if let tag = FieldValue(tag) { headers.append("ETag", tag) }
    guard let text = request.headers.first("Range"), request.headers.first("If-Range").map({ $0 == tag }) ?? true,
      let start = Self.start(ofRange: text)
    else { return Response(status: .ok, headers: headers, body: content.bytes) }
    guard start < content.bytes.count else {
      headers.append("Content-Range", FieldValue("bytes */\(content.bytes.count)") ?? "bytes */*")
      return Response(status: StatusCode(416), headers: headers)
    }
    let range = "bytes \(start)-\(content.bytes.count - 1)/\(content.bytes.count)"
    if let range = FieldValue(range) { headers.append("Content-Range", range) }
    return Response(status: StatusCode(206), headers: headers, body: Array(content.bytes[start...]))
  }

  /// Returns N from `bytes=N-`; nil for other forms, which servers may ignore.
  private static func start(ofRange text: String) -> Int? {
    guard text.hasPrefix("bytes="), text.hasSuffix("-") else { return nil }
    return Int(text.dropFirst("bytes=".count).dropLast())
  }

  // MARK: Changing

  mutating func createFolder(_ form: GokuaiForm, at now: Timestamp) throws(GokuaiError) -> Response {
    let path = Array(try form.path("fullpath").utf8)
    if path.isEmpty { throw .invalid("fullpath is missing") }
    if let item = items[path], item.content != nil { throw .exists }
    addFolders(upTo: path, at: now)
    return try information(form)
  }

  /// Removes files and folders. As in the real service, unknown paths are reported with status 200.
  mutating func delete(_ form: GokuaiForm, at now: Timestamp) throws(GokuaiError) -> Response {
    let paths = try form.required("fullpaths").utf8.split(separator: UInt8(ascii: "|")).map { Array($0) }
    for path in paths where items[path] == nil {
      var response = GokuaiError.notFound(40402, "file not found").response
      response.status = .ok
      return response
    }
    for path in paths { remove(path, at: now) }
    return Response(json: Array("{}".utf8))
  }

  /// Removes the first entry of a folder, as another client could between the requests for two pages.
  mutating func removeFirst(in form: GokuaiForm, at now: Timestamp) throws(GokuaiError) {
    let folder = Array(try form.path("fullpath").utf8)
    let names = items.keys.filter { Self.parent(of: $0) == folder }
    if let first = names.min(by: { $0.lexicographicallyPrecedes($1) }) { remove(first, at: now) }
  }

  mutating func copy(_ form: GokuaiForm, at now: Timestamp) throws(GokuaiError) -> Response {
    let (source, target) = (Array(try form.path("from_fullpath").utf8), Array(try form.path("fullpath").utf8))
    try transfer(source, to: target, at: now)
    return try information(form)
  }

  mutating func move(_ form: GokuaiForm, at now: Timestamp) throws(GokuaiError) -> Response {
    let (source, target) = (Array(try form.path("fullpath").utf8), Array(try form.path("dest_fullpath").utf8))
    try transfer(source, to: target, at: now)
    remove(source, at: now)
    return Response(json: Array("{}".utf8))
  }

  /// Copies or moves files and folders into a folder, for a user.
  mutating func transfer(
    _ form: GokuaiForm, removesSource: Bool, at now: Timestamp
  ) throws(GokuaiError) -> Response {
    guard try form.required("target_mount_id") == GokuaiKeys.libraryID else {
      throw .notFound(40401, "no such library")
    }
    let folder = Array(try form.path("target_fullpath").utf8)
    for source in try form.required("fullpaths").utf8.split(separator: UInt8(ascii: "|")).map({ Array($0) }) {
      let target = (folder.isEmpty ? [] : folder + [UInt8(ascii: "/")]) + Self.name(of: source)
      try transfer(source, to: target, at: now)
      if removesSource { remove(source, at: now) }
    }
    return Response(json: Array("{}".utf8))
  }

  /// Renames a file or folder within its folder, for a user.
  mutating func rename(_ form: GokuaiForm, at now: Timestamp) throws(GokuaiError) -> Response {
    let source = Array(try form.path("fullpath").utf8)
    let parent = Self.parent(of: source)
    let name = Array(try form.required("newname").utf8)
    try transfer(source, to: (parent.isEmpty ? [] : parent + [UInt8(ascii: "/")]) + name, at: now)
    remove(source, at: now)
    return Response(json: Array("{}".utf8))
  }

  private mutating func transfer(_ source: [UInt8], to target: [UInt8], at now: Timestamp) throws(GokuaiError) {
    _ = try item(at: source)
    if target.isEmpty || target == source || Self.isInside(target, source) { throw .invalid("the target is not valid") }
    if items[target] != nil { throw .exists }
    addFolders(upTo: Self.parent(of: target), at: now)
    for (path, item) in items where path == source || Self.isInside(path, source) {
      put(item, at: target + path.dropFirst(source.count), at: now)
    }
  }

  private mutating func put(_ item: Item, at path: [UInt8], at now: Timestamp) {
    items[path] = item
    changes.note(item, at: path, isRemoval: false, at: now)
  }

  private mutating func remove(_ path: [UInt8], at now: Timestamp) {
    for (inner, item) in items where inner == path || Self.isInside(inner, path) {
      items[inner] = nil
      changes.note(item, at: inner, isRemoval: true, at: now)
    }
  }

  /// Stores a file. Without `replaces`, an existing file is kept, and the new one gets a different name.
  /// - Returns: the file's path.
  @discardableResult
  mutating func store(_ content: Content, at path: [UInt8], replaces: Bool, at now: Timestamp) -> [UInt8] {
    addFolders(upTo: Self.parent(of: path), at: now)
    var free = path
    var number = 1
    while !replaces, items[free] != nil {
      free = path + Array("(\(number))".utf8)
      number += 1
    }
    put(Item(content: content, created: items[free]?.created ?? now.seconds, changed: now.seconds), at: free, at: now)
    return free
  }

  func content(of sha1: String) -> Content? { items.values.lazy.compactMap(\.content).first { $0.sha1 == sha1 } }

  private mutating func addFolders(upTo path: [UInt8], at now: Timestamp) {
    if path.isEmpty || items[path] != nil { return }
    addFolders(upTo: Self.parent(of: path), at: now)
    put(Item(created: now.seconds, changed: now.seconds), at: path, at: now)
  }

  // MARK: Paths

  private func item(at path: [UInt8]) throws(GokuaiError) -> Item {
    guard let item = items[path] else { throw .notFound(40402, "file not found") }
    return item
  }

  private func checkFolder(_ path: [UInt8]) throws(GokuaiError) {
    if !path.isEmpty, try item(at: path).content != nil { throw .invalid("not a folder") }
  }

  private static func parent(of path: [UInt8]) -> [UInt8] {
    path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[..<$0]) } ?? []
  }

  private static func name(of path: [UInt8]) -> [UInt8] {
    path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[($0 + 1)...]) } ?? path
  }

  private static func isInside(_ path: [UInt8], _ folder: [UInt8]) -> Bool {
    path.starts(with: folder + [UInt8(ascii: "/")])
  }
}
