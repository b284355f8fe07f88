internal import HTTP
internal import JSON

/// Answers of the real Weibo, and of what stands in front of it.
extension SandboxFault {
  /// A refusal with any number under any status.
  package static func weibo(
    _ status: Int, code: Int, _ error: String, at route: WeiboRoute, _ quirks: WeiboQuirks = WeiboQuirks()
  ) -> SandboxFault {
    .answer(WeiboRefusal(status, code, error).response(to: route.path, quirks))
  }

  /// Plain text from a gateway.
  package static var weiboBadGateway: SandboxFault {
    .answer(Response(status: .badGateway, type: "text/plain", text: "502 Bad Gateway"))
  }

  /// Nothing, with a status of success: what banned clients get.
  package static var weiboNothing: SandboxFault {
    .answer(Response(status: .ok, headers: [.contentType: "application/json;charset=UTF-8"]))
  }

  /// An error page in the encoding of old Chinese sites.
  package static var weiboPageInGBK: SandboxFault {
    // 系统繁忙 (the system is busy); the last byte of some letters of GBK is a backslash, so one is added.
    let words: [UInt8] = [0xcf, 0xb5, 0xcd, 0xb3, 0xb7, 0xb1, 0xc3, 0xa6, 0x81, 0x5c]
    let page = Array("<html><head><title>".utf8) + words + Array("</title></head><body>".utf8) + words
    return .answer(
      Response(
        status: .internalServerError, headers: [.contentType: "text/html; charset=gbk"],
        body: page + Array("</body></html>\n".utf8)))
  }
}
