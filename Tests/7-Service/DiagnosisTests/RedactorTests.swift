import Bytes
import Testing

@testable import Diagnosis

/// How private values are removed from reports.
@Suite struct RedactorTests {
  private var values: PrivateValues {
    var values = PrivateValues()
    values.names = ["bird", "Alice Example", "alice", "laptop7"]
    values.secrets = [Secret("canary+secret/1=="), Secret("pin1")]
    values.paths = ["/home/alice example/My Files"]
    values.folders = [("/home/alice example/state/homeline", "<state>")]
    values.add(host: "social.example:8443")
    values.add(host: "social.example")
    values.add(host: "intranet")
    return values
  }

  private func redacted(_ text: DiagnosticText) -> String {
    var redactor = Redactor(values)
    return redactor.text(of: text)
  }

  @Test("values of a known kind become placeholders, and equal values become the same placeholder")
  func kinds() {
    #expect(
      redacted(
        "\(name: "bird") at \(host: "Social.example"), \(name: "fish"), \(name: "bird") \(host: "social.example") \(3)")
        == "<name 1> at <host 1>, <name 2>, <name 1> <host 1> 3")
    #expect(redacted("read \(path: "/etc/x") and \(path: "/etc/x")") == "read <path 1> and <path 1>")
    #expect(redacted("\(path: "/home/alice example/state/homeline/bird/token.json")") == "<state>/<name 1>/token.json")
    #expect(redacted("\(path: "/home/alice example/state/homeline/own/notes")") == "<state>/<path 1>/<path 2>")
  }

  @Test(
    "private values are also replaced in text from other sources",
    arguments: [
      ("bird: not stored", "<name 1>: not stored"), ("bird's post by Alice Example.", "<name 1>'s post by <name 2>."),
      ("birds are fine", "birds are fine"),
      ("BIRD, social.example:8443 and intranet", "<name 1>, <host 1> and <host 2>"),
      ("social.example: no route", "<host 1>: no route"), ("https://social.example/x?y=z", "<address 1>"),
      ("account=bird&user=Alice Example", "account=<name 1>&user=<name 2>"),
      ("bird吗", "<name 1>吗"), ("名字是bird吗", "<hidden 1>"),
      ("birdé", "birdé"),
      ("key canary+secret/1== and pin1", "key [secret] and [secret]"),
      ("/home/alice example/state/homeline/bird/token.json: bad", "<state>/<name 1>/token.json: bad"),
      ("'/home/alice example/My Files/a': bad", "'<path 1>': bad"),
    ])
  func known(text: String, expected: String) {
    #expect(redacted("\(foreign: text)") == expected)
  }

  @Test(
    "text that looks private is hidden even if its value is unknown",
    arguments: [
      ("connect to 192.0.2.7 port 443", "connect to <host 1> port 443"),
      ("[2001:db8::1]:443 refused", "<host 1> refused"),
      ("other.example.net failed.", "<host 1> failed."), ("mail me@own.example now", "mail <name 1> now"),
      ("/srv/private/config.json:3:14: accounts", "<path 1>:3:14: accounts"), ("~/notes.txt", "<path 1>"),
      ("https://a.example/?token=abc", "<address 1>"), ("id 4a7f00c2d9e1bb", "id <hidden 1>"),
      ("token.json and config.json", "token.json and config.json"),
      ("HTTP 503, retry in 30 s", "HTTP 503, retry in 30 s"),
      ("2001:470:1:2:3:4:5:6 refused", "<host 1> refused"), ("fe80::1%eth0 refused", "<host 1> refused"),
      ("2001:DB8:0:0:8:800:200C:417A", "<host 1>"), ("from 52:54:00:12:34:56", "from <host 1>"),
      ("at 12:30:45", "at 12:30:45"), ("nas:8080 refused", "<host 1> refused"),
      ("my_nas.fritz.box refused", "<host 1> refused"), ("host=192.168.1.5", "host=<host 1>"),
      ("server=my.example.net&x=1", "server=<host 1>&x=1"), ("xn--bcher-kva.example", "<host 1>"),
      ("x=https://a.example/?token=abc&b=c", "<address 1>"), ("%2Fhome%2Fcarol%2Fx", "<hidden 1>"),
      ("post 115586789012345678 is missing", "post <hidden 1> is missing"), ("1048576 bytes", "1048576 bytes"),
      ("'/mnt/My Disk/a b': No such file", "'<path 1>': No such file"),
      ("\"/mnt/My Disk/a b\" is missing", "\"<path 1>\" is missing"), ("it isn't x", "it isn't x"),
      ("there is no account \"carol\"", "there is no account \"<hidden 1>\""),
      ("more than \"confirm_above_usd\"", "more than \"confirm_above_usd\""),
      ("accounts.Carol Secret.server: not a host", "accounts.<name 1>.server: not a host"),
      ("accounts.a.b.publish[0]: no \"x\"", "accounts.<name 1>.publish[0]: no \"<hidden 1>\""),
      ("views.carol.accounts: missing", "views.<name 1>.accounts: missing"),
      ("/srv/c.json:3:2: accounts.Carol X: bad", "<path 1>:3:2: accounts.<name 1>: bad"), ("a = b && c", "a = b && c"),
      ("JDBC:a=b", "JDBC:a=b"),
    ])
  func unknown(text: String, expected: String) {
    #expect(redacted("\(foreign: text)") == expected)
  }

  @Test(
    "only terms that identify no one are kept from a server's message",
    arguments: [
      ("““Noor Halvorsen” is suspended”", "““<name 1>” is suspended”"),
      ("“the account ‘noor_h’ is locked”", "“the account ‘<name 1>’ is locked”"),
      ("“[Noor Halvorsen] is suspended”", "“[<name 1>] is suspended”"),
      ("“user:Noor Halvorsen is suspended”", "“user:<name 1> is suspended”"),
      ("“Halvorsen, Noor”", "“<name 1>, <name 2>”"),
      ("“Hi Noor, your trial ends”", "“<hidden 1> <name 1>, your <hidden 2> <hidden 3>”"),
      ("“Noor’s account”", "“<name 1>’<hidden 1> account”"), ("“ＮＯＯＲ is here”", "“<hidden 1> is here”"),
      ("“call +44 20 7946 0123 to unlock”", "“call +44 20 <hidden 1> <hidden 2> to <hidden 3>”"),
      ("“noor.h＠example.org is not confirmed”", "“<name 1>.<hidden 1>＠<hidden 2>.<hidden 3> is not confirmed”"),
      ("“blocked: 3325256727”", "“blocked: <hidden 1>”"), ("“blocked: 0xC6336417”", "“blocked: <hidden 1>”"),
      ("“cannot write C:\\Users\\Noor\\a.jpg”", "“cannot write <hidden 1>:\\Users\\<name 1>\\a.<hidden 2>”"),
      ("“Unprocessable: limit is 40”", "“Unprocessable: limit is 40”"),
      ("“你的账号被锁定”", "“<hidden 1>”"), ("The server says: “bm9vcg==”.", "The server says: “<hidden 1>==”."),
      ("“unknown token, never ended", "“unknown token, never ended"),
    ])
  func quoted(text: String, expected: String) {
    var values = PrivateValues()
    values.names = ["noor_h", "Noor Halvorsen", "58214"]
    var redactor = Redactor(values)
    let report = redactor.text(of: "\(foreign: text)")
    #expect(report == expected)
    for part in ["Noor", "Halvorsen", "7946", "0123", "3325256727", "C6336417"] { #expect(!report.contains(part)) }
  }

  @Test("a user name that is also a word in error messages is hidden too", arguments: ["Will Page", "will_page"])
  func nameThatIsAWord(name: String) {
    var values = PrivateValues()
    values.names = [name]
    var redactor = Redactor(values)
    #expect(redactor.text(of: "\(foreign: "“Will is not found”")") == "“<hidden 1> is not found”")
  }

  @Test("an excerpt ends at a line end, names the file, and begins with the most serious findings")
  func cut() {
    let entries =
      (0..<200).map { DiagnosticResult.Entry(check: "a", finding: .ok("fine \($0)")) }
      + [DiagnosticResult.Entry(check: "b", finding: .fault("broken at \(host: "social.example")", next: "Repair it"))]
    let report = DiagnosticReport(DiagnosticResult(findings: entries), values)
    #expect(report.findings.hasPrefix("fault    b  broken at <host 1>. Repair it\nok       a  fine 0\n"))
    #expect(report.message.contains("fine 199"))
    let message = report.excerpt(limit: 2000, completeReport: "~/report.txt")
    #expect(message.utf8.count <= 2000 && message.contains("English or Chinese") && message.contains("broken at"))
    #expect(message.contains("Please attach the complete report: ~/report.txt\n"))
    #expect(message.hasSuffix("--- cut here; the complete report is in the attached file ---\n"))
    let mail = ReportMail(to: "a+b@dev.example", message)
    #expect(mail.mailtoAddress.hasPrefix("mailto:a%2Bb@dev.example?subject=homeline%20"))
    #expect(mail.mailtoAddress.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } && mail.mailtoAddress.contains("%0D%0A"))
  }
}
