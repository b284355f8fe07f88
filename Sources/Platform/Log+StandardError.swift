extension Log {
  /// Writes to standard error, with the level as `<N>` before each line where that is the journal, else with the program's name.
  /// - Parameters:
  ///   - program: what to write before a line that people read.
  ///   - threshold: what matters less than this level is not written.
  ///   - environment: where `JOURNAL_STREAM` is looked up.
  package static func standardError(
    of program: String, threshold: Level = .info, environment: [String: String]
  ) -> Log {
    let isJournal = JournalStream.isJournal(descriptor: 2, environment: environment)
    let form = isJournal ? LogForm.journal : .plain(program: program)
    return Log { level, line in
      // In one step, so that lines of several queues do not mix.
      if level <= threshold { Terminal.write(toStandardError: form.text(level, line)) }
    }
  }
}
