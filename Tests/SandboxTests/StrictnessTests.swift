import CivilTime
import HTTP
import HomelineOAuth
import Sandbox
import Testing

@Suite("The sandbox's gate")
struct StrictnessTests {
  private static func timeline(_ walk: SandboxWalk, _ signer: HandSigner) throws -> HTTP.Request {
    let url = try walk.url(.homeTimeline, "?" + HandSigner.sent(HandSigner.query))
    return SandboxWalk.request(
      "GET", url, try signer.header("GET", walk.origin + SandboxRoute.homeTimeline.path, HandSigner.query))
  }

  @Test("a right signature by hand is let in, with SHA-1 and with SHA-256")
  func right() throws {
    var walk = SandboxWalk()
    var signer = HandSigner(token: try walk.login(), timestamp: walk.now.seconds)
    #expect(walk.send(try Self.timeline(walk, signer)).status == .ok)
    signer.signatureMethod = .hmacSHA256
    signer.nonce = "another"
    #expect(walk.send(try Self.timeline(walk, signer)).status == .ok)
  }

  @Test("each mistake that clients make is refused with code 32", arguments: HandSigner.Flaw.allCases)
  func flaws(flaw: HandSigner.Flaw) throws {
    var walk = SandboxWalk()
    var signer = HandSigner(token: try walk.login(), timestamp: walk.now.seconds)
    signer.flaw = flaw
    let response = walk.send(try Self.timeline(walk, signer))
    #expect(response.status == .unauthorized)
    #expect(response.code == 32)
    // The refused request used up nothing: the same nonce, rightly signed, is new.
    signer.flaw = nil
    #expect(walk.send(try Self.timeline(walk, signer)).status == .ok)
  }

  @Test("a form body is signed, and a multipart body that looks like one is not")
  func bodies() throws {
    for (type, signsBody, status) in [
      ("application/x-www-form-urlencoded", true, StatusCode.ok),
      ("application/x-www-form-urlencoded; charset=UTF-8", true, .ok),
      ("application/x-www-form-urlencoded", false, .unauthorized),
      ("multipart/form-data; boundary=x", true, .unauthorized),
      ("multipart/form-data; boundary=x", false, .ok),
    ] {
      var walk = SandboxWalk()
      let signer = HandSigner(token: try walk.login(), timestamp: walk.now.seconds)
      let url = try walk.url(.invalidateToken)
      let header = try signer.header("POST", url.text, [], form: signsBody ? [("a", "1 2")] : [])
      let request = SandboxWalk.request(
        "POST", url, header, headers: [.contentType: FieldValue(type)!], body: Array("a=1+2".utf8))
      #expect(walk.send(request).status == status, "\(type), body signed: \(signsBody)")
    }
  }

  @Test(
    "what is not signed at all is bad authentication data",
    arguments: [nil, "Basic eDp5", "Bearer x", "OAuth", "OAuth a"])
  func unsigned(header: String?) throws {
    var walk = SandboxWalk()
    let response = walk.send(SandboxWalk.request("GET", try walk.url(.homeTimeline), header))
    #expect(response.status == .badRequest)
    #expect(response.code == 215)
  }

  @Test("a protocol parameter that comes twice is a bad request")
  func doubled() throws {
    var walk = SandboxWalk()
    let token = try walk.login()
    let right = try walk.signed(.homeTimeline, by: token)
    let header = try #require(right.headers.first("Authorization"))
    for (query, header) in [("?oauth_version=1.0", header), ("", header + ", oauth_nonce=\"n\"")] {
      let response = walk.send(SandboxWalk.request("GET", try walk.url(.homeTimeline, query), header))
      #expect(response.status == .badRequest)
      #expect(response.code == 215)
    }
  }

  @Test("a timestamp up to five minutes off is let in, one beyond is out of bounds, and Date says the true time")
  func timestamps() throws {
    var walk = SandboxWalk()
    let token = try walk.login()
    for (offset, status) in [(0, StatusCode.ok), (-300, .ok), (300, .ok), (-301, .unauthorized), (301, .unauthorized)] {
      let signer = HandSigner(token: token, timestamp: walk.now.seconds + Int64(offset), nonce: "n\(offset)")
      let response = walk.send(try Self.timeline(walk, signer))
      #expect(response.status == status, "\(offset) s off")
      #expect(response.code == (status == .ok ? nil : 135))
      #expect(response.headers.first("Date").flatMap { Timestamp(imfFixdate: $0) } == walk.now)
    }
    let far = HandSigner(token: token, timestamp: .max)
    #expect(walk.send(try Self.timeline(walk, far)).code == 135)
  }

  @Test("a client that learns the offset from Date is let in")
  func clockOffset() throws {
    var walk = SandboxWalk()
    let token = try walk.login()
    walk.provider.faults.clockOffset = .seconds(600)
    let refused = try walk.get(.homeTimeline, by: token)
    #expect(refused.code == 135)
    let date = try #require(refused.headers.first("Date").flatMap { Timestamp(imfFixdate: $0) })
    #expect(date == walk.now + .seconds(600))
    let url = try walk.url(.homeTimeline)
    let authorization = try Signer(client: SandboxProvider.consumer, token: .token(token))
      .sign(SignableRequest(method: "GET", url: url), stamp: Stamp.random(timestamp: date.seconds))
    #expect(walk.send(SandboxWalk.request("GET", url, authorization.headerValue)).status == .ok)
  }

  @Test("the same request twice is a replay; the same nonce at another time is none")
  func replay() throws {
    var walk = SandboxWalk()
    let token = try walk.login()
    let request = try walk.signed(.homeTimeline, by: token)
    #expect(walk.send(request).status == .ok)
    let again = walk.send(request)
    #expect(again.status == .unauthorized)
    #expect(again.code == 32)
    // As long as its timestamp is taken, its nonce is known; then the timestamp alone refuses it.
    walk.now = walk.now + .seconds(300)
    #expect(walk.send(request).code == 32)
    walk.now = walk.now + .seconds(1)
    #expect(walk.send(request).code == 135)
    for second: Int64 in [0, 1] {
      let signer = HandSigner(token: token, timestamp: walk.now.seconds + second, nonce: "same")
      #expect(walk.send(try Self.timeline(walk, signer)).status == .ok)
    }
  }

  @Test("an unknown consumer key, and tokens that were not issued here, are refused")
  func strangers() throws {
    var walk = SandboxWalk()
    let token = try walk.login()
    let url = try walk.url(.homeTimeline)
    let stranger = try Signer(
      client: ClientCredentials(identifier: "x", secret: SandboxProvider.consumer.secret), token: .token(token)
    ).sign(SignableRequest(method: "GET", url: url), stamp: walk.stamp())
    #expect(walk.send(SandboxWalk.request("GET", url, stranger.headerValue)).code == 32)

    let changed = String(token.identifier.dropLast()) + (token.identifier.hasSuffix("A") ? "B" : "A")
    for identifier in [changed, "14000001-", "", "x", try walk.requestToken().identifier] {
      let response = try walk.get(.homeTimeline, by: TokenCredentials(identifier: identifier, secret: token.secret))
      #expect(response.status == .unauthorized)
      #expect(response.code == 89)
    }
  }

  @Test("PLAINTEXT is taken over loopback, and its secrets must be encoded")
  func plaintext() throws {
    var walk = SandboxWalk()
    walk.method = .plaintext
    let token = try walk.login()
    #expect(try walk.page(by: token).count == 20)
    let raw =
      "OAuth oauth_consumer_key=\"sandbox\", oauth_signature_method=\"PLAINTEXT\", oauth_callback=\"oob\", oauth_signature="
    let url = try walk.url(.requestToken)
    for (signature, status) in [
      ("open%252Bsesame%252F%2526%253D%2525%26", StatusCode.ok), ("open%2Bsesame%2F%26%3D%25%26", .unauthorized),
    ] {
      #expect(walk.send(SandboxWalk.request("POST", url, raw + "\"\(signature)\"")).status == status)
    }
  }

  @Test("what is not there is code 34, as JSON")
  func notThere() throws {
    var walk = SandboxWalk()
    for (method, path) in [
      ("GET", "/"), ("GET", "/1.1/lists/list.json"), ("POST", SandboxRoute.homeTimeline.path),
      ("DELETE", "/oauth/authorize"),
    ] {
      let response = walk.send(SandboxWalk.request(method, try RequestURL(walk.origin + path), nil))
      #expect(response.status == .notFound)
      #expect(response.code == 34)
    }
  }
}
