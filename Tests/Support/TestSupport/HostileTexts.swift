/// Text that programs have failed to display safely. It contains markup, control characters, changes of text direction, or very many
/// characters.
///
/// Tests take an index as their argument, because the text itself would appear in the log and control the terminal.
package enum HostileTexts {
  package static let all = [
    "<script>alert(1)</script>", "]]>", "<![CDATA[x]]>", "&lt;b&gt; & &amp; &#x1F;", "a\u{202e}b\u{2066}c\u{2069}d",
    "e" + String(repeating: "\u{301}", count: 10_000), "a\u{0}b\u{1}\u{8}\u{b}\u{c}\u{1f}\u{7f}\u{85}\u{9f}c",
    "\u{fffe}\u{ffff}", "[x](javascript:alert(1)) javascript:alert(1)", "\" onload=\"alert(1)", "' onload='x",
    "https://example.com/\"><script>x</script>", "", " \n\t\r\n ", "👩‍👩‍👧‍👦🏴󠁧󠁢󠁳󠁣󠁴󠁿é e\u{301} 日本語 ﷽ עברית", "<\u{301}b>",
    "\u{1b}]0;title\u{7}\u{1b}[31mred", "\\\" \\u0000 {\"a\":1}", "<!-- --> <?xml?> <!DOCTYPE x>",
    "\u{feff}\u{2028}\u{2029}",
    "<span foreground='red'>pango</span>", "%{A1:xterm:}click%{A} #(reboot) #[fg=red]",
  ]
}
