internal import Commands
internal import ControlProtocol
internal import JSON
internal import LocalCommands
internal import Platform
internal import Settings
internal import Storage

/// `homeline check --archive`: reads each archive completely and prints its damage.
struct ArchiveCheck {
  let archives: Archives
  /// The account; nil for all accounts.
  let account: AccountName?

  func output(isJSON: Bool) throws(CommandError) -> CommandOutput {
    var text = ""
    var checked: [(account: AccountName, integrity: ArchiveIntegrity?, failure: String?)] = []
    var notes: [String] = []
    var code = ExitCode.done
    for account in try archives.accounts(account) {
      do throws(CommandError) {
        let integrity = try look(at: account)
        checked.append((account, integrity, nil))
        if integrity.problems.isEmpty {
          text += "\(account): \(Self.summary(integrity)), no damage\n"
          continue
        }
        text += integrity.problems.map { "\(account): \($0)\n" }.joined()
        notes.append("\(account): the archive is corrupt. \(Self.advice(account))")
        code = code.worse(.badData)
      } catch {
        checked.append((account, nil, error.message))
        notes.append("\(account): \(error.message)")
        code = code.worse(error.exitCode)
      }
    }
    if !isJSON { return CommandOutput(text, notes: notes, code: code) }
    let json = JSONDocument.output { json in
      json.member("archives", list: checked) { json, archive in
        json.object { json in
          json.member("account", archive.account.text)
          json.member("posts", archive.integrity?.posts)
          json.member("deleted", archive.integrity?.deleted)
          json.member("filtered", archive.integrity?.filtered)
          json.member("problems", list: archive.integrity?.problems ?? []) { $0.string($1) }
          // The reason the archive could not be checked.
          json.member("message", archive.failure)
        }
      }
    }
    return CommandOutput(json, notes: notes, code: code)
  }

  private func look(at account: AccountName) throws(CommandError) -> ArchiveIntegrity {
    let database = try archives.open(account)
    defer { database.close() }
    var line = ProgressLine()
    defer { line.clear() }
    do throws(StorageError) {
      return try database.integrity { done, count in
        line.show(
          ProgressLine.Job(
            account.text, .things(one: "post checked", many: "posts checked"), done: done, of: count))
      }
    } catch { throw Archives.failure(error) }
  }

  private static func advice(_ account: AccountName) -> String {
    "The service will move it aside and recover the readable posts. To save the readable posts now, run: "
      + "homeline export \(account)"
  }

  private static func summary(_ integrity: ArchiveIntegrity) -> String {
    let posts = "\(grouped(integrity.posts)) post\(integrity.posts == 1 ? "" : "s")"
    var counts = [posts]
    if integrity.filtered > 0 { counts.append("\(grouped(integrity.filtered)) hidden by filters") }
    if integrity.deleted > 0 { counts.append("\(grouped(integrity.deleted)) deleted") }
    return counts.count < 3 ? counts.joined(separator: " and ") : "\(counts[0]), \(counts[1]) and \(counts[2])"
  }

  /// Returns a number with a comma after every third digit.
  private static func grouped(_ number: Int) -> String {
    let digits = Array(String(number))
    return digits.enumerated().map { index, digit in
      (index > 0 && (digits.count - index) % 3 == 0 ? "," : "") + String(digit)
    }.joined()
  }
}
