internal import CivilTime
internal import Commands
internal import JSON
internal import Platform
internal import Publish
internal import Settings
internal import Storage
internal import Timeline

extension Command.Search: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    let search = ArchiveSearch(
      arguments: self, archives: try context.archives(), now: WallClock.system.now,
      form: context.environment.terminalForm)
    return try context.write(try search.output())
  }
}

/// Finds the newest posts that match a query in one archive or in all archives.
struct ArchiveSearch {
  let arguments: Command.Search
  let archives: Archives
  let now: Timestamp
  /// The terminal features to use.
  let form: TerminalForm

  func output() throws(CommandError) -> CommandOutput {
    let query: SearchQuery
    do throws(SearchQueryError) { query = try SearchQuery(arguments.query) } catch {
      throw CommandError(.usage, "\(error)")
    }
    let accounts = try archives.accounts(arguments.account)
    var hits: [Hit] = []
    var notes: [String] = []
    var code = ExitCode.done
    for account in accounts {
      do throws(CommandError) { hits += try self.hits(query, in: account) } catch {
        // An unreadable archive does not prevent searching the others.
        if accounts.count == 1 { throw error }
        notes.append("\(account): \(error.message)")
        code = code.worse(error.code)
      }
    }
    hits.sort { ($0.post.createdAt, $0.account, $0.mark) > ($1.post.createdAt, $1.account, $1.mark) }
    hits = Array(hits.prefix(arguments.limit))
    if hits.isEmpty { notes.append("no posts found") }
    return CommandOutput(bytes: bytes(of: hits, namesAccounts: accounts.count > 1), notes: notes, code: code)
  }

  private struct Hit {
    let account: AccountName
    let mark: PostPosition
    let post: Post
    let json: [UInt8]
  }

  private func hits(_ query: SearchQuery, in account: AccountName) throws(CommandError) -> [Hit] {
    let database = try archives.open(account)
    defer { database.close() }
    let found: [KnownPost]
    do throws(StorageError) {
      found = try database.search(
        query, since: arguments.since, until: arguments.until, author: arguments.author, limit: arguments.limit)
    } catch { throw Archives.failure(error) }
    return found.compactMap { known in
      (try? PostJSON.read(known.json)).map { Hit(account: account, mark: known.mark, post: $0, json: known.json) }
    }
  }

  private func bytes(of hits: [Hit], namesAccounts: Bool) -> [UInt8] {
    switch arguments.format {
    case .text:
      let plain = PlainText(at: now, form: form)
      let texts = hits.map { plain.text(of: $0.post, from: namesAccounts ? $0.account.text : nil) }
      return Array(texts.joined(separator: "\n").utf8)
    case .json:
      return Array("[".utf8) + hits.map { Array("\n".utf8) + fragment($0) }.joined(separator: Array(",".utf8))
        + Array("\n]\n".utf8)
    case .jsonl: return hits.flatMap { fragment($0) + Array("\n".utf8) }
    }
  }

  /// Returns the stored post with the member `account`.
  private func fragment(_ hit: Hit) -> [UInt8] {
    JSONWriter.extended(hit.json) { $0.member("account", hit.account.text) }
  }
}
