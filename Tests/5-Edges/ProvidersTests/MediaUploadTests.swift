import Bytes
import HTTP
import HTTPClient
import HomelineOAuth
import Posting
import Testing
import Time

@testable import Providers

/// The requests and responses for uploading files.
@Suite struct MediaUploadTests {
  private let mastodon = try! Mastodon(at: ProviderLocation(.oauth2, at: RequestURL("https://a.example")))!
  private let twitter = try! Twitter(
    at: ProviderLocation(endpoints: [.homeTimeline: RequestURL("https://gs.example/api/statuses/home_timeline.json")]))!
  private let now = Timestamp(seconds: 1_795_176_000)
  private let parts = MediaRules(partSize: 100)

  private func response(_ status: Int, _ body: String) -> ProviderResponse {
    ProviderResponse(status: status, body: Array(body.utf8), receivedAt: now, hiding: .nothing)
  }

  private func media(_ type: String, size: Int = 10, description: String? = nil) -> PostMedia {
    PostMedia(path: "/a", fingerprint: "", size: size, type: type, description: description)
  }

  @Test("a file for Mastodon is uploaded with its description in one request, then polled until it is processed")
  func mastodonUpload() throws {
    let video = media("video/mp4", description: "d")
    let upload = try #require(mastodon.mediaRequest(for: video, after: .missing, MediaRules()))
    #expect(upload.url == "https://a.example/api/v2/media" && upload.parameters == [])
    #expect(upload.fileForm?.outline == "description=d, file 0..<10 video/mp4")
    func result(_ status: Int, _ body: String, after stage: MediaStage = .missing) -> MediaResult {
      mastodon.mediaResult(from: response(status, body), for: video, after: stage, MediaRules())
    }
    let lifetime = Duration.seconds(43_200)
    #expect(result(200, #"{"id":"7","url":"https://u"}"#) == .reached(.ready(id: "7"), lifetime: lifetime))
    // An id at snac has an extension.
    #expect(result(200, #"{"id":"32d3.png","url":"u"}"#) == .reached(.ready(id: "32d3.png"), lifetime: lifetime))
    let processing = MediaStage.processing(id: "7")
    let waits = MediaResult.reached(processing, after: .seconds(2), lifetime: lifetime)
    #expect(result(202, #"{"id":"7","url":null}"#) == waits && result(200, #"{"id":7,"url":null}"#) == waits)
    #expect(result(206, #"{"id":"7"}"#, after: processing) == .reached(processing, after: .seconds(2)))
    #expect(result(200, #"{"id":"7","url":"u"}"#, after: processing) == .reached(.ready(id: "7")))
    let poll = mastodon.mediaRequest(for: video, after: processing, MediaRules())
    #expect(poll?.address.path == "/api/v1/media/7" && poll?.method == .get)
    #expect(mastodon.mediaRequest(for: video, after: .ready(id: "7"), MediaRules()) == nil)
    for (result, isRefused) in [
      (result(422, #"{"error":"File content type is invalid"}"#), true), (result(200, "{}"), true),
      (result(200, #"{"id":"../7","url":"u"}"#), true), (result(200, #"{"id":"..","url":"u"}"#), true),
      (result(200, #"{"id":".png","url":"u"}"#), true), (result(404, "", after: processing), false),
      (result(404, #"{"error":"Record not found"}"#, after: processing), true),
      (result(413, ""), true), (result(500, ""), false), (result(507, ""), false), (result(429, "{}"), false),
    ] {
      switch result {
      case .refused: #expect(isRefused, "\(result)")
      case .postponed: #expect(!isRefused, "\(result)")
      case .reached, .withoutLogin: Issue.record("\(result)")
      }
    }
  }

  @Test(
    "a large file for the v1.1 API is uploaded in parts, each from the confirmed offset, and is then described")
  func twitterParts() throws {
    let video = media("video/mp4", size: 250, description: "d")
    var stage = MediaStage.missing
    var requests: [String] = []
    func next(_ status: Int, _ body: String) throws {
      let request = try #require(twitter.mediaRequest(for: video, after: stage, parts))
      let form = request.parameters.map { "\($0.nameText ?? "")=\($0.valueText ?? "")" }.joined(separator: " ")
      if let file = request.fileForm {
        requests.append("\(file.fields.map(\.value).joined(separator: " ")) \(file.field) \(file.range)")
      } else if request.text.hasPrefix("{") {
        requests.append(request.text)
      } else {
        requests.append("\(request.method) \(form)\(request.address.query ?? "")")
      }
      let result = twitter.mediaResult(from: response(status, body), for: video, after: stage, parts)
      guard case .reached(let reached, _, _) = result else {
        Issue.record("\(result)")
        return
      }
      stage = reached
    }
    try next(202, #"{"media_id":70,"media_id_string":"71","expires_after_secs":3599}"#)
    for _ in 0..<3 { try next(204, "") }
    try next(200, #"{"media_id_string":"71","processing_info":{"state":"pending","check_after_secs":0}}"#)
    try next(200, #"{"media_id_string":"71","processing_info":{"state":"in_progress","check_after_secs":9}}"#)
    try next(200, #"{"media_id_string":"71","processing_info":{"state":"succeeded"}}"#)
    try next(200, "")
    #expect(stage == .ready(id: "71") && twitter.mediaRequest(for: video, after: stage, parts) == nil)
    #expect(
      requests == [
        "POST command=INIT total_bytes=250 media_type=video/mp4 media_category=tweet_video",
        "APPEND 71 0 media 0..<100", "APPEND 71 1 media 100..<200", "APPEND 71 2 media 200..<250",
        "POST command=FINALIZE media_id=71", "GET command=STATUS&media_id=71", "GET command=STATUS&media_id=71",
        #"{"media_id":"71","alt_text":{"text":"d"}}"#,
      ])
  }

  @Test("a picture for the v1.1 API is uploaded in one request, and an error with status 200 is a refusal")
  func twitterPicture() throws {
    let picture = media("image/png")
    let request = try #require(twitter.mediaRequest(for: picture, after: .missing, parts))
    #expect(request.url == "https://gs.example/api/media/upload.json")
    #expect(request.fileForm?.outline == "media 0..<10 image/png")
    func result(_ status: Int, _ body: String) -> MediaResult {
      twitter.mediaResult(from: response(status, body), for: picture, after: .missing, parts)
    }
    #expect(
      result(200, #"{"media_id":7,"media_id_string":"7","media_url":"u","size":123}"#) == .reached(.ready(id: "7")))
    guard case .refused = result(200, #"{"errors":[{"message":"too big","code":324}]}"#),
      case .postponed = result(200, "<html>"), case .postponed = result(503, "")
    else {
      Issue.record("a response is classified incorrectly")
      return
    }
    guard
      case .refused("Unsupported video") = twitter.mediaResult(
        from: response(
          200,
          #"{"media_id_string":"7","processing_info":{"state":"failed","error":{"message":"Unsupported video"}}}"#),
        for: picture, after: .processing(id: "7"), parts)
    else {
      Issue.record("a failure is classified incorrectly")
      return
    }
  }

  @Test("X: every file is uploaded in parts with the upload's id, then processed and described")
  func xParts() throws {
    let x = try #require(try X(at: ProviderLocation(.oauth2)))
    let picture = media("image/png", size: 250, description: "d \"e\"")
    var stage = MediaStage.missing
    var requests: [String] = []
    func next(_ status: Int, _ body: String) throws {
      let request = try #require(x.mediaRequest(for: picture, after: stage, parts))
      let path = request.url.replacing("https://api.x.com/2/media/", with: "")
      if let file = request.fileForm {
        let fields = file.fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        requests.append("\(path) \(fields) \(file.field) \(file.range)")
      } else if request.text.hasPrefix("{") {
        requests.append("\(path) " + request.text)
      } else {
        requests.append("\(request.method) \(path) \(request.parameters.count)")
      }
      let result = x.mediaResult(from: response(status, body), for: picture, after: stage, parts)
      guard case .reached(let reached, _, _) = result else {
        Issue.record("\(result)")
        return
      }
      stage = reached
    }
    try next(200, #"{"data":{"id":"71","media_key":"3_71","expires_after_secs":1295999}}"#)
    for _ in 0..<3 { try next(200, #"{"data":{"expires_at":1795176000}}"#) }
    try next(200, #"{"data":{"id":"71","size":250,"processing_info":{"state":"pending","check_after_secs":0}}}"#)
    try next(200, #"{"data":{"id":"71","processing_info":{"state":"in_progress","progress_percent":50}}}"#)
    try next(200, #"{"data":{"id":"71","processing_info":{"state":"succeeded"}},"errors":[]}"#)
    try next(200, #"{"data":{}}"#)
    #expect(stage == .ready(id: "71") && x.mediaRequest(for: picture, after: stage, parts) == nil)
    #expect(
      requests == [
        #"upload/initialize {"media_type":"image/png","total_bytes":250,"media_category":"tweet_image"}"#,
        "upload/71/append segment_index=0 media 0..<100", "upload/71/append segment_index=1 media 100..<200",
        "upload/71/append segment_index=2 media 200..<250", "POST upload/71/finalize 0",
        "GET upload?command=STATUS&media_id=71 0", "GET upload?command=STATUS&media_id=71 0",
        #"metadata {"id":"71","metadata":{"alt_text":{"text":"d \"e\""}}}"#,
      ])
  }

  @Test(
    "X: an upload's failure is either final or temporary, and only a numeric id becomes part of an address"
  )
  func xFailures() throws {
    let x = try #require(try X(at: ProviderLocation(.oauth2)))
    let video = media("video/mp4")
    func result(_ status: Int, _ body: String, after stage: MediaStage = .missing) -> MediaResult {
      x.mediaResult(from: response(status, body), for: video, after: stage, parts)
    }
    let ended = MediaStage.partial(id: "7", sent: 10)
    #expect(
      result(200, #"{"data":{"id":"7","expires_after_secs":86400}}"#, after: ended)
        == .reached(.ready(id: "7"), lifetime: .seconds(86_400)))
    let failed = #"{"data":{"id":"7","processing_info":{"state":"failed","error":{"message":"Bad video"}}}}"#
    #expect(result(200, failed, after: .processing(id: "7")) == .refused("Bad video"))
    for (status, body, isRefused) in [
      (200, #"{"data":{"id":"../7"}}"#, true), (200, #"{"errors":[{"title":"Bad"}]}"#, true), (200, "<html>", false),
      (400, #"{"title":"Invalid Request","detail":"bad","type":"about:blank"}"#, true), (403, "{}", false),
      (402, #"{"title":"CreditsDepleted","detail":"no credits","type":"https://api.x.com/2/problems/credits"}"#, false),
      (429, "{}", false), (500, "", false), (503, "{}", false),
    ] {
      switch result(status, body) {
      case .refused: #expect(isRefused, "\(status) \(body)")
      case .postponed: #expect(!isRefused, "\(status) \(body)")
      case .reached, .withoutLogin: Issue.record("\(status) \(body)")
      }
    }
  }

  @Test("X: a post can have four pictures, or one GIF or video, and each has its own size limit")
  func xRules() throws {
    let x = try #require(try X(at: ProviderLocation(.oauth2)))
    let rules = try x.postingRules(from: nil)
    func objection(_ media: PostMedia...) -> String? { rules.objection(to: PostDraft(text: "", media: media)) }
    let (picture, gif, video) = (media("image/jpeg"), media("image/gif"), media("video/mp4"))
    #expect(objection(picture, picture, picture, picture) == nil && objection(gif) == nil && objection(video) == nil)
    #expect(objection(picture, gif) == "/a: X allows image/gif only as the sole file of a post")
    #expect(objection(video, video) == "/a: X allows video/mp4 only as the sole file of a post")
    #expect(objection(media("image/png", size: 5_000_001))?.contains("at most 5000000 bytes") == true)
    #expect(objection(media("image/gif", size: 15_000_000)) == nil)
    #expect(objection(media("image/gif", size: 15_000_001))?.contains("at most 15000000 bytes") == true)
    #expect(objection(media("video/mp4", size: 512_000_001))?.contains("at most 512000000 bytes") == true)
    let described = PostDraft(text: "", media: [media("video/mp4", description: "d")])
    #expect(x.objection(to: described)?.contains("descriptions of pictures only") == true)
  }

  @Test("files are checked against the server's rules before the upload")
  func rules() {
    let rules = MediaRules(
      maximumCount: 2, types: ["image/png", "video/mp4"], imageSize: 10, videoSize: 20, descriptionLength: 3)
    func objection(_ media: PostMedia...) -> String? { rules.objection(to: media, server: "S") }
    let picture = media("image/png", description: "abc")
    #expect(objection(picture, media("video/mp4", size: 20)) == nil)
    #expect(objection(picture, picture, picture) == "S allows 2 files in a post, not 3")
    #expect(objection(media("image/gif")) == "/a: S does not accept image/gif")
    #expect(objection(media("image/png", size: 11))?.contains("at most 10 bytes") == true)
    #expect(objection(media("video/mp4", size: 21))?.contains("at most 20 bytes") == true)
    #expect(objection(media("image/png", description: "abcd"))?.contains("4 characters; at most 3") == true)
    #expect(
      MediaRules(descriptionLength: 0).objection(to: [picture], server: "S")?.contains("omit --alt") == true)
    #expect(MediaRules().objection(to: [picture, media("x/y", size: 1 << 40)], server: "S") == nil)
  }
}
