package import HTTP

extension Response {
  /// Code 415, which the real server writes as XML.
  package static var callbackNotApproved: Response {
    Response(
      status: .forbidden, type: "application/xml; charset=utf-8",
      text: """
        <?xml version="1.0" encoding="UTF-8"?><errors><error code="415">Callback URL not approved for this client \
        application. Approved callback URLs can be adjusted in your application settings</error></errors>
        """)
  }
}
