import Bytes
import HTTP
import HomelineOAuth
import Testing

@testable import Drive

@Suite struct DriveAPITests {
  private let user = DriveAPI(
    origin: "https://d.example", key: .user(token: Secret("AT"), library: "7"), secret: Secret("s"))
  private let library = DriveAPI(origin: "https://d.example", key: .library(id: "ocid"), secret: Secret("s"))

  private func values(_ request: DriveRequest) throws -> [String: String] {
    let parameters = try request.form ?? FormEncoding.decode(RequestURL(request.url).query ?? "")
    return Dictionary(uniqueKeysWithValues: parameters.map { ($0.nameText ?? "", $0.valueText ?? "") })
  }

  private func path(_ request: DriveRequest) throws -> String { try RequestURL(request.url).path }

  @Test("a request for the library itself has no path and no empty parameters")
  func root() throws {
    let request = try user.list(.root, from: 0, at: 1_700_000_000)
    #expect(request.method == .get)
    #expect(try path(request) == "/m-api/1/file/ls")
    #expect(
      try values(request).filter { $0.key != "sign" } == [
        "dateline": "1700000000", "mount_id": "7", "size": "100", "start": "0", "token": "AT",
      ])
    #expect(try values(request)["sign"]?.isEmpty == false)
  }

  @Test("requests with a library key are sent as signed forms")
  func libraryKey() throws {
    let vector = try #require(DriveVectors.published.signing.first { $0.id == "create-file-org" })
    let api = DriveAPI(origin: "https://d.example", key: .library(id: "ocid"), secret: Secret(vector.secret))
    let request = try api.createFile(
      DrivePath("docs/a b.txt"), FileContent(sha1: vector.params["filehash"]!, size: 5), replaces: true,
      at: 1_700_000_000)
    #expect(request.method == .post)
    #expect(try path(request) == "/m-open/1/file/create_file")
    var values = try values(request)
    #expect(values.removeValue(forKey: "sign") == vector.sign)
    #expect(values == vector.params)
  }

  @Test("a single request deletes several paths")
  func delete() throws {
    let vector = try #require(DriveVectors.published.signing.first { $0.id == "del-many" })
    let api = DriveAPI(origin: "https://d.example", key: .library(id: "ocid"), secret: Secret(vector.secret))
    let request = try api.delete([DrivePath("docs/a.txt"), DrivePath("/docs/b.txt")], at: 1_700_000_000)
    #expect(try values(request)["sign"] == vector.sign)
  }

  @Test("a user's file can be renamed, moved, or renamed and moved with a single command")
  func move() throws {
    let paths = { (from: String, to: String) throws in
      try user.move(DrivePath(from), to: DrivePath(to), at: 1).map { try path($0) }
    }
    #expect(try paths("a/x", "a/y") == ["/m-api/1/file/rename"])
    #expect(try paths("a/x", "b/x") == ["/m-api/1/file/move"])
    #expect(try paths("a/x", "b/y") == ["/m-api/1/file/rename", "/m-api/1/file/move"])
    #expect(try library.move(DrivePath("a/x"), to: DrivePath("b/y"), at: 1).count == 1)
  }

  @Test("only a library key allows copying a file to a different name")
  func copy() throws {
    #expect(throws: DriveError.self) { try user.copy(DrivePath("a/x"), to: DrivePath("a/y"), at: 1) }
    #expect(try values(user.copy(DrivePath("a/x"), to: DrivePath("b/x"), at: 1))["target_fullpath"] == "b")
    #expect(try values(user.copy(DrivePath("a/x"), to: DrivePath("x"), at: 1))["target_fullpath"] == nil)
    #expect(try values(library.copy(DrivePath("a/x"), to: DrivePath("a/y"), at: 1))["fullpath"] == "a/y")
  }

  @Test("only the first request to an upload server contains the token")
  func uploadToken() throws {
    let requests = UploadRequests(
      .user(token: Secret("AT"), library: "7"), name: "会议.docx", FileContent(sha1: "ab", size: 5))
    let session = BlockUpload.Session(server: "https://u", id: "x")
    let begin = requests.initialize(server: "https://u", pathID: "p")
    #expect(begin.headers.contains(.init(name: "x-gk-token", value: "AT")))
    #expect(begin.headers.contains(.init(name: "x-gk-upload-filename", value: "%E4%BC%9A%E8%AE%AE.docx")))
    let send = requests.send(4..<5, checksum: 0xffff_ffff, session)
    #expect(send.headers.contains(.init(name: "x-gk-upload-range", value: "4-4")))
    #expect(send.headers.contains(.init(name: "x-gk-upload-crc", value: "4294967295")))
    for request in [send, requests.ask(session), requests.finish(session)] {
      #expect(!request.headers.contains { $0.value == "AT" })
    }
    let library = UploadRequests(.library(id: "oc"), name: "a", FileContent(sha1: "ab", size: 5))
    #expect(library.initialize(server: "https://u", pathID: "p").url == "https://u/upload_init?org_client_id=oc")
  }

  @Test("file names are encoded as in the vectors", arguments: DriveVectors.published.filenameHeader)
  func names(vector: DriveVectors.FileName) {
    let requests = UploadRequests(.library(id: "oc"), name: vector.filename, FileContent(sha1: "ab", size: 5))
    let headers = requests.initialize(server: "https://u", pathID: "p").headers
    #expect(headers.contains(.init(name: "x-gk-upload-filename", value: vector.rfc3986)))
  }
}

@Suite struct LegacyUploadTests {
  @Test("an upload through the 2013 API is a multipart form with three signed values")
  func form() throws {
    let vector = try #require(DriveVectors.published.signing.first { $0.id == "seed-era-upload-step2" })
    let api = DriveAPI(
      origin: "https://d.example", key: .user(token: Secret("AT-made-up"), library: nil), secret: Secret(vector.secret))
    let upload = LegacyUpload(api, try DrivePath("/docs/a b.txt"), mount: "gokuai")
    let request = try upload.server()
    #expect(request.url == "https://d.example/1/file/upload_server")
    #expect(request.form?.last == Parameter("sign", vector.sign))
    let form = try upload.form(server: "https://u", boundary: "B")
    #expect(form.request.url == "https://u/1/file/upload")
    let fields = [("token", "AT-made-up"), ("fullpath", "docs/a b.txt"), ("mount", "gokuai"), ("sign", vector.sign)]
    let text = (fields + [("filefield", "file")]).map {
      "--B\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n\($1)\r\n"
    }.joined()
    #expect(
      String(decoding: form.head, as: UTF8.self) == text
        + "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a b.txt\"\r\n"
        + "Content-Type: application/octet-stream\r\n\r\n")
    #expect(form.tail == Array("\r\n--B--\r\n".utf8))
  }

  @Test("an upload through the 2013 API requires a user's token")
  func key() throws {
    let api = DriveAPI(origin: "https://d.example", key: .library(id: "x"), secret: Secret("s"))
    #expect(throws: DriveError.self) { try LegacyUpload(api, DrivePath("a"), mount: "gokuai").server() }
  }
}

@Suite struct DriveHostsTests {
  private func hosts(_ api: String = "https://yk3.example.com", _ patterns: [String] = []) throws -> DriveHosts {
    DriveHosts(api: try RequestURL(api), patterns: patterns)
  }

  @Test("an upload server must be the API's host, or a host in the configuration")
  func allowed() throws {
    let hosts = try hosts("https://yk3.example.com", ["*.example.com", "up.example.org"])
    #expect(try hosts.uploadServer("https://yk3.example.com/up/") == "https://yk3.example.com/up")
    #expect(try hosts.uploadServer("a.b.example.com") == "https://a.b.example.com")
    #expect(try hosts.uploadServer("UP.example.org:8443") == "https://up.example.org:8443")
    for other in ["https://example.com", "https://evilexample.com", "https://x.up.example.org", "https://a.example"] {
      #expect(throws: DriveError.self) { try hosts.uploadServer(other) }
    }
  }

  @Test("plain http is allowed only for drives on this machine")
  func plain() throws {
    let hosts = try hosts("https://yk3.example.com", ["*.example.com"])
    #expect(try hosts.uploadServer("http://up.example.com/x") == "https://up.example.com/x")
    #expect(try hosts.download("http://cdn.example/x?y") == "https://cdn.example/x?y")
    #expect(throws: DriveError.self) { try hosts.download("http://127.0.0.1:80/x") }
    let local = try self.hosts("http://127.0.0.1:8080")
    #expect(try local.uploadServer("127.0.0.1:9") == "http://127.0.0.1:9")
    #expect(try local.download("http://127.0.0.1:9/x") == "http://127.0.0.1:9/x")
  }
}

@Suite struct DriveErrorTests {
  private func failure(_ status: Int, _ body: String) -> DriveError? {
    DriveResponse(status: status, body: Array(body.utf8), hiding: Redaction([Secret("secret-token")])).failure
  }

  @Test(
    "the meaning of a drive's error code does not depend on the HTTP status", arguments: [200, 400, 401, 500],
    [
      (40101, DriveError.Kind.tokenExpired), (40102, .tokenExpired), (401010, .loginNeeded), (40104, .configuration),
      (400012, .configuration), (401041, .configuration), (40402, .notFound), (40321, .full), (50301, .unavailable),
      (502, .unavailable), (40310, .refused), (40303, .loginNeeded),
    ])
  func codes(status: Int, code: (Int, DriveError.Kind)) {
    #expect(failure(status, #"{"error_code":\#(code.0),"error_msg":"x"}"#)?.kind == code.1)
    #expect(failure(status, #"{"error_code":"\#(code.0)"}"#)?.code == code.0)
  }

  @Test("a response with a result of zero is an error even if its status is 200")
  func result() {
    #expect(failure(200, #"{"result":0,"msg":"no"}"#)?.description == "the server refused the request: no")
    #expect(failure(200, #"{"result":1}"#) == nil)
    #expect(failure(200, #"{"error_code":0,"list":[]}"#) == nil)
    #expect(failure(200, "4194304") == nil)
    #expect(failure(200, "") == nil)
  }

  @Test("a refused grant requires a new login")
  func grant() {
    let refused = failure(400, #"{"error":"invalid_grant","error_description":"wrong"}"#)
    #expect(refused?.kind == .loginNeeded)
    #expect(refused?.description.contains("wrong") == true)
  }

  @Test("a response without the API's JSON is not the API's own and is temporary, regardless of its status")
  func status() {
    for status in [302, 401, 403, 404, 413, 503] {
      for body in ["", "<html>", #"{"title":"Not Found","status":404}"#] {
        #expect(failure(status, body)?.kind == .unavailable, "\(status), \(body)")
      }
    }
    #expect(failure(404, "<html>")?.description.contains("a web page (status 404)") == true)
  }

  @Test("error messages from the drive contain no secrets")
  func secrecy() {
    #expect(
      failure(400, #"{"error_code":40001,"error_msg":"bad secret-token"}"#)?.description.contains("secret") == true)
    #expect(
      failure(400, #"{"error_code":40001,"error_msg":"bad secret-token"}"#)?.description.contains("secret-token")
        == false)
  }
}

@Suite struct DriveResponseTests {
  private func response(_ body: String) -> DriveResponse {
    DriveResponse(status: 200, body: Array(body.utf8), hiding: .nothing)
  }

  @Test("numbers in a response may be strings, and flags may be numbers")
  func loose() throws {
    let listing = try DriveListing(
      response(
        #"{"count":"9","list":[{"fullpath":"a","dir":"1"},{"fullpath":"b/","dir":0},{"fullpath":"c","dir":1,"filesize":"5"},{"dir":1},7]}"#
      ))
    #expect(listing.count == 5)
    #expect(listing.entries.map(\.isFolder) == [true, true, true])
    #expect(listing.entries.map(\.path) == ["a", "b", "c"])
    #expect(listing.entries[2].size == 5)
  }

  @Test("a response without a list is an error, and a response with an empty list is not")
  func noList() throws {
    #expect(throws: DriveError.self) { try DriveListing(response("{}")) }
    #expect(throws: DriveError.self) { try DriveListing(response("<html>")) }
    #expect(try DriveListing(response(#"{"list":[]}"#)).entries.isEmpty)
  }

  @Test("the response to an announcement lists upload servers, or reports that the upload is complete")
  func created() throws {
    let file = try CreatedFile(response(#"{"hash":"h","state":"0","server":"a.example, https://b"}"#))
    #expect(file == CreatedFile(isComplete: false, pathID: "h", servers: ["a.example", "https://b"]))
    #expect(try CreatedFile(response(#"{"hash":"h","state":"1"}"#)).isComplete)
    #expect(throws: DriveError.self) { try CreatedFile(response(#"{"hash":"h","state":0}"#)) }
  }

  @Test("a file's download addresses are read from either of the two possible members")
  func location() throws {
    let opened = try DriveLocation(response(#"{"uris":["https://x"],"filehash":"AB","filesize":"5"}"#))
    #expect(opened == DriveLocation(addresses: ["https://x"], sha1: "ab", size: 5))
    #expect(try DriveLocation(response(#"{"urls":["https://x","https://y"]}"#)).addresses.count == 2)
    #expect(throws: DriveError.self) { try DriveLocation(response(#"{"urls":[]}"#)) }
  }
}
